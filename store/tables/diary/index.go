package diary

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"kota/store/engine"
	"kota/store/search"
	"kota/store/tables/index"
)

// entryIndex makes entries searchable, with the ranking of memories. The age of an entry is the
// time since it happened, not since it was logged. If it has no moment, its day counts.
var entryIndex = index.Index{
	Table:   "entries",
	Columns: "id, owner, type, section, text, metrics, tags",
	Meta: engine.Stmt{
		SQLite:   "'', ifnull(moment, unixepoch(date) * 1000), 0, 0, 0",
		Postgres: "''::text, coalesce(moment, kota_day(date) * 86400000), 0, 0, 0",
	},
	Load: func(row engine.Scanner) (search.Document, error) {
		d, section, metrics, tags := search.Document{}, "", map[string]any{}, ""
		if err := row.Scan(&d.ID, &d.Owner, &d.Category, &section, &d.Text, asJSON[map[string]any]{&metrics}, &tags); err != nil {
			return search.Document{}, err
		}
		if len(metrics) > 0 {
			d.Text += "\n" + strings.Join(slices.Sorted(maps.Keys(metrics)), ", ")
		}
		err := json.Unmarshal([]byte(tags), &d.Tags)
		if section != "" {
			d.Tags = append(d.Tags, section)
		}
		return d, err
	},
}

const documentColumns = "title, updated, 0, 0, 0"

// documentIndex makes documents searchable.
var documentIndex = index.Index{
	Table:   "documents",
	Columns: "id, owner, type, period, title, body, fields",
	Meta:    engine.Stmt{SQLite: documentColumns, Postgres: documentColumns},
	Load: func(row engine.Scanner) (search.Document, error) {
		d, period, fields := search.Document{}, "", ""
		if err := row.Scan(&d.ID, &d.Owner, &d.Category, &period, &d.Key, &d.Text, &fields); err != nil {
			return search.Document{}, err
		}
		d.Tags, d.Text = []string{period}, d.Text+"\n"+search.PlainText(fields)
		return d, nil
	},
}

// Indexes returns the indexes of a diary.
func Indexes() []index.Index { return []index.Index{entryIndex, documentIndex} }
