package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Mode says what Set does with a key that exists.
type Mode string

const (
	Upsert Mode = "upsert" // replaces the value; the zero Mode does the same
	Create Mode = "create" // refuses with a ConflictError
	Append Mode = "append" // joins the values: objects merge, arrays and texts grow
	Merge  Mode = "merge"  // patches the value (RFC 7396)
	Keep   Mode = "keep"   // leaves the memory as it is
)

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

// A JoinSource says where a value comes from that is kept or added to: it had a
// source, and another is given. Nil takes what is given.
type JoinSource func(had, given string) string

func (j JoinSource) join(had, given string) string {
	if j == nil {
		return given
	}
	return j(had, given)
}

// A Change says what a write did.
type Change string

const (
	Created   Change = "created"
	Updated   Change = "updated"
	Unchanged Change = "unchanged" // everything was so already: no new version
	Kept      Change = "kept"      // Mode is Keep and the key exists, whatever its value: no new version
)

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
	Similar  []string  // of a key that never was: up to 3 that look like it, the most similar first
	Hid      *Erased   // it has become a secret: whether its earlier values have left the file in plain text; otherwise nil
}

// Set remembers an entry. It returns a *ConflictError when Mode is Create and
// the key exists, or when IfVersion is not the version that stands, and
// ErrInvalid for an empty key, a value that is no JSON, or one that Mode
// cannot join to the old, and ErrTooLarge for one that is larger than MaxValue,
// alone or joined. Of a secret it returns the error of Options.Sealer, with
// nothing changed, when the value that stands cannot be read.
func (m *Memories) Set(ctx context.Context, e Entry) (Written, error) {
	p, err := m.prepare(e)
	if err != nil {
		return Written{}, fmt.Errorf("set: %w", err)
	}
	var written Written
	err = m.db.writeSealing(ctx, func(t *tx) (err error) {
		written, err = p.set(t)
		return err
	})
	if err != nil {
		return Written{}, fmt.Errorf("set %q: %w", p.Key, err)
	}
	return m.db.rid(ctx, written), nil
}

// SetMany remembers entries in one transaction: all of them or, when one
// cannot be, none. It is for bulk work; at most 1000 entries a call keep the
// writes of others from waiting.
func (m *Memories) SetMany(ctx context.Context, entries []Entry) ([]Written, error) {
	prepared := make([]*setting, len(entries))
	for i, e := range entries {
		p, err := m.prepare(e)
		if err != nil {
			return nil, fmt.Errorf("set entry %d: %w", i, err)
		}
		prepared[i] = p
	}
	var written []Written
	err := m.db.writeSealing(ctx, func(t *tx) error {
		written = make([]Written, 0, len(prepared))
		for i, p := range prepared {
			w, err := p.set(t)
			if err != nil {
				return fmt.Errorf("set entry %d, %q: %w", i, p.Key, err)
			}
			written = append(written, w)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range written {
		written[i] = m.db.rid(ctx, written[i])
	}
	return written, nil
}

// A setting is an Entry made ready before the turn of its write: what can be
// computed without the database has been.
type setting struct {
	Entry
	owner, norm, tags string
}

func (m *Memories) prepare(e Entry) (*setting, error) {
	e.Key = cleanKey(e.Key)
	if e.Key == "" {
		return nil, fmt.Errorf("%w: the key is empty", ErrInvalid)
	}
	if e.Importance != nil && (*e.Importance < 0 || *e.Importance > 3) {
		return nil, fmt.Errorf("%w: importance %d is not from 0 to 3", ErrInvalid, *e.Importance)
	}
	value, err := compact(e.Value)
	if err != nil {
		return nil, err
	}
	e.Value = json.RawMessage(value)
	return &setting{Entry: e, owner: m.owner, norm: Normal(e.Key), tags: tagsText(e.Tags)}, nil
}

// insertMemory adds a key that never was. One that is deleted must go on with
// its versions, so it counts as a conflict too.
const insertMemory = `
	INSERT INTO memories (owner, key, norm, value, category, tags, source, importance, pinned, created, updated, expires, sealed, version, stale)
	SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 1, 1
	WHERE NOT EXISTS (SELECT 1 FROM memories WHERE owner = ?1 AND norm = ?3 AND key = ?2 AND deleted IS NOT NULL)
	ON CONFLICT DO NOTHING`

func (s *setting) set(t *tx) (Written, error) {
	now, wrote := t.now(), t.wrote
	if s.IfVersion == nil || *s.IfVersion == 0 {
		written, err := s.insert(t, now)
		if err != nil || written.Change == Created {
			return written, err
		}
		t.wrote = wrote // it found the key and changed nothing
	}
	old, err := t.memory(s.owner, s.Key)
	if errors.Is(err, ErrNotFound) {
		return Written{}, &ConflictError{Key: s.Key}
	}
	if err != nil {
		return Written{}, err
	}
	return s.supersede(t, old, now)
}

// insert adds the memory, when its key never was. Its neighbours are looked at
// unless other writes wait: nobody waits for hints.
func (s *setting) insert(t *tx, now time.Time) (Written, error) {
	one, err := s.Next(nil)
	if err != nil {
		return Written{}, err
	}
	if err := t.hide(s.owner, one); err != nil {
		return Written{}, err
	}
	args := []any{s.owner, s.Key, s.norm, string(one.Value), one.Category, s.tags, s.Source,
		one.Importance, one.Pinned, past(s.Created, now).UnixMilli(), past(s.Updated, now).UnixMilli(), millis(s.Expires), one.Sealed}
	created := Written{Key: s.Key, Version: 1, Change: Created, Expires: s.Expires}
	if t.waiting() {
		inserted, err := t.exec(insertMemory, args...)
		if err != nil {
			return Written{}, err
		}
		if n, _ := inserted.RowsAffected(); n == 0 {
			return Written{}, nil
		}
		id, err := inserted.LastInsertId()
		created.Undo = madeID(id, past(s.Created, now))
		return created, err
	}
	t.wrote = true
	id, near, err := scanNeighbours(t.row(insertMemory+returningNeighbours, append(args, turned(s.norm), now.UnixMilli())...))
	if errors.Is(err, sql.ErrNoRows) {
		return Written{}, nil
	}
	created.Undo, created.Similar = madeID(id, past(s.Created, now)), likeKeys(s.norm, near)
	return created, err
}

// past is t where that is a time before now, else now.
func past(t, now time.Time) time.Time {
	if t.IsZero() || t.After(now) {
		return now
	}
	return t
}

// supersede makes the entry the next version of a memory that exists, or of
// one that did.
func (s *setting) supersede(t *tx, old *Memory, now time.Time) (Written, error) {
	seen := old
	if !old.alive(now) {
		seen = nil
	}
	if err := s.allowed(seen); err != nil {
		return Written{}, err
	}
	if s.Mode == Keep && seen != nil {
		return Written{Key: old.Key, Version: old.Version, Change: Kept, Previous: seen, Expires: old.Expires}, nil
	}
	known, err := t.revealed(s.owner, seen)
	if err != nil {
		return Written{}, err
	}
	next, err := s.Next(known)
	if err != nil {
		return Written{}, err
	}
	if known != nil && sameMemory(next, known) {
		return Written{Key: old.Key, Version: old.Version, Change: Unchanged, Previous: seen, Expires: old.Expires}, nil
	}
	if err := t.hide(s.owner, next); err != nil {
		return Written{}, err
	}
	a := act{tx: t, operation: opSet, now: now}
	if err := a.replace(old, next); err != nil {
		return Written{}, err
	}
	written := Written{Key: old.Key, Version: next.Version, Change: Updated, Previous: seen, Expires: next.Expires, Undo: a.undo(), Hid: a.hidden()}
	if seen == nil {
		written.Change = Created
	}
	return written, nil
}

// allowed checks what the caller believes of the memory that is seen.
func (s *setting) allowed(seen *Memory) error {
	version := int64(0)
	if seen != nil {
		version = seen.Version
	}
	if s.Mode == Create && seen != nil || s.IfVersion != nil && *s.IfVersion != version {
		return &ConflictError{Key: s.Key, Current: seen}
	}
	return nil
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

// keepUnlessGiven keeps the provenance and the end of a value that is added
// to, not replaced.
func keepUnlessGiven(next, seen *Memory) {
	if next.Source == "" {
		next.Source = seen.Source
	}
	if next.Expires.IsZero() {
		next.Expires = seen.Expires
	}
}

// sameMemory reports whether both say the same; versions and times aside.
func sameMemory(m, o *Memory) bool {
	return m.Key == o.Key && string(m.Value) == string(o.Value) && m.Category == o.Category &&
		tagsText(m.Tags) == tagsText(o.Tags) && m.Source == o.Source && m.Importance == o.Importance &&
		m.Pinned == o.Pinned && m.Secret == o.Secret && millis(m.Expires) == millis(o.Expires)
}

// or is *given, or otherwise what stands.
func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}
