// Package sessions stores the sessions of MCP clients of one person, for all replicas that serve the
// person. Only a database server has them: a file is served by one process, which keeps them in
// memory.
//
// A session that nobody has used for Idle is no longer open. Its row stays for formerKept, because a
// new session may continue its conversation and then inherits its taint. The state of calls without a
// session is kept as long.
package sessions

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

const (
	MaxOpen = 1000           // maximum number of open sessions
	Idle    = 24 * time.Hour // a session ends after this time without use

	ClaimedFor = 2 * touchAfter // how long ClaimStream keeps a session

	formerKept = 30 * 24 * time.Hour // how long the taint of a former session is inherited
	touchAfter = 5 * time.Minute     // how old the time of the last use may be
)

// A Session is a stored session, or the state of calls without a session.
type Session struct {
	Entries  map[string]string // nil if the caller has it already
	Revision int64             // counts the changes of Entries; at least 1
	Tainted  bool              // untrusted text reached the conversation
	Began    time.Time         // when the conversation began
	Stream   string            // the stream on which the client listens; "" for none
}

// A Change adds to a session. All replicas may change a session at the same time, so a Change has only
// differences.
type Change struct {
	Entries map[string]*string // nil removes the entry
	Tainted bool               // nothing removes the taint
	Began   time.Time          // used if Tainted; the earliest time counts
}

// Store holds the sessions of one person.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on the sessions of the person of a database. It does not access the database.
func New(db engine.DB, owner string) *Store { return &Store{db: db, owner: db.Owner(owner)} }

// Begin stores a new session. It inherits the taint of former sessions that their clients did not
// end. If MaxOpen sessions are open, it ends the one that was idle for the longest and on which no
// client listens. If there is none, it returns store.ErrTooMany.
func (s *Store) Begin(ctx context.Context, id string) (Session, error) {
	var begun Session
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		now := t.Now()
		expired := engine.Millis(now.Add(-Idle))
		if err := s.removeMessages(t); err != nil {
			return err
		}
		if err := t.Exec("DELETE FROM sessions WHERE owner = ? AND last_used <= ?", s.owner, engine.Millis(now.Add(-formerKept))); err != nil {
			return err
		}
		open := 0
		if err := t.Row("SELECT count(*) FROM sessions WHERE owner = ? AND id <> '' AND last_used > ?", s.owner, expired).Scan(&open); err != nil {
			return err
		}
		if open >= MaxOpen {
			evicted, err := t.Change(`UPDATE sessions SET last_used = ? WHERE owner = ? AND id = (
				SELECT id FROM sessions WHERE owner = ? AND id <> '' AND last_used > ? AND held_until <= ? ORDER BY last_used, id LIMIT 1)`,
				expired, s.owner, s.owner, expired, engine.Millis(now))
			if err != nil {
				return err
			}
			if evicted == 0 {
				return store.ErrTooMany
			}
		}
		former := sql.NullInt64{}
		if err := t.Row("SELECT min(began) FROM sessions WHERE owner = ? AND id <> '' AND last_used <= ? AND tainted = 1", s.owner, expired).Scan(&former); err != nil {
			return err
		}
		begun = Session{Entries: map[string]string{}, Revision: 1, Began: now, Tainted: former.Valid}
		if former.Valid {
			begun.Began = engine.TimeOf(former)
		}
		return t.Exec("INSERT INTO sessions (owner, id, state, revision, tainted, began, last_used) VALUES (?, ?, '{}', 1, ?, ?, ?)",
			s.owner, id, begun.Tainted, engine.Millis(begun.Began), engine.Millis(now))
	})
	if err != nil {
		return begun, fmt.Errorf("begin a session: %w", err)
	}
	return begun, nil
}

// Find returns an open session, and records that it is used. It returns store.ErrNotFound if there is
// none. It omits the Entries if its revision is known.
func (s *Store) Find(ctx context.Context, id string, known int64) (Session, error) {
	now := s.db.Now()
	found, used, err := s.read(s.db.Read(ctx), id, known, now)
	if err != nil {
		return found, fmt.Errorf("find a session: %w", err)
	}
	if now.Sub(used) > touchAfter {
		// A database that cannot be written, such as one with a full disk, still answers reads.
		if _, err := s.update(ctx, id, "last_used = ?", engine.Millis(now)); err != nil {
			s.db.Log().Warn("record the use of a session", "err", err)
		}
	}
	return found, nil
}

// read reads an open session and the time of its last use.
func (s *Store) read(from engine.Querier, id string, known int64, now time.Time) (found Session, used time.Time, err error) {
	kept := Idle
	if id == "" {
		kept = formerKept // these calls have no begin, and only those that ask for the taint are recorded
	}
	state, began, last := "", sql.NullInt64{}, sql.NullInt64{}
	err = from.Row(`
		SELECT CASE WHEN revision = ? THEN '' ELSE state END, revision, tainted, began, last_used, stream
		FROM sessions WHERE owner = ? AND id = ? AND last_used > ?`, known, s.owner, id, engine.Millis(now.Add(-kept))).
		Scan(&state, &found.Revision, &found.Tainted, &began, &last, &found.Stream)
	if errors.Is(err, sql.ErrNoRows) {
		return found, used, store.ErrNotFound
	}
	if err == nil && state != "" {
		err = json.Unmarshal([]byte(state), &found.Entries)
	}
	found.Began = engine.TimeOf(began)
	return found, engine.TimeOf(last), err
}

// Save changes a session and returns all of it. It returns store.ErrNotFound if the session is not
// open. The calls without a session, whose id is "", need no Begin.
func (s *Store) Save(ctx context.Context, id string, change Change) (Session, error) {
	var saved Session
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) (err error) {
		now := t.Now()
		saved, _, err = s.read(t, id, 0, now)
		if id == "" && errors.Is(err, store.ErrNotFound) {
			// The revision is above that of an earlier row, which replicas may still know.
			saved, err = Session{Entries: map[string]string{}, Began: now, Revision: now.UnixMilli()}, nil
		}
		if err != nil {
			return err
		}
		saved.apply(change)
		return t.Exec(`
			INSERT INTO sessions (owner, id, state, revision, tainted, began, last_used) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (owner, id) DO UPDATE SET state = excluded.state, revision = excluded.revision, tainted = excluded.tainted, began = excluded.began, last_used = excluded.last_used`,
			s.owner, id, string(store.EncodeJSON(saved.Entries)), saved.Revision, saved.Tainted, engine.Millis(saved.Began), engine.Millis(now))
	})
	if err != nil {
		return saved, fmt.Errorf("save a session: %w", err)
	}
	return saved, nil
}

// apply changes the session as the Change says.
func (s *Session) apply(change Change) {
	if len(change.Entries) > 0 {
		s.Revision++
	}
	for key, value := range change.Entries {
		if value == nil {
			delete(s.Entries, key)
		} else {
			s.Entries[key] = *value
		}
	}
	if change.Tainted && !change.Began.IsZero() && change.Began.Before(s.Began) {
		s.Began = change.Began
	}
	s.Tainted = s.Tainted || change.Tainted
}

// ClaimStream records that the client listens on this stream. It then does not listen on any other. The
// session is not ended to make room for ClaimedFor.
func (s *Store) ClaimStream(ctx context.Context, id, stream string) error {
	now := s.db.Now()
	changed, err := s.update(ctx, id, "stream = ?, held_until = ?, last_used = ?", stream, engine.Millis(now.Add(ClaimedFor)), engine.Millis(now))
	if err == nil && changed == 0 {
		err = store.ErrNotFound
	}
	return err
}

// ReleaseStream records that the client no longer listens on this stream.
func (s *Store) ReleaseStream(ctx context.Context, id, stream string) error {
	return s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		_, err := t.Change("UPDATE sessions SET stream = '', held_until = 0 WHERE owner = ? AND id = ? AND stream = ?", s.owner, id, stream)
		return err
	})
}

// CountRemoved adds n to the removed items of a session and reports true. If the sum would exceed the
// limit, or there is no such session, it adds nothing and reports false.
func (s *Store) CountRemoved(ctx context.Context, id string, n, limit int) (counted bool, err error) {
	err = s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		changed, err := t.Change("UPDATE sessions SET removed = removed + ? WHERE owner = ? AND id = ? AND removed + ? <= ?", n, s.owner, id, n, limit)
		counted = changed == 1
		return err
	})
	return counted, err
}

// ForgetRemoved sets the removed items of a session to zero.
func (s *Store) ForgetRemoved(ctx context.Context, id string) error {
	_, err := s.update(ctx, id, "removed = 0")
	return err
}

// update sets columns of a session, and returns how many rows it changed.
func (s *Store) update(ctx context.Context, id, columns string, values ...any) (changed int64, err error) {
	err = s.db.WriteUnaudited(ctx, func(t engine.Tx) (err error) {
		changed, err = t.Change("UPDATE sessions SET "+columns+" WHERE owner = ? AND id = ?", append(values[:len(values):len(values)], s.owner, id)...)
		return err
	})
	return changed, err
}

// End removes a session. It does nothing if there is none.
func (s *Store) End(ctx context.Context, id string) error {
	return s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		if err := t.Exec("DELETE FROM session_messages WHERE owner = ? AND session = ?", s.owner, id); err != nil {
			return err
		}
		_, err := t.Change("DELETE FROM sessions WHERE owner = ? AND id = ?", s.owner, id)
		return err
	})
}
