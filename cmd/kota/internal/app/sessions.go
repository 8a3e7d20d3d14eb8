package app

import (
	"context"
	"errors"
	"time"

	"kota/entrypoint/transport"
	"kota/store"
	"kota/store/postgres/sessions"
)

// Sessions returns the sessions of MCP clients that the replicas of a server share, or nil if the
// database is a file: then there is one process.
func (a *App) Sessions() transport.SessionStore {
	if !a.Config.HasServer() {
		return nil // not an interface that holds nil
	}
	return sharedSessions{a}
}

// sharedSessions gives the transport access to the sessions in the database.
type sharedSessions struct{ app *App }

// rows returns the store of the sessions. A profile that only reads has sessions too: they are no
// data of the user.
func (s sharedSessions) rows(ctx context.Context) (*sessions.Store, error) {
	db, err := s.app.OpenDB(ctx)
	if err != nil {
		return nil, err
	}
	part, ok := db.(*tenantPart)
	if !ok {
		return nil, errors.New("the database has no sessions")
	}
	return sessions.New(part.DB, Owner), nil
}

func (s sharedSessions) Begin(ctx context.Context, id string) (transport.SharedState, error) {
	rows, err := s.rows(ctx)
	if err != nil {
		return transport.SharedState{}, err
	}
	return sharedState(rows.Begin(ctx, id))
}

func (s sharedSessions) Find(ctx context.Context, id string, known int64) (transport.SharedState, error) {
	rows, err := s.rows(ctx)
	if err != nil {
		return transport.SharedState{}, err
	}
	return sharedState(rows.Find(ctx, id, known))
}

func (s sharedSessions) Save(ctx context.Context, id string, change transport.SharedChange) (transport.SharedState, error) {
	rows, err := s.rows(ctx)
	if err != nil {
		return transport.SharedState{}, err
	}
	return sharedState(rows.Save(ctx, id, sessions.Change{Entries: change.Entries, Tainted: change.Taint.Tainted, Began: change.Taint.Began}))
}

// sharedState returns a stored session in the form of the transport.
func sharedState(found sessions.Session, err error) (transport.SharedState, error) {
	return transport.SharedState{
		Entries: found.Entries, Revision: found.Revision, Taint: transport.Taint{Tainted: found.Tainted, Began: found.Began}, Stream: found.Stream,
	}, sessionError(err)
}

func sessionError(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return transport.ErrNoSession
	case errors.Is(err, store.ErrTooMany):
		return transport.ErrTooManySessions
	}
	return err
}

func (s sharedSessions) End(ctx context.Context, id string) error {
	return s.change(ctx, func(rows *sessions.Store) error { return rows.End(ctx, id) })
}

func (s sharedSessions) CountRemoved(ctx context.Context, id string, n, limit int) (counted bool, err error) {
	err = s.change(ctx, func(rows *sessions.Store) (err error) {
		counted, err = rows.CountRemoved(ctx, id, n, limit)
		return err
	})
	return counted, err
}

func (s sharedSessions) ForgetRemoved(ctx context.Context, id string) error {
	return s.change(ctx, func(rows *sessions.Store) error { return rows.ForgetRemoved(ctx, id) })
}

func (s sharedSessions) ClaimStream(ctx context.Context, id, stream string) error {
	return s.change(ctx, func(rows *sessions.Store) error { return rows.ClaimStream(ctx, id, stream) })
}

func (s sharedSessions) ReleaseStream(ctx context.Context, id, stream string) error {
	return s.change(ctx, func(rows *sessions.Store) error { return rows.ReleaseStream(ctx, id, stream) })
}

func (s sharedSessions) Send(ctx context.Context, id string, message []byte) error {
	return s.change(ctx, func(rows *sessions.Store) error { return rows.Send(ctx, id, message) })
}

func (s sharedSessions) change(ctx context.Context, change func(*sessions.Store) error) error {
	rows, err := s.rows(ctx)
	if err != nil {
		return err
	}
	return sessionError(change(rows))
}

func (s sharedSessions) Messages(ctx context.Context, ids []string, after int64) ([]transport.SharedMessage, error) {
	rows, err := s.rows(ctx)
	if err != nil {
		return nil, err
	}
	found, err := rows.Messages(ctx, ids, after)
	messages := make([]transport.SharedMessage, 0, len(found))
	for _, m := range found {
		messages = append(messages, transport.SharedMessage{Number: m.Number, Session: m.Session, Body: m.Body})
	}
	return messages, err
}

// Watch calls changed at each change of the person's rows. Those of sessions are among them.
func (s sharedSessions) Watch(ctx context.Context, changed func()) {
	for ctx.Err() == nil {
		err := s.watch(ctx, changed)
		if ctx.Err() != nil {
			return
		}
		s.app.Log.Debug("watch the sessions", "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// watch is Watch until the database fails.
func (s sharedSessions) watch(ctx context.Context, changed func()) error {
	db, err := s.app.OpenDB(ctx)
	if err != nil {
		return err
	}
	changes, err := db.Watch(ctx)
	if err != nil {
		return err
	}
	defer changes.Close()
	for {
		changed()
		if err := changes.Wait(ctx); err != nil {
			return err
		}
	}
}
