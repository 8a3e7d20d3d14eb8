package diary

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// SaveDocument stores a document. A Unique document becomes the next version of the current one
// of its type and period. Any other document is a new one, unless DedupeWindow says otherwise.
//
// It returns a *ChangedError if IfVersion is not the current version. A repeated Key has the same
// effect as in Log. It returns ErrInvalid for anything that cannot be stored, such as an invalid
// period or fields that are not an object. It returns a *SizeError for a body over MaxBody bytes.
func (d *Store) SaveDocument(ctx context.Context, s store.DocumentSave) (store.SaveResult, error) {
	saved, err := d.saveDocument(ctx, s)
	if err != nil {
		return store.SaveResult{}, fmt.Errorf("save %s %s: %w", store.FirstRunes(s.Type, store.MaxName), store.FirstRunes(s.Period, store.MaxName), err)
	}
	return saved, nil
}

func (d *Store) saveDocument(ctx context.Context, s store.DocumentSave) (store.SaveResult, error) {
	given := s.Document
	given.Row = store.Row{}
	if err := errors.Join(given.Clean(), store.CheckSize("idempotency key", s.Key, store.MaxKey)); err != nil {
		return store.SaveResult{}, err
	}
	call, saved := newIdempotentCall(d.owner, s.Key, func() any { return withoutSource(given) }), store.SaveResult{}
	err := d.db.Write(ctx, func(t engine.Tx) error {
		made, err := call.earlier(t)
		if err != nil {
			return err
		}
		if len(made) == 1 {
			document, err := documentTable.get(t, d.owner, made[0])
			saved = store.SaveResult{Document: document, Change: store.Unchanged, Repeated: true}
			return err
		}
		if saved, err = d.storeDocument(t, given, s); err != nil {
			return err
		}
		return call.record(t, []string{saved.Document.ID})
	})
	return saved, err
}

func (d *Store) storeDocument(t engine.Tx, given store.Document, s store.DocumentSave) (store.SaveResult, error) {
	if !given.Unique {
		return d.addDocument(t, given, s.DedupeWindow)
	}
	old, err := d.uniqueDocument(t, given.Type, given.Period)
	if err := engine.Ignore(err, store.ErrNotFound); err != nil {
		return store.SaveResult{}, err
	}
	if old == nil {
		if s.IfVersion != nil && *s.IfVersion != 0 {
			return store.SaveResult{}, &store.ChangedError{ID: given.Type + " " + given.Period}
		}
		err := documentTable.insert(t, d.owner, &given, t.Now())
		return store.SaveResult{Document: &given, Change: store.Created, Undo: given.ID}, err
	}
	edited, err := editRow(d.newChangeSet(t, "save"), documentTable, old.ID, s.IfVersion, func(next *store.Document) error {
		if next.Title != given.Title || next.Body != given.Body || string(next.Fields) != string(given.Fields) {
			next.Title, next.Body, next.Fields, next.Source = given.Title, given.Body, given.Fields, given.Source
		}
		return nil
	})
	saved := store.SaveResult{Document: edited.After, Change: store.Updated, Before: old, Undo: edited.Undo}
	if edited.Undo == "" {
		saved.Change = store.Unchanged
	}
	return saved, err
}

// uniqueDocument returns the Unique document of a type and period. It returns a *NotFoundError if
// no such document exists.
func (d *Store) uniqueDocument(q engine.Querier, kind, period string) (*store.Document, error) {
	found, err := documentTable.scan(q.Row("SELECT "+documentTable.allColumns()+" FROM documents WHERE owner = ? AND type = ? AND period = ? AND sole = 1 AND deleted IS NULL",
		d.owner, kind, period))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &store.NotFoundError{Key: kind + " " + period}
	}
	return found, err
}

// addDocument adds a document. If one with the same type, period, title and fields was created
// within window and has not changed, it returns that one instead.
func (d *Store) addDocument(t engine.Tx, given store.Document, window time.Duration) (store.SaveResult, error) {
	if window > 0 {
		same, err := documentTable.scan(t.Row("SELECT "+documentTable.allColumns()+` FROM documents
			WHERE owner = ? AND type = ? AND period = ? AND sole = 0 AND title = ? AND fields = ? AND version = 1 AND created > ? AND deleted IS NULL
			ORDER BY id DESC LIMIT 1`, d.owner, given.Type, given.Period, given.Title, string(given.Fields), engine.Millis(t.Now().Add(-window))))
		if !errors.Is(err, sql.ErrNoRows) {
			return store.SaveResult{Document: same, Change: store.Unchanged, Repeated: true}, err
		}
	}
	err := documentTable.insert(t, d.owner, &given, t.Now())
	return store.SaveResult{Document: &given, Change: store.Created, Undo: given.ID}, err
}
