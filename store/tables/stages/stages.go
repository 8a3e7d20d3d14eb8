// Package stages stores the flows with several steps that a user goes through. If two
// clients continue the same flow at the same time, one of them gets an error. Start at
// Store.Open.
package stages

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// maxPending is the maximum number of flows that Pending returns.
const maxPending = 100

// Store holds the flows of one owner.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on the flows of one owner. It does not access the database.
func New(db engine.DB, owner string) *Store { return &Store{db: db, owner: db.Owner(owner)} }

// Open starts a flow at a step, and removes the expired flows of the owner. It returns
// ErrInvalid for a state that is not JSON, and ErrTooLarge for one over MaxValue bytes.
func (s *Store) Open(ctx context.Context, flow, step string, state json.RawMessage) (*store.Stage, error) {
	text, err := store.CompactJSON(state)
	if err != nil {
		return nil, fmt.Errorf("begin %s: %w", flow, err)
	}
	handle := "s_" + strings.ToLower(rand.Text()[:10])
	var opened *store.Stage
	err = s.db.Write(ctx, func(t engine.Tx) (err error) {
		now := t.Now()
		if err := t.Exec("DELETE FROM stages WHERE expires <= ? AND owner = ?", engine.Millis(now), s.owner); err != nil {
			return err
		}
		opened = &store.Stage{
			Handle: handle, Flow: flow, Step: step, State: json.RawMessage(text), Version: 1,
			Created: store.StoredTime(now), Updated: store.StoredTime(now), Expires: store.StoredTime(now.Add(store.StageTTL)),
		}
		return t.Exec("INSERT INTO stages (handle, owner, flow, stage, state, version, created, updated, expires) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)",
			handle, s.owner, flow, step, text, engine.Millis(now), engine.Millis(now), engine.Millis(opened.Expires))
	})
	if err != nil {
		return nil, fmt.Errorf("begin %s: %w", flow, err)
	}
	return opened, nil
}

// Get returns a flow, even a finished one. It returns ErrNotFound for a handle that is unknown,
// belongs to another owner, has expired or was cancelled.
func (s *Store) Get(ctx context.Context, handle string) (*store.Stage, error) {
	found, err := s.unexpired(s.db.Read(ctx), handle, s.db.Now())
	if err != nil {
		return nil, fmt.Errorf("read stage %s: %w", handle, err)
	}
	return found, nil
}

// Save moves a flow to a step. version is the version that the caller has read. Save returns a
// *ChangedError without any change if the flow is at another version, or finished. It returns
// ErrNotFound like Get, and ErrInvalid and ErrTooLarge like Open.
func (s *Store) Save(ctx context.Context, handle, step string, state json.RawMessage, version int64) (*store.Stage, error) {
	return s.saveStep(ctx, handle, step, state, version, false)
}

// Finish is Save for the last step. Pending no longer lists the flow. Get still returns the flow
// until it expires, for clients that repeat a call.
func (s *Store) Finish(ctx context.Context, handle, step string, state json.RawMessage, version int64) (*store.Stage, error) {
	return s.saveStep(ctx, handle, step, state, version, true)
}

func (s *Store) saveStep(ctx context.Context, handle, step string, state json.RawMessage, version int64, last bool) (*store.Stage, error) {
	text, err := store.CompactJSON(state)
	if err != nil {
		return nil, fmt.Errorf("save stage %s: %w", handle, err)
	}
	var moved *store.Stage
	err = s.db.Write(ctx, func(t engine.Tx) (err error) {
		now := t.Now()
		moved, err = s.unexpired(t, handle, now)
		if err != nil {
			return err
		}
		if moved.Version != version || !moved.Finished.IsZero() {
			return &store.ChangedError{ID: handle, Version: moved.Version}
		}
		moved.Step, moved.State, moved.Version = step, json.RawMessage(text), version+1
		moved.Updated, moved.Expires = store.StoredTime(now), store.StoredTime(now.Add(store.StageTTL))
		if last {
			moved.Finished = store.StoredTime(now)
		}
		return t.Exec("UPDATE stages SET stage = ?, state = ?, version = ?, updated = ?, expires = ?, finished = ? WHERE handle = ? AND owner = ?",
			step, text, moved.Version, engine.Millis(moved.Updated), engine.Millis(moved.Expires), engine.Millis(moved.Finished), handle, s.owner)
	})
	if err != nil {
		return nil, fmt.Errorf("save stage %s: %w", handle, err)
	}
	return moved, nil
}

// Cancel removes a flow with its state. It returns ErrNotFound like Get.
func (s *Store) Cancel(ctx context.Context, handle string) error {
	err := s.db.Write(ctx, func(t engine.Tx) error {
		if _, err := s.unexpired(t, handle, t.Now()); err != nil {
			return err
		}
		return t.Exec("DELETE FROM stages WHERE handle = ? AND owner = ?", handle, s.owner)
	})
	if err != nil {
		return fmt.Errorf("cancel stage %s: %w", handle, err)
	}
	return nil
}

// Pending returns the unfinished flows of that name, or of all names for "", last saved first. It
// returns at most 100.
func (s *Store) Pending(ctx context.Context, flow string) ([]*store.Stage, error) {
	pending, err := s.pending(ctx, flow)
	if err != nil {
		return nil, fmt.Errorf("list stages of %q: %w", flow, err)
	}
	return pending, nil
}

func (s *Store) pending(ctx context.Context, flow string) ([]*store.Stage, error) {
	rows, err := s.db.Read(ctx).Query("SELECT "+stageColumns+` FROM stages
		WHERE owner = ?1 AND (?2 = '' OR flow = ?2) AND finished IS NULL AND expires > ?3
		ORDER BY updated DESC, handle LIMIT ?4`, s.owner, flow, engine.Millis(s.db.Now()), maxPending)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	pending := []*store.Stage{}
	for rows.Next() {
		one, err := scanStage(rows)
		if err != nil {
			return nil, err
		}
		pending = append(pending, one)
	}
	return pending, rows.Err()
}

// unexpired returns the flow with that handle. It returns ErrNotFound for an unknown or expired
// flow.
func (s *Store) unexpired(q engine.Querier, handle string, now time.Time) (*store.Stage, error) {
	found, err := scanStage(q.Row("SELECT "+stageColumns+" FROM stages WHERE handle = ? AND owner = ? AND expires > ?", handle, s.owner, engine.Millis(now)))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, store.ErrNotFound
	}
	return found, err
}

const stageColumns = "handle, flow, stage, state, version, created, updated, expires, finished"

func scanStage(row engine.Scanner) (*store.Stage, error) {
	s, state := &store.Stage{}, ""
	var created, updated, expires, finished sql.NullInt64
	if err := row.Scan(&s.Handle, &s.Flow, &s.Step, &state, &s.Version, &created, &updated, &expires, &finished); err != nil {
		return nil, err
	}
	s.State = json.RawMessage(state)
	s.Created, s.Updated, s.Expires, s.Finished = engine.TimeOf(created), engine.TimeOf(updated), engine.TimeOf(expires), engine.TimeOf(finished)
	return s, nil
}
