package sqlite

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// entryIndex makes entries searchable, by the ranking of memories. What is
// recent counts by when it happened, not by when it was written down; where
// nobody said when, by its day.
var entryIndex = index{
	table:   "entries",
	columns: "id, owner, type, section, text, metrics, tags",
	meta:    "'', ifnull(moment, unixepoch(date) * 1000), 0, 0, 0",
	load: func(row scanner) (document, error) {
		d, section, metrics, tags := document{}, "", map[string]any{}, ""
		if err := row.Scan(&d.id, &d.owner, &d.category, &section, &d.text, asJSON[map[string]any]{&metrics}, &tags); err != nil {
			return document{}, err
		}
		if len(metrics) > 0 {
			d.text += "\n" + strings.Join(slices.Sorted(maps.Keys(metrics)), ", ")
		}
		err := json.Unmarshal([]byte(tags), &d.tags)
		if section != "" {
			d.tags = append(d.tags, section)
		}
		return d, err
	},
}

// documentIndex makes documents searchable.
var documentIndex = index{
	table:   "documents",
	columns: "id, owner, type, period, title, body, fields",
	meta:    "title, updated, 0, 0, 0",
	load: func(row scanner) (document, error) {
		d, period, fields := document{}, "", ""
		if err := row.Scan(&d.id, &d.owner, &d.category, &period, &d.key, &d.text, &fields); err != nil {
			return document{}, err
		}
		d.tags, d.text = []string{period}, d.text+"\n"+plainText(fields)
		return d, nil
	},
}
