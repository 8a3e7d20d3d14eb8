package diary

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"

	"kota/store"
	"kota/store/engine"
)

// documentTable stores documents.
var documentTable = table[store.Document]{
	table: "documents", prefix: store.DocumentPrefix, index: &documentIndex,
	columns: "type, period, sole, title, body, fields, source",
	fields: func(d *store.Document) []any {
		return []any{&d.Type, &d.Period, &d.Unique, &d.Title, &d.Body, asJSON[json.RawMessage]{&d.Fields}, &d.Source}
	},
	row:   func(d *store.Document) *store.Row { return &d.Row },
	check: checkUnique,
}

// checkUnique returns a *ChangedError if d is Unique and another Unique document of its type and
// period exists.
func checkUnique(t engine.Tx, owner any, d *store.Document) error {
	if !d.Unique {
		return nil
	}
	other, version := int64(0), int64(0)
	err := t.Row("SELECT id, version FROM documents WHERE owner = ? AND type = ? AND period = ? AND sole = 1 AND deleted IS NULL AND id <> ?",
		owner, d.Type, d.Period, store.DiaryNumber(store.DocumentPrefix, d.ID)).Scan(&other, &version)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return cmp.Or[error](err, &store.ChangedError{ID: store.DiaryID(store.DocumentPrefix, other), Version: version})
}

// withoutSource returns a document without its source, because the source may differ when a call is
// repeated.
func withoutSource(d store.Document) store.Document {
	d.Source = ""
	return d
}
