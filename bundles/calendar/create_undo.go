package calendar

import (
	"context"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/change"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// undoCreated is the kind of the undo records of created events.
const undoCreated = "created"

// A createRecord is the undo record of creating an event.
type createRecord struct {
	Calendar string       `json:"calendar"` // id of the calendar
	Event    string       `json:"event"`
	Etag     string       `json:"etag"` // etag of the event when it was created
	Content  event.Fields `json:"content,omitempty"`
	Notify   string       `json:"notify,omitempty"` // which guests were mailed
}

// isUnchanged reports whether an event is the same as when it was created, including its
// guests' answers. An event that was changed and changed back is unchanged.
func (k *createRecord) isUnchanged(now *calendarapi.Event) (bool, error) {
	if now.Etag == k.Etag {
		return true, nil
	}
	is, err := event.FieldsOf(now)
	if err != nil || k.Content == nil {
		return false, err
	}
	changed := event.MergePatch(k.Content, is)
	for _, ignored := range []string{"etag", "updated", "sequence"} {
		delete(changed, ignored)
	}
	return len(changed) == 0, nil
}

// saveCreated stores the undo record of a new event and returns its id. It returns "" in a
// dry run, if an earlier call made the event, and after a failure. A failure becomes a note
// and not an error, because the event exists.
func saveCreated(ctx context.Context, a *agenda.Agenda, in createEventIn, n *newEvent, made eventwrite.Outcome) string {
	if made.Repeated || in.DryRun {
		return ""
	}
	record := createRecord{Calendar: n.calendar.Id, Event: made.Event.Id, Etag: made.Event.Etag, Notify: in.Notify}
	title := "create " + strconv.Quote(htmltext.Line(made.Event.Summary)) + ", " + n.span.Words(n.span.Zone)
	content, err := event.FieldsOf(made.Event)
	if err == nil {
		record.Content = content
	}
	id, err := a.Undos().SaveMany(context.WithoutCancel(ctx), 0, a.Account.Key(), title, undoCreated, record)
	if err != nil {
		n.note("it cannot be undone: " + string(metadata.CodeOf(err)))
	}
	return id
}

// revertCreate deletes an event that is the same as when it was created. It refuses an event
// that was changed since, even if only a guest has answered. With overwrite it deletes
// that event too, and this deletion can be undone.
func revertCreate(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, k createRecord) (undoevent.Result, error) {
	t, err := undoevent.NewTarget(ctx, a, k.Calendar)
	if err != nil {
		return undoevent.Result{}, err
	}
	now, err := a.Get(ctx, k.Calendar, k.Event)
	switch {
	case eventwrite.IsGone(err), err == nil && now.Status == event.Cancelled:
		return undoevent.Result{Note: "it was already deleted"}, nil
	case err != nil:
		return undoevent.Result{}, series.ErrNoEvent(err, k.Event)
	}
	same, err := k.isUnchanged(now)
	switch {
	case err != nil:
		return undoevent.Result{}, err
	case !same:
		eventtext.Provenance(ctx, now, t.Calendar, "") // the error quotes the event
		if err := r.ConflictUnlessOverwrite("the event was changed since it was created", persist.ChangedProblem("title", now.Summary), persist.ChangedProblem("time", event.When(now, t.Zone))); err != nil {
			return undoevent.Result{}, err
		}
		return deleteChanged(ctx, a, k, t, now)
	}
	people := event.Addresses(now)
	if err := eventtext.ConfirmReach(ctx, eventtext.Outgoing("cancellation", now, t.Zone, event.Union(people, t.Sharers), k.Notify), now); err != nil {
		return undoevent.Result{}, err
	}
	m := eventwrite.Summary{Kind: "cancel", Title: htmltext.Line(now.Summary), When: event.When(now, t.Zone)}
	if event.SendsMail(k.Notify) {
		m.People = people
	}
	if _, err := a.Send(ctx, eventwrite.NewDelete(k.Calendar, k.Event, now.Etag, k.Notify), m); err != nil {
		return undoevent.Result{}, err
	}
	return undoevent.Result{Note: "the event is deleted"}, nil
}

// deleteChanged deletes an event that was changed since it was created. It does what
// calendar_delete_event does.
func deleteChanged(ctx context.Context, a *agenda.Agenda, k createRecord, t *series.Target, now *calendarapi.Event) (undoevent.Result, error) {
	t.Single = now
	if len(now.Recurrence) > 0 {
		t.Series, t.Scope = now, series.ScopeAll
	}
	done, err := change.DeleteTarget(ctx, a, change.DeleteArgs{Notify: k.Notify}, t)
	if err != nil {
		return undoevent.Result{}, err
	}
	return undoevent.Result{Note: bundles.WithoutHiddenTools(ctx, "the event is deleted. calendar_undo brings it back") + " with undo_id " + done.Undo}, nil
}
