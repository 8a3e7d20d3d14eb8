package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

const (
	Upsert Mode = "upsert" // replaces the value; the zero Mode does the same
	Create Mode = "create" // refuses with a ConflictError
	Append Mode = "append" // joins the values: objects merge, arrays and texts grow
	Merge  Mode = "merge"  // patches the value (RFC 7396)
	Keep   Mode = "keep"   // leaves the memory as it is
)

// A Mode says what Set does with a key that exists.
type Mode string

// An Entry is what Set remembers. Of a key that exists, what is nil here
// stays as it was, except that a replaced value takes Source and Expires as
// they are given: the old ones spoke of the old value.
type Entry struct {
	Key        string          // at least one character that is not white space
	Value      json.RawMessage // any JSON
	Category   *string
	Tags       []string // nil: as they were; empty: none
	Source     string
	Importance *int // 0 to 3
	Pinned     *bool
	Secret     *bool     // true: the value is kept encrypted, and so are those before it; false: ErrSecret where it is
	Expires    time.Time // zero: never
	Mode       Mode
	IfVersion  *int64     // the version that must stand now; 0: the key must not exist
	JoinSource JoinSource // of a value that is added to

	// When a memory that comes from elsewhere was made and last changed there.
	// Only a key that never was takes them; zero, or later than now, is now.
	Created, Updated time.Time
}

// Next is the state after the write; seen is the one before it, nil for a memory
// that nobody sees. That begins afresh. The entry's Value is compact.
func (e *Entry) Next(seen *Memory) (*Memory, error) {
	next := &Memory{Key: e.Key, Value: e.Value, Tags: []string{}, Source: e.Source, Expires: e.Expires}
	if seen != nil {
		next.Category, next.Tags, next.Importance, next.Pinned, next.Secret = seen.Category, seen.Tags, seen.Importance, seen.Pinned, seen.Secret
		value, err := joined(e.Mode, seen.Value, next.Value)
		if err != nil {
			return nil, err
		}
		next.Value = value
		if e.Mode == Append || e.Mode == Merge {
			keepUnlessGiven(next, seen)
			next.Source = e.JoinSource.join(seen.Source, next.Source)
		}
	}
	next.Category = or(e.Category, next.Category)
	next.Importance = or(e.Importance, next.Importance)
	next.Pinned = or(e.Pinned, next.Pinned)
	if next.Secret && !or(e.Secret, true) {
		return nil, ErrSecret
	}
	next.Secret = or(e.Secret, next.Secret)
	if e.Tags != nil {
		next.Tags = e.Tags
	}
	return next, nil
}

// A JoinSource says where a value comes from that is kept or added to: it had a
// source, and another is given. Nil takes what is given.
type JoinSource func(had, given string) string

func (j JoinSource) join(had, given string) string {
	if j == nil {
		return given
	}
	return j(had, given)
}

// keepUnlessGiven keeps the provenance and expiry of a value that is added to.
func keepUnlessGiven(next, seen *Memory) {
	if next.Source == "" {
		next.Source = seen.Source
	}
	if next.Expires.IsZero() {
		next.Expires = seen.Expires
	}
}

// or is *given, or otherwise what stands.
func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

const (
	Created   Change = "created"
	Updated   Change = "updated"
	Unchanged Change = "unchanged" // everything was so already: no new version
	Kept      Change = "kept"      // Mode is Keep and the key exists, whatever its value: no new version
)

// A Change says what a write did.
type Change string

// A Written says what a write did to one memory.
type Written struct {
	Key      string // as it is kept
	Version  int64
	Change   Change
	Previous *Memory   // what a reader saw before; nil when there was nothing to see
	Expires  time.Time // when it ends as it stands now; zero: never
	Undo     string    // for Restore; "" when nothing was changed
	Deleted  bool      // by Restore: nobody sees it any more
	Source   string    // by Restore: where it comes from
	Similar  []Similar // to a key that never was: up to 3, the most similar first
	Hid      *Erased   // it has become a secret: whether its earlier values have left the file in plain text; otherwise nil
}

// A Similar memory has a key that looks like another.
type Similar struct {
	Key    string
	Source string // where its value comes from
}

// An Edit changes parts of a memory. What is nil or empty stays as it is.
type Edit struct {
	Key        string          // spelled so, or otherwise when that is not ambiguous
	Addition   json.RawMessage // joined to the value as Append does
	Patch      json.RawMessage // applied to the value (RFC 7396)
	AddTags    []string
	RemoveTags []string
	Category   *string
	Source     *string
	JoinSource JoinSource // whatever changes: no edit replaces a value whole
	Importance *int
	Pinned     *bool
	Secret     *bool      // as in Entry
	Unseal     bool       // it is to be no secret any more
	Expires    *time.Time // the zero time: never
	RenameTo   string
	IfVersion  *int64 // the version that must stand now
}

// Check makes the JSON of an edit compact and refuses what never fits.
func (e *Edit) Check() error {
	if e.Importance != nil && (*e.Importance < 0 || *e.Importance > 3) {
		return fmt.Errorf("%w: importance %d is not from 0 to 3", ErrInvalid, *e.Importance)
	}
	for _, value := range []*json.RawMessage{&e.Addition, &e.Patch} {
		if *value == nil {
			continue
		}
		text, err := CompactJSON(*value)
		if err != nil {
			return err
		}
		*value = json.RawMessage(text)
	}
	return nil
}

// NeedsValue reports whether the edit cannot do without the value: it changes
// it, or what a secret is bound to.
func (e *Edit) NeedsValue(old *Memory) bool {
	key := CleanKey(e.RenameTo)
	return e.Addition != nil || e.Patch != nil || key != "" && key != old.Key || e.Unseal
}

// Apply is the state after the edit.
func (e *Edit) Apply(old *Memory) (*Memory, error) {
	next := *old
	if key := CleanKey(e.RenameTo); key != "" {
		next.Key = key
	}
	var err error
	if e.Addition != nil {
		if next.Value, err = joined(Append, next.Value, e.Addition); err != nil {
			return nil, err
		}
	}
	if e.Patch != nil {
		if next.Value, err = joined(Merge, next.Value, e.Patch); err != nil {
			return nil, err
		}
	}
	next.Tags = slices.DeleteFunc(slices.Concat(old.Tags, e.AddTags), func(tag string) bool { return slices.Contains(e.RemoveTags, tag) })
	next.Category = or(e.Category, old.Category)
	next.Source = e.JoinSource.join(old.Source, or(e.Source, old.Source))
	next.Importance = or(e.Importance, old.Importance)
	next.Pinned = or(e.Pinned, old.Pinned)
	if old.Secret && !e.Unseal && !or(e.Secret, true) {
		return nil, ErrSecret
	}
	next.Secret = or(e.Secret, old.Secret) && !e.Unseal
	next.Expires = or(e.Expires, old.Expires)
	return &next, nil
}

// A Target says which memories to delete: the one with a key, or when that is
// "", those that the filter chooses. It must have one of both: that everything
// goes is never meant by saying nothing.
type Target struct {
	Key    string
	Filter Filter
	Only   []string // for Erase: of those just these, as Erased.Rows has them; nil for all
}

// Check returns ErrInvalid for a target that says nothing.
func (t Target) Check() error {
	if t.Key == "" && t.Filter.isEmpty() {
		return fmt.Errorf("%w: neither a key nor a condition says what to delete", ErrInvalid)
	}
	return nil
}

// A Deleted says which memories were deleted, or would be.
type Deleted struct {
	Keys    []string // never nil
	Sources []string // where they come from, each once
	Undo    string   // brings all of them back, see Restore; "" when none was deleted
}

// An Erased says what was erased, and whether the text has left the disk.
type Erased struct {
	Keys    []string // never nil
	Rows    []string // of memories: each, with its version
	Sources []string // where memories came from, each once
	Gone    bool     // no byte of it, and of what was erased before, is left in the file and its journal
	Reason  string   // why it is not, as far as is known; "" when it is
	Copies  []string // files beside the database that may still have it: backups, and copies made before a migration
}
