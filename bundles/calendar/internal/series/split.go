package series

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
)

// SplitRecord is what is kept of it.
type SplitRecord struct {
	Calendar string               `json:"calendar"` // id
	Series   string               `json:"series"`   // id of the old series
	Before   []string             `json:"before"`   // its recurrence, as it was
	After    []string             `json:"after"`    // and as it was left
	Made     string               `json:"made"`     // id of the new one
	Content  event.Fields         `json:"content,omitempty"`
	Notify   string               `json:"notify,omitempty"`
	Gone     []*calendarapi.Event `json:"gone,omitempty"` // instances of the old one as they had been changed by hand

	From  time.Time `json:"from"`  // where the first of the new one stood
	Asked string    `json:"asked"` // digest of the call
	Done  bool      `json:"done"`  // false while it is not certain that the old one ends before the new one
}

// Title says of a change that KOTA may not have come to the end of that it has
// to be seen to.
func (k *SplitRecord) Title(t *Target) string {
	text := "change " + strconv.Quote(htmltext.Line(t.Series.Summary)) + " from " + event.When(t.One, t.Zone) + " on"
	if !k.Done {
		text += ": not known to be finished, so that its events may be there twice; repeat the call or undo it"
	}
	return text
}

// UndoKind is the kind of change that made two series of one.
const UndoKind = "following"

// A Split is a change of the following of a series that this KOTA began, and
// under what id it can be undone.
type Split struct {
	SplitRecord
	Undo, Account, Called string
}

// Splits returns the changes of the following of series that can be undone, the
// last one first.
func Splits(ctx context.Context, undos persist.Undos) ([]Split, error) {
	rows, err := undos.OfKind(ctx, UndoKind)
	if err != nil {
		return nil, err
	}
	found := make([]Split, len(rows))
	for i, row := range rows {
		found[i].Undo, found[i].Account, found[i].Called = row.ID, row.Account, row.Title
		if err := json.Unmarshal(row.Before, &found[i].SplitRecord); err != nil {
			return nil, fmt.Errorf("read what was before: %w", err)
		}
	}
	return found, nil
}

// dividedBefore returns the last change that took the events from some time
// before then on out of the series, when what it made of them is still there.
func dividedBefore(ctx context.Context, a *agenda.Agenda, t *Target, at time.Time) (*Split, error) {
	list, err := Splits(ctx, a.Undos())
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		if one.Series != t.Series.Id || one.Calendar != t.Calendar.Id || one.Account != a.Account.Key() || at.Before(one.From) && !sameDay(at, one.From, t.Zone) {
			continue
		}
		made, err := a.Get(ctx, t.Calendar.Id, one.Made)
		switch {
		case eventwrite.IsGone(err) || err == nil && made.Status == event.Cancelled:
			continue
		case err != nil:
			return nil, NoEvent(err, one.Made)
		}
		return &one, nil
	}
	return nil, nil
}

func sameDay(a, b time.Time, zone *time.Location) bool {
	return a.In(zone).Format(time.DateOnly) == b.In(zone).Format(time.DateOnly)
}
