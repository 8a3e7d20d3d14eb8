package daily

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/entry"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// A version is a change of an entry or a document, and its content before that change.
type version struct {
	Version   int64  `json:"version"`        // the version that the change replaced
	Date      string `json:"date"`           // for a document its period
	Text      string `json:"text,omitempty"` // shortened; for a document its answers
	Mood      int    `json:"mood,omitempty"`
	Energy    int    `json:"energy,omitempty"`
	Operation string `json:"operation"` // the change
	At        string `json:"at"`        // RFC 3339
	UndoID    string `json:"undo_id"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

// maxVersions is the maximum number of changes that an answer lists.
const maxVersions = 20

// getEntry returns one entry in full and its versions. For a deleted entry it returns only
// the versions.
func (d *daily) getEntry(ctx context.Context, diary Diary, id string, include []string) (getOut, error) {
	versions, err := d.versions(ctx, diary, id)
	if err != nil {
		return getOut{}, err
	}
	out := getOut{Days: []dayOut{}, Versions: versions}
	e, err := diary.Entry(ctx, id)
	if err != nil && len(versions) > 0 {
		return out, nil
	}
	if err != nil {
		return getOut{}, unknownID(id, err)
	}
	whole := entry.RowOf(ctx, e, store.MaxText, d.Zone())
	whole.Version = e.Version
	out.Days = append(out.Days, dayOut{Date: e.Date, Day: days.InWords(e.Date), Entries: []entry.Row{whole}})
	return out, d.addLinks(ctx, &out, []*store.DayEntry{e}, include)
}

// versions returns the changes of an entry or a document, the newest first.
func (d *daily) versions(ctx context.Context, diary Diary, id string) ([]version, error) {
	history, err := diary.History(ctx, id, maxVersions)
	if err != nil {
		return nil, unknownID(id, err)
	}
	versions, read := []version{}, d.entryVersion
	if isDocument(id) {
		read = documentVersion
	}
	for _, change := range history {
		one, err := read(ctx, change)
		if err != nil {
			return nil, err
		}
		one.Operation, one.At, one.UndoID = change.Operation, change.At.In(d.Zone()).Format(time.RFC3339), change.Undo
		versions = append(versions, one)
	}
	return versions, nil
}

func (d *daily) entryVersion(ctx context.Context, change store.Revision) (version, error) {
	before := store.DayEntry{}
	if err := json.Unmarshal(change.Before, &before); err != nil {
		return version{}, fmt.Errorf("read a version of %s: %w", change.ID, err)
	}
	short := entry.RowOf(ctx, &before, rows.Brief, d.Zone())
	return version{Version: before.Version, Date: before.Date, Text: short.Text, Mood: before.Mood, Energy: before.Energy, Provenance: short.Provenance}, nil
}

// unknownID explains the error of a call with an id. If there is no such entry
// or document, it says how to find one.
func unknownID(id string, err error) error {
	err = rows.Explain(err)
	if metadata.CodeOf(err) != metadata.NotFound {
		return err
	}
	if strings.HasPrefix(id, taskPrefix) {
		e := metadata.Errorf(metadata.NotFound, "%.40q is the id of a task, not of an entry or a document", id)
		e.Cause = err
		return e.WithHint("daily_task {\"ids\": [%q]} shows the task; its other operations change it.", id)
	}
	e := metadata.Errorf(metadata.NotFound, "there is no entry or document %.40q", id)
	e.Cause = err
	return e.WithHint("daily_get {\"date\": …} and daily_search list entries with their ids. daily_edit {id, version} restores a deleted one.")
}
