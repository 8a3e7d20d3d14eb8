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

// A SplitRecord is the undo record of a split.
type SplitRecord struct {
	Calendar          string               `json:"calendar"` // id of the calendar
	Series            string               `json:"series"`   // id of the old series
	Before            []string             `json:"before"`   // the recurrence of the old series before the change
	After             []string             `json:"after"`    // the recurrence of the old series after the change
	NewSeries         string               `json:"made"`     // id of the new series
	Content           event.Fields         `json:"content,omitempty"`
	Notify            string               `json:"notify,omitempty"`
	RemovedExceptions []*calendarapi.Event `json:"gone,omitempty"` // exceptions of the old series that the change removed

	From       time.Time `json:"from"`  // original start of the first instance of the new series
	CallDigest string    `json:"asked"` // digest of the call's arguments
	Done       bool      `json:"done"`  // true if the old series certainly ends before the new one begins
}

// Title describes the change for the list of undos. If the change may be unfinished,
// Title adds that events may exist twice and how to fix that.
func (k *SplitRecord) Title(t *Target) string {
	text := "change " + strconv.Quote(htmltext.Line(t.Series.Summary)) + " from " + event.When(t.Single, t.Zone) + " on"
	if !k.Done {
		text += ": it may be incomplete, so its events may exist twice; repeat the call or undo it"
	}
	return text
}

// UndoKind is the kind of the undo records of splits.
const UndoKind = "following"

// A Split is the stored record of a change of an instance and all later ones. Undo is the
// id of the record, Account the key of the account, and ListTitle its title in the list of
// undos.
type Split struct {
	SplitRecord
	Undo, Account, ListTitle string
}

// Splits returns the last hundred splits of series that can be undone, newest first.
func Splits(ctx context.Context, undos persist.Undos) ([]Split, error) {
	rows, err := undos.OfKind(ctx, UndoKind)
	if err != nil {
		return nil, err
	}
	found := make([]Split, len(rows))
	for i, row := range rows {
		found[i].Undo, found[i].Account, found[i].ListTitle = row.ID, row.Account, row.Title
		if err := json.Unmarshal(row.Before, &found[i].SplitRecord); err != nil {
			return nil, fmt.Errorf("read the undo record: %w", err)
		}
	}
	return found, nil
}

// splitBefore returns the newest split of the series whose From is not after the moment at,
// or is on the same day. Without such a split it returns nil. It skips a split whose new
// series no longer exists.
func splitBefore(ctx context.Context, a *agenda.Agenda, t *Target, at time.Time) (*Split, error) {
	list, err := Splits(ctx, a.Undos())
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		if one.Series != t.Series.Id || one.Calendar != t.Calendar.Id || one.Account != a.Account.Key() || at.Before(one.From) && !sameDay(at, one.From, t.Zone) {
			continue
		}
		made, err := a.Get(ctx, t.Calendar.Id, one.NewSeries)
		switch {
		case eventwrite.IsGone(err) || err == nil && made.Status == event.Cancelled:
			continue
		case err != nil:
			return nil, ErrNoEvent(err, one.NewSeries)
		}
		return &one, nil
	}
	return nil, nil
}

func sameDay(a, b time.Time, zone *time.Location) bool {
	return a.In(zone).Format(time.DateOnly) == b.In(zone).Format(time.DateOnly)
}
