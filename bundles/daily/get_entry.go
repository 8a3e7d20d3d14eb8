package daily

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kota/metadata"
	"kota/store"
)

// A version is a change of an entry, and what stood before it.
type version struct {
	Version   int64  `json:"version"` // that stood until then
	Date      string `json:"date"`
	Text      string `json:"text,omitempty"` // shortened
	Mood      int    `json:"mood,omitempty"`
	Energy    int    `json:"energy,omitempty"`
	Operation string `json:"operation"` // that ended it
	At        string `json:"at"`        // RFC 3339
	UndoID    string `json:"undo_id"`
}

// mostVersions is how many changes of an entry are listed.
const mostVersions = 20

// getEntry answers with one entry, whole, and its versions; of one that is
// deleted with its versions alone.
func (d *daily) getEntry(ctx context.Context, diary *store.Diary, id string, include []string) (getOut, error) {
	history, err := diary.History(ctx, id, mostVersions)
	if err != nil {
		return getOut{}, unknown(id, err)
	}
	out := getOut{Days: []dayOut{}}
	for _, change := range history {
		before, err := d.version(change)
		if err != nil {
			return getOut{}, err
		}
		out.Versions = append(out.Versions, before)
	}
	e, err := diary.Entry(ctx, id)
	if err != nil && len(history) > 0 {
		return out, nil
	}
	if err != nil {
		return getOut{}, unknown(id, err)
	}
	out.Days = append(out.Days, dayOut{Date: e.Date, Day: weekday(e.Date), Entries: []row{d.row(e, store.MaxText)}})
	return out, d.tellLinks(ctx, &out, []*store.DayEntry{e}, include)
}

func (d *daily) version(change store.Revision) (version, error) {
	before := store.DayEntry{}
	if err := json.Unmarshal(change.Before, &before); err != nil {
		return version{}, fmt.Errorf("read a version of %s: %w", change.ID, err)
	}
	short := d.row(&before, briefly)
	return version{
		Version: before.Version, Date: before.Date, Text: short.Text, Mood: before.Mood, Energy: before.Energy,
		Operation: change.Operation, At: change.At.In(d.Zone()).Format(time.RFC3339), UndoID: change.Undo,
	}, nil
}

// unknown is the answer for an id that names neither entry nor document.
func unknown(id string, err error) error {
	err = explain(err)
	if metadata.CodeOf(err) != metadata.NotFound {
		return err
	}
	if strings.HasPrefix(id, taskLetter) {
		e := metadata.Errorf(metadata.NotFound, "%.40q is no entry and no document: tasks have such ids", id)
		e.Cause = err
		return e.WithHint("daily_task {\"ids\": [%q]} shows a task, and its other operations change it.", id)
	}
	e := metadata.Errorf(metadata.NotFound, "there is no entry and no document %.40q", id)
	e.Cause = err
	return e.WithHint("daily_get {\"date\": …} and daily_search list entries with their ids.")
}
