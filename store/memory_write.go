package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

const (
	Upsert Mode = "upsert" // replaces the value; the zero Mode does the same
	Create Mode = "create" // changes nothing and returns a *ConflictError
	Append Mode = "append" // joins the values: objects merge, arrays and texts grow
	Merge  Mode = "merge"  // patches the value (RFC 7396)
	Keep   Mode = "keep"   // changes nothing
)

// A Mode says what Set does if the key exists.
type Mode string

// An Entry is a memory to store. If the key exists, a nil field keeps the old value. If the
// value is replaced, Source and Expires are replaced too, since the old ones described the old
// value.
type Entry struct {
	Key        string          // at least one character that is not white space
	Value      json.RawMessage // any JSON
	Category   *string
	Tags       []string // nil: unchanged; empty: none
	Source     string
	Importance *int // 0 to 3
	Pinned     *bool
	Secret     *bool     // true: encrypt the value and its earlier versions; false: ErrSecret if the memory is a secret
	Expires    time.Time // zero: never
	Mode       Mode
	IfVersion  *int64     // the required current version; 0: the key must not exist
	JoinSource JoinSource // for Append and Merge; see JoinSource

	// When an imported memory was created and last changed. Both apply only if no memory has the
	// key, not even a deleted one. Zero, or a time in the future, means now.
	Created, Updated time.Time
}

// Next returns the memory after the write. visible is the memory before the write; nil if it
// does not exist, or is deleted or expired. The entry's Value must be compact. Next returns
// ErrSecret if a secret would become readable, and the errors of applyMode.
func (e *Entry) Next(visible *Memory) (*Memory, error) {
	next := &Memory{Key: e.Key, Value: e.Value, Tags: []string{}, Source: e.Source, Expires: e.Expires}
	if visible != nil {
		next.Category, next.Tags, next.Importance, next.Pinned, next.Secret = visible.Category, visible.Tags, visible.Importance, visible.Pinned, visible.Secret
		value, err := applyMode(e.Mode, visible.Value, next.Value)
		if err != nil {
			return nil, err
		}
		next.Value = value
		if e.Mode == Append || e.Mode == Merge {
			keepSourceAndExpiry(next, visible)
			next.Source = e.JoinSource.join(visible.Source, next.Source)
		}
	}
	next.Category = valueOr(e.Category, next.Category)
	next.Importance = valueOr(e.Importance, next.Importance)
	next.Pinned = valueOr(e.Pinned, next.Pinned)
	if next.Secret && !valueOr(e.Secret, true) {
		return nil, ErrSecret
	}
	next.Secret = valueOr(e.Secret, next.Secret)
	if e.Tags != nil {
		next.Tags = e.Tags
	}
	return next, nil
}

// A JoinSource returns the new source of a memory if a write keeps its old value or adds to it.
// old is the source of the memory before the write, and given is the source in the write. A nil
// JoinSource returns given.
type JoinSource func(old, given string) string

func (j JoinSource) join(old, given string) string {
	if j == nil {
		return given
	}
	return j(old, given)
}

// keepSourceAndExpiry copies the source and expiry of old to next, unless next has its own.
func keepSourceAndExpiry(next, old *Memory) {
	if next.Source == "" {
		next.Source = old.Source
	}
	if next.Expires.IsZero() {
		next.Expires = old.Expires
	}
}

// valueOr returns *given, or fallback if given is nil.
func valueOr[T any](given *T, fallback T) T {
	if given == nil {
		return fallback
	}
	return *given
}

const (
	Created   Change = "created"
	Updated   Change = "updated"
	Unchanged Change = "unchanged" // everything is the same already: no new version
	Kept      Change = "kept"      // Mode is Keep and the key exists, whatever its value: no new version
)

// A Change says what a write did.
type Change string

// A WriteResult is the result of a write to one memory.
type WriteResult struct {
	Key            string // as it is stored
	Version        int64
	Change         Change
	Previous       *Memory      // the memory before the write; nil if it did not exist, or was deleted or expired
	Expires        time.Time    // when the memory expires now; zero: never
	Undo           string       // for Restore; "" if nothing changed
	Deleted        bool         // for Restore: the memory is deleted or expired now
	Source         string       // for Restore: the source of the memory
	Similar        []SimilarKey // for a new memory: up to 3 similar keys, most similar first; nil while other writes are queued
	PlaintextErase *EraseResult // for a memory that became a secret: whether its earlier plain text has left the file; nil for any other write
}

// A SimilarKey is the key of a memory that is similar to another key.
type SimilarKey struct {
	Key    string
	Source string // source of the value
}

// An Edit changes parts of a memory. A nil or empty field changes nothing.
type Edit struct {
	Key        string          // may be spelled differently if that is not ambiguous
	Addition   json.RawMessage // joined to the value as Append does
	Patch      json.RawMessage // applied to the value (RFC 7396)
	AddTags    []string
	RemoveTags []string
	Category   *string
	Source     *string
	JoinSource JoinSource // joins the old source and Source; see JoinSource
	Importance *int
	Pinned     *bool
	Secret     *bool      // as in Entry
	Unseal     bool       // make a secret readable again
	Expires    *time.Time // the zero time: never
	RenameTo   string
	IfVersion  *int64 // the required current version
}

// Check compacts the JSON of an edit. It returns ErrInvalid or ErrTooLarge for an edit that can
// never apply.
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

// NeedsValue reports whether the edit of a secret needs the decrypted value. An edit needs it to
// change the value, to change the key (the encryption is bound to the key) or to unseal the
// secret.
func (e *Edit) NeedsValue(old *Memory) bool {
	key := CleanKey(e.RenameTo)
	return e.Addition != nil || e.Patch != nil || key != "" && key != old.Key || e.Unseal
}

// Apply returns the memory after the edit. It returns ErrSecret for an edit that would make a
// secret readable without Unseal, and the errors of applyMode.
func (e *Edit) Apply(old *Memory) (*Memory, error) {
	next := *old
	if key := CleanKey(e.RenameTo); key != "" {
		next.Key = key
	}
	var err error
	if e.Addition != nil {
		if next.Value, err = applyMode(Append, next.Value, e.Addition); err != nil {
			return nil, err
		}
	}
	if e.Patch != nil {
		if next.Value, err = applyMode(Merge, next.Value, e.Patch); err != nil {
			return nil, err
		}
	}
	next.Tags = slices.DeleteFunc(slices.Concat(old.Tags, e.AddTags), func(tag string) bool { return slices.Contains(e.RemoveTags, tag) })
	next.Category = valueOr(e.Category, old.Category)
	next.Source = e.JoinSource.join(old.Source, valueOr(e.Source, old.Source))
	next.Importance = valueOr(e.Importance, old.Importance)
	next.Pinned = valueOr(e.Pinned, old.Pinned)
	if old.Secret && !e.Unseal && !valueOr(e.Secret, true) {
		return nil, ErrSecret
	}
	next.Secret = valueOr(e.Secret, old.Secret) && !e.Unseal
	next.Expires = valueOr(e.Expires, old.Expires)
	return &next, nil
}

// A Target says which memories to delete: the one with Key or, if Key is "", those that match
// Filter. Key or Filter is required, so that an empty target never deletes everything.
type Target struct {
	Key    string
	Filter Filter
	Only   []string // for Erase: only these rows, in the form of EraseResult.Rows; nil for all
}

// Check returns ErrInvalid for a target with neither a key nor a condition.
func (t Target) Check() error {
	if t.Key == "" && t.Filter.isEmpty() {
		return fmt.Errorf("%w: give a key or a condition that says what to delete", ErrInvalid)
	}
	return nil
}

// A DeleteResult says which memories were deleted, or would be.
type DeleteResult struct {
	Keys    []string // never nil
	Sources []string // sources of the deleted memories, each once
	Undo    string   // for Restore: restores all of them; "" if none was deleted
}

// An EraseResult says what was erased, and whether its text has left the disk.
type EraseResult struct {
	Keys     []string // never nil
	Rows     []string // erased memories, as "key@id.version"; nil for the diary
	Sources  []string // sources of the memories, each once
	Complete bool     // the file and its journal contain no text of this erasure or of earlier ones
	Reason   string   // why erased text is left; "" if unknown or Complete
	Copies   []string // files beside the database that may still contain the text: backups, and copies made before a migration
}
