package store

import (
	"strings"
	"time"
)

// A Filter chooses memories. Its conditions all hold at once; the zero Filter
// chooses every one that is seen.
//
// A Prefix is words that the key begins with in any spelling. The last may be
// cut short, unless "_", "." or the like follows it. A Prefix of such
// separators alone is what the key itself begins with.
type Filter struct {
	Category string    // "": any
	Tags     []string  // it has all of them
	Prefix   string    // its key begins so, see below; "" or white space: any
	Before   time.Time // it was last changed before
	Source   string    // where it comes from has this in it, in any case of ASCII; "" or white space: any
	Pinned   bool      // it is pinned
	Ending   time.Time // it expires before
	Archived bool      // it is deleted or expired, instead of seen
}

// isEmpty reports whether the filter has no condition.
func (f Filter) isEmpty() bool {
	return f.Category == "" && len(f.Tags) == 0 && CleanKey(f.Prefix) == "" && f.Before.IsZero() && strings.TrimSpace(f.Source) == "" && !f.Pinned && f.Ending.IsZero() && !f.Archived
}

// An Order is how a listing is sorted.
type Order int

const (
	ByKey  Order = iota // by the words of the key, see Normal
	Newest              // the one changed last comes first
)

// A Page is one part of a listing.
type Page struct {
	Order  Order
	Limit  int    // at least 1
	Cursor string // the one given with the part before; "" for the first
}

// An Event is one change of a memory.
type Event struct {
	Key       string // before the change; for create, the one of now
	Version   int64  // that began with it
	Operation string // create, set, update, rename, delete or restore
	At        time.Time
	Before    *Memory // what it superseded; nil for create
	Source    string  // of that, and for create of the memory of now
	Undo      string  // for Restore
}

// A Category is a group of memories that are seen.
type Category struct {
	Name    string // "" for those without one
	Count   int
	Bytes   int64 // of their values
	Newest  time.Time
	Sources []string // where they come from, each once
}

// Stats are figures on the memories of one owner, and on the file.
type Stats struct {
	Memories  int   // that are seen
	Expired   int   // not seen any more, not deleted either
	Deleted   int   // that can be restored
	Versions  int   // earlier states that can be restored
	Bytes     int64 // of the values that are seen
	ToIndex   int   // rows that the next search puts into the index
	FileBytes int64 // of the database with its journal, of all owners
}
