package calendar

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store/sqlite"
)

// A begunHere is a change of the following of a series that this KOTA began, and
// under what id it can be undone.
type begunHere struct {
	keptFollowing
	undo, account, called string
}

// begun returns the changes of the following of series that can be undone, the
// last one first.
func begun(ctx context.Context, undos persist.Undos) ([]begunHere, error) {
	rows, err := undos.OfKind(ctx, undoFollowing)
	if err != nil {
		return nil, err
	}
	found := make([]begunHere, len(rows))
	for i, row := range rows {
		found[i].undo, found[i].account, found[i].called = row.ID, row.Account, row.Title
		if err := json.Unmarshal(row.Before, &found[i].keptFollowing); err != nil {
			return nil, fmt.Errorf("read what was before: %w", err)
		}
	}
	return found, nil
}

// Unfinished returns what people call the changes of series of which it is not
// known that they were finished: events may be there twice.
func Unfinished(ctx context.Context, db *sqlite.DB) ([]string, error) {
	open := func(context.Context) (*sqlite.DB, error) { return db, nil }
	list, err := begun(ctx, agenda.UndoBook(open, time.Now))
	if err != nil {
		return nil, err
	}
	called := []string{}
	for _, one := range list {
		if !one.Done {
			called = append(called, one.called)
		}
	}
	return called, nil
}

// keepSplit keeps what is to be undone of a split, once however often it is
// tried, and returns its id.
func keepSplit(ctx context.Context, a *agenda.Agenda, k keptFollowing, title string) (undo string, err error) {
	list, err := begun(ctx, a.Undos())
	if err != nil {
		return "", err
	}
	for _, one := range list {
		if one.Made == k.Made && one.account == a.Account.Key() {
			return one.undo, a.Undos().Amend(ctx, one.undo, title, k)
		}
	}
	return a.Undos().Save(ctx, a.Account.Key(), title, undoFollowing, k)
}

// dividedBefore returns the last change that took the events from some time
// before then on out of the series, when what it made of them is still there.
func dividedBefore(ctx context.Context, a *agenda.Agenda, t *target, at time.Time) (*begunHere, error) {
	list, err := begun(ctx, a.Undos())
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		if one.Series != t.series.Id || one.Calendar != t.calendar.Id || one.account != a.Account.Key() || at.Before(one.From) && !sameDay(at, one.From, t.zone) {
			continue
		}
		made, err := a.Get(ctx, t.calendar.Id, one.Made)
		switch {
		case eventwrite.IsGone(err) || err == nil && made.Status == event.Cancelled:
			continue
		case err != nil:
			return nil, noEvent(err, one.Made)
		}
		return &one, nil
	}
	return nil, nil
}

func sameDay(a, b time.Time, zone *time.Location) bool {
	return a.In(zone).Format(time.DateOnly) == b.In(zone).Format(time.DateOnly)
}

// digest tells whether two calls ask for the same.
func (in updateEventIn) digest() (string, error) {
	in.DryRun = false
	text, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("write the call: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

// dividedAlready answers a call that repeats one which has divided the series
// already. Any other error of a missing instance it returns as it is.
func dividedAlready(ctx context.Context, a *agenda.Agenda, in updateEventIn, t *target, missing *missingInstance) (changeOut, error) {
	asked, err := in.digest()
	if err != nil {
		return changeOut{}, err
	}
	if missing.split == nil || missing.split.Asked != asked {
		return changeOut{}, missing
	}
	done := missing.split
	made, err := a.Get(ctx, t.calendar.Id, done.Made)
	if err != nil {
		return changeOut{}, noEvent(err, done.Made)
	}
	if !done.Done {
		done.Done = true
		one := *made
		t.one = &one
		if err := a.Undos().Amend(ctx, done.undo, done.title(t), done.keptFollowing); err != nil {
			return changeOut{}, err
		}
	}
	out := changeOut{Status: "unchanged", Timezone: t.zone.String(), Undo: done.undo, Earlier: t.row(ctx, t.series), EarlierEnd: t.series.Recurrence}
	out.note("this call was done before: the series is divided already")
	out.show(ctx, t, made)
	return out, nil
}

// endedAlready reports whether a series has no events from then on any more, nor
// has what was made of it.
func endedAlready(missing *missingInstance, scope string) bool {
	return scope == following && missing.over && missing.split == nil && metadata.CodeOf(missing) == metadata.NotFound
}
