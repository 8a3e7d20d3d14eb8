package export

import (
	"encoding/json"

	"kota/bundles/internal/htmltext"
	"kota/store"
)

// A jsonWriter writes one object. Its lists have one item per line.
type jsonWriter struct {
	errWriter
	open  bool // a list is open
	items int  // in the open list
}

// An exportedEntry is an entry with its time in its own zone.
type exportedEntry struct {
	At string `json:"at,omitempty"` // RFC 3339; absent if the entry has no time
	store.DayEntry
}

func (j *jsonWriter) begin(title string) {
	if !j.open {
		j.write(`{"kota": "daily", "format": 1`)
	} else {
		j.write("\n]")
	}
	j.write(",\n\"" + title + "\": [")
	j.open, j.items = true, 0
}

func (j *jsonWriter) entry(e *store.DayEntry)    { j.item(exportedEntry{At: formatTime(e), DayEntry: *e}) }
func (j *jsonWriter) task(t *store.Task)         { j.item(t) }
func (j *jsonWriter) document(d *store.Document) { j.item(d) }

func (j *jsonWriter) item(one any) {
	raw, err := json.Marshal(one)
	if err != nil && j.err == nil {
		j.err = err
	}
	if j.items > 0 {
		j.write(",")
	}
	j.write("\n" + string(htmltext.EscapeJSON(raw)))
	j.items++
}

func (j *jsonWriter) end() error {
	j.write("\n]}\n")
	return j.err
}
