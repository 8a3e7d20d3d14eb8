package diary

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/index"
)

// A table is one of the tables of the diary. T is the type of its rows.
type table[T any] struct {
	table   string
	prefix  byte
	index   *index.Index                               // nil if rows have no column stale
	columns string                                     // the columns that only this table has
	fields  func(one *T) []any                         // pointers to the values of columns
	row     func(one *T) *store.Row                    // the fields that all tables share
	check   func(t engine.Tx, owner any, one *T) error // returns an error if a restored state conflicts with other rows; may be nil
}

// allColumns returns the columns of a whole row, in the order of scan.
func (s table[T]) allColumns() string { return "id, version, created, updated, deleted, " + s.columns }

func (s table[T]) scan(row engine.Scanner) (*T, error) {
	one, number := new(T), int64(0)
	r := s.row(one)
	err := row.Scan(append([]any{&number, &r.Version, asMillis{&r.Created}, asMillis{&r.Updated}, asMillis{&r.Deleted}}, s.fields(one)...)...)
	if err != nil {
		return nil, err
	}
	r.ID = store.DiaryID(s.prefix, number)
	return one, nil
}

// scanAll reads and closes rows.
func (s table[T]) scanAll(rows engine.Rows, err error) ([]*T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []*T{}
	for rows.Next() {
		one, err := s.scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

// insert adds a row and sets its fields of store.Row.
func (s table[T]) insert(t engine.Tx, owner any, one *T, now time.Time) error {
	r := s.row(one)
	*r = store.Row{Version: 1, Created: store.StoredTime(now), Updated: store.StoredTime(now)}
	fields := s.fields(one)
	stale := ""
	if s.index != nil {
		stale = ", stale"
	}
	query := "INSERT INTO " + s.table + " (id, owner, version, created, updated, " + s.columns + stale + ") VALUES (?, ?, 1, ?, ?" + strings.Repeat(", ?", len(fields))
	if s.index != nil {
		query += ", 1"
	}
	number, err := insertedNumber(t.Insert(s.table, query+")", append([]any{owner, engine.Millis(now), engine.Millis(now)}, fields...)...))
	r.ID = store.DiaryID(s.prefix, number)
	return err
}

// update writes the state of an existing row.
func (s table[T]) update(t engine.Tx, owner any, one *T) error {
	r := s.row(one)
	stale := ""
	if s.index != nil {
		stale = ", stale = 1"
	}
	query := "UPDATE " + s.table + " SET version = ?, updated = ?, deleted = ?, " + strings.ReplaceAll(s.columns, ",", " = ?,") + " = ?" + stale + " WHERE id = ? AND owner = ?"
	args := append([]any{r.Version, engine.Millis(r.Updated), engine.Millis(r.Deleted)}, s.fields(one)...)
	return t.Exec(query, append(args, store.DiaryNumber(s.prefix, r.ID), owner)...)
}

// get returns the row of an id, also a deleted one. It returns a *NotFoundError if the owner has
// no such row.
func (s table[T]) get(q engine.Querier, owner any, id string) (*T, error) {
	number := store.DiaryNumber(s.prefix, id)
	found, known := s.fetchedRow(q, number)
	if number == 0 || known && found == nil {
		return nil, &store.NotFoundError{Key: id}
	}
	if known {
		return found, nil
	}
	found, err := s.scan(q.Row("SELECT "+s.allColumns()+" FROM "+s.table+" WHERE id = ? AND owner = ?", number, owner))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &store.NotFoundError{Key: id}
	}
	return found, err
}

// getUndeleted is get for a row that is not deleted. It returns a *NotFoundError for a deleted
// one.
func (s table[T]) getUndeleted(q engine.Querier, owner any, id string) (*T, error) {
	found, err := s.get(q, owner, id)
	if err == nil && !s.row(found).Deleted.IsZero() {
		return nil, &store.NotFoundError{Key: id}
	}
	return found, err
}

// read is getUndeleted for committed rows.
func (s table[T]) read(ctx context.Context, d *Store, id string) (*T, error) {
	found, err := s.getUndeleted(d.db.Read(ctx), d.owner, id)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", id, err)
	}
	return found, nil
}

// number returns the number of a row.
func (s table[T]) number(one *T) int64 { return store.DiaryNumber(s.prefix, s.row(one).ID) }
