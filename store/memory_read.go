package store

import (
	"strings"
	"time"
)

// A Filter selects memories. A memory must match all conditions; the zero Filter matches every
// memory that is neither deleted nor expired.
//
// A Prefix is compared with the words of a key, in any spelling. The last word of a Prefix may be
// incomplete, unless a separator such as "_" or "." follows it. A key that starts with the Prefix
// as it is written also matches: "HTTPServer" for "HTTPS". A Prefix of only separators is compared
// with the key itself.
type Filter struct {
	Category string    // "": any
	Tags     []string  // the memory has all of them
	Prefix   string    // the key starts with Prefix, see above; "" or white space: any
	Before   time.Time // only memories last changed before this time
	Source   string    // the source contains this text, ASCII case ignored; "" or white space: any
	Pinned   bool      // only pinned memories
	Ending   time.Time // only memories that expire before this time
	Archived bool      // only deleted or expired memories, instead of the others
}

// isEmpty reports whether the filter has no condition.
func (f Filter) isEmpty() bool {
	return f.Category == "" && len(f.Tags) == 0 && CleanKey(f.Prefix) == "" && f.Before.IsZero() && strings.TrimSpace(f.Source) == "" && !f.Pinned && f.Ending.IsZero() && !f.Archived
}

// An Order is the order of a listing.
type Order int

const (
	ByKey  Order = iota // by the words of the key, see NormalizeKey
	Newest              // last changed first
)

// A Page is one part of a listing.
type Page struct {
	Order  Order
	Limit  int    // at least 1
	Cursor string // from the previous part; "" for the first
}

// A MemoryRevision is one change of a memory.
type MemoryRevision struct {
	Key       string // before the change; for create, the current key
	Version   int64  // the version that this change created
	Operation string // create, set, update, rename, delete or restore
	At        time.Time
	Before    *Memory // the version before; nil for create
	Source    string  // the source of Before; for create, that of the current memory
	Undo      string  // for Restore
}

// A Category describes the memories of one category that are neither deleted nor expired.
type Category struct {
	Name    string // "": the memories without a category
	Count   int
	Bytes   int64 // total size of the values
	Newest  time.Time
	Sources []string // sources of its memories, each once
}

// Stats describes the memories of one owner, and the file.
type Stats struct {
	Memories  int   // neither deleted nor expired
	Expired   int   // expired but not deleted
	Deleted   int   // deleted, and can be restored
	Versions  int   // earlier versions that can be restored
	Bytes     int64 // total size of the values of Memories
	ToIndex   int   // memories that are not in the search index yet
	FileBytes int64 // size of the database and its journal, for all owners
}
