package calendar

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// undoFollowing is the kind of change that made two series of one.
const undoFollowing = "following"

// keptFollowing is what is kept of it.
type keptFollowing struct {
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

// title says of a change that KOTA may not have come to the end of that it has
// to be seen to.
func (k *keptFollowing) title(t *target) string {
	text := "change " + strconv.Quote(htmltext.Line(t.series.Summary)) + " from " + event.When(t.one, t.zone) + " on"
	if !k.Done {
		text += ": not known to be finished, so that its events may be there twice; repeat the call or undo it"
	}
	return text
}

// revertFollowing lets the old series run on as it did, and deletes the new one.
// First the one and then the other, so that no event is ever missing.
func revertFollowing(ctx context.Context, a *agenda.Agenda, r persist.Reversal, k keptFollowing) (putBack, error) {
	t, err := undoTargetIn(ctx, a, k.Calendar)
	if err != nil {
		return putBack{}, err
	}
	old, err := a.Get(ctx, k.Calendar, k.Series)
	if err != nil {
		return putBack{}, noEvent(err, k.Series)
	}
	if old.Status == event.Cancelled {
		return putBack{}, eventwrite.Deleted(k.Series)
	}
	made, err := a.Get(ctx, k.Calendar, k.Made)
	if eventwrite.IsGone(err) {
		made, err = &calendarapi.Event{Id: k.Made, Status: event.Cancelled}, nil
	}
	if err != nil {
		return putBack{}, fmt.Errorf("read the new series: %w", err)
	}
	if err := k.check(r, old, made); err != nil {
		return putBack{}, err
	}
	if err := checkExceptions(ctx, a, r, t, made); err != nil {
		return putBack{}, err
	}
	people := event.Union(event.SeenBy(event.Fields{"recurrence": nil}, old, made), event.AddressesOfAll(k.Gone))
	back, err := eventtext.Instances(k.Gone, t.zone)
	if err != nil {
		return putBack{}, err
	}
	runsOn := bundles.Line{Name: eventtext.Which, Text: "all that follow of a series, which runs on as before: " + eventtext.Repeating(k.Before, old, t.zone)}
	leaves, err := eventtext.Bound(eventtext.Outgoing("undoing of the change of a series", old, t.zone, event.Union(people, t.theirs), k.Notify, append(back, runsOn)...), append([]*calendarapi.Event{old, made}, k.Gone...)...)
	if err != nil {
		return putBack{}, err
	}
	if err := eventtext.MayReach(ctx, leaves, old); err != nil {
		return putBack{}, err
	}
	t.series, t.one = old, old
	s := &split{t: t, before: k.Before, notify: k.Notify}
	if event.Mails(k.Notify) {
		s.people = people
	}
	if !slices.Equal(old.Recurrence, k.Before) {
		if err := endOld(ctx, a, s); err != nil {
			return putBack{}, err
		}
	}
	if made.Status != event.Cancelled {
		if err := removeNew(ctx, a, s, made); err != nil {
			e := metadata.Errorf(metadata.OutcomeUnknown, "the series %s runs on as before, and the new one, %s, may still be there too: %s", k.Series, k.Made, eventwrite.Reason(err))
			e.Cause = err
			return putBack{}, e.WithHint("Repeat the call: it deletes the new one alone.")
		}
	}
	now := *old
	now.Recurrence = k.Before
	return putBack{Event: t.row(ctx, &now), Note: putBackExceptions(ctx, a, k.Calendar, k.Gone)}, nil
}

// check returns CONFLICT when one of the two series was changed since in what
// the undo would overwrite.
func (k *keptFollowing) check(r persist.Reversal, old, made *calendarapi.Event) error {
	changed := []string{}
	if !slices.Equal(old.Recurrence, k.Before) && !slices.Equal(old.Recurrence, k.After) {
		changed = append(changed, "the recurrence of the old series, "+k.Series)
	}
	if made.Status != event.Cancelled && k.Content != nil {
		then, err := k.Content.Event()
		if err != nil {
			return err
		}
		others, err := event.ChangedBetween(then, made)
		if err != nil {
			return err
		}
		for _, field := range others {
			changed = append(changed, field+" of the new series, "+k.Made)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return seriesChanged(r, changed)
}

// checkExceptions returns CONFLICT when some of the new series were changed by
// hand since it was made: they would go with it.
func checkExceptions(ctx context.Context, a *agenda.Agenda, r persist.Reversal, t *target, made *calendarapi.Event) error {
	if made.Status == event.Cancelled || len(made.Recurrence) == 0 {
		return nil
	}
	others, err := readExceptions(ctx, a, &target{calendar: t.calendar, zone: t.zone, series: made})
	if err != nil || len(others) == 0 {
		return err
	}
	return seriesChanged(r, []string{eventtext.Counted(len(others), "event", "events") + " of the new series, " + made.Id})
}

func seriesChanged(r persist.Reversal, what []string) error {
	problems := []metadata.Problem{}
	for _, one := range what {
		problems = append(problems, metadata.Problem{Path: "undo_id", Expected: "the series as the change left them", Got: "changed: " + one})
	}
	return r.Changed("the series were changed since then", problems...)
}
