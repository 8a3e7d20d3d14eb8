package store

import "time"

// A Contact is a person in the copy of an address book.
type Contact struct {
	ID   string
	Card string // JSON of the bundle that stored it
}

// A ContactSync is the state of the copy of one source. The zero value means that nothing was copied.
type ContactSync struct {
	Token   string    // with which the source returns what has changed since; may be "" if the source has none
	Version int64     // grows with each change of the copy; 0: there is no copy
	At      time.Time // when the copy was last equal to the source, to the millisecond
}

// A ContactUpdate is what a source answered: everything, or what has changed since a token.
type ContactUpdate struct {
	From     int64  // the Version of the copy when the source was asked
	Token    string // the next token
	Replace  bool   // Contacts are everything: the others are removed
	Contacts []Contact
	Removed  []string // ids
}
