package undo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles/daily"
	"kota/bundles/memory"
	"kota/cmd/kota/internal/app"
	"kota/store"
	"kota/store/tables/diary"
	memorystore "kota/store/tables/memory"
	undostore "kota/store/tables/undo"
)

// A Difference is what an undo would do to one thing, as text for people. Now and Then are "" if the
// thing does not exist.
type Difference struct{ Now, Then string }

// Preview returns what undoing the change would do, and changes nothing. It describes changes of mail
// and of the calendar by what KOTA stored about them: it asks Google nothing, so Now is what the change
// had made of them.
func Preview(ctx context.Context, a *app.App, id string) (differences []Difference, err error) {
	db, err := a.OpenDB(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case memory.Undoes(id):
		found, err := memorystore.New(db, app.Owner).PreviewUndo(ctx, id)
		for _, one := range found {
			differences = append(differences, Difference{MemoryText(one.Now, a.Zone()), MemoryText(one.Then, a.Zone())})
		}
		return differences, err
	case daily.Undoes(id):
		found, err := diary.New(db, app.Owner).PreviewUndo(ctx, id)
		for _, one := range found {
			differences = append(differences, Difference{rowText(one.Now), rowText(one.Then)})
		}
		return differences, err
	}
	record, _, err := undostore.Find(ctx, db, app.Owner, id)
	if err != nil {
		return nil, err
	}
	return []Difference{recordDifference(record.Before)}, nil
}

// MemoryText returns a memory as text for people, or "" for nil and for a deleted one.
func MemoryText(m *store.Memory, zone *time.Location) string {
	if m == nil || !m.Deleted.IsZero() {
		return ""
	}
	text := "(secret)"
	if !m.Secret && json.Unmarshal(m.Value, &text) != nil {
		text = indented(m.Value)
	}
	lines := []string{m.Key + ":", text}
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	add("category", m.Category)
	add("tags", strings.Join(m.Tags, " "))
	add("from", m.Source)
	if m.Pinned {
		add("pinned", "yes")
	}
	if !m.Expires.IsZero() {
		add("expires", m.Expires.In(zone).Format("2 January 2006 15:04"))
	}
	return strings.Join(lines, "\n")
}

// rowText returns a row of the diary as a line for each field that has a value, or "" for nil.
func rowText(row *json.RawMessage) string {
	if row == nil {
		return ""
	}
	return fieldsText(*row, "id", "version", "created", "updated", "deleted", "zone", "sole", "fields")
}

// recordDifference returns what the undo record of a change says. Many records have the values before
// and after the change.
func recordDifference(raw json.RawMessage) Difference {
	var record struct{ Before, After json.RawMessage }
	if json.Unmarshal(raw, &record) == nil && isObject(record.Before) && isObject(record.After) {
		return Difference{fieldsText(record.After), fieldsText(record.Before)}
	}
	return Difference{Then: fieldsText(raw, "etag", "asked", "notify")}
}

func isObject(raw json.RawMessage) bool { return bytes.HasPrefix(raw, []byte("{")) }

// fieldsText returns the members of an object as lines, in their order, without those that are empty or
// are to be left out.
func fieldsText(object json.RawMessage, without ...string) string {
	var lines []string
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return ""
	}
	for decoder.More() {
		var value json.RawMessage
		name, err := decoder.Token()
		if err != nil || decoder.Decode(&value) != nil {
			break
		}
		text, plain := string(value), ""
		if json.Unmarshal(value, &plain) == nil {
			text = plain
		} else if isObject(value) || bytes.HasPrefix(value, []byte("[")) {
			text = indented(value)
		}
		if empty := strings.Trim(text, "{}[] ") == "" || text == "null" || text == "false"; !empty && !slices.Contains(without, fmt.Sprint(name)) {
			lines = append(lines, fmt.Sprint(name)+": "+text)
		}
	}
	return strings.Join(lines, "\n")
}

func indented(value json.RawMessage) string {
	var text bytes.Buffer
	if json.Indent(&text, value, "", "  ") != nil {
		return string(value)
	}
	return text.String()
}
