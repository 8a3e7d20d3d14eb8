package change

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/recurrence"
	"kota/metadata"
)

// A split turns one series into two: the old series ends before an instance, and a new
// series begins there.
type split struct {
	target            *series.Target
	newSeries         *calendarapi.Event // the new series, or a single event if one instance is left
	meet              bool               // the new series gets its own video call
	oldRecurrence     []string           // the recurrence of the old series after the split
	notify            string
	notified          []string             // the people to notify
	removedExceptions []*calendarapi.Event // exceptions of the old series from the split on
	callDigest        string               // digest of the call's arguments
}

// updateFollowing changes an instance and all later ones.
func updateFollowing(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, t *series.Target) (Answer, error) {
	if t.Single.Status == event.Cancelled {
		return Answer{}, eventwrite.ErrDeleted(t.Single.Id)
	}
	exceptions, err := series.Exceptions(ctx, a, t)
	if err != nil {
		return Answer{}, err
	}
	cut, err := t.SplitRule(exceptions)
	if err != nil {
		return Answer{}, err
	}
	if cut.First {
		t.Scope = series.ScopeAll
		ed.note("this is the first event, so the whole series is changed")
		return updateSeries(ctx, a, in, ed, t)
	}
	p, err := proposeChange(ctx, t, in, ed, secondHalf(t, cut), func(e *calendarapi.Event) error { return ed.applyToSecondHalf(e, t, exceptions) })
	if err != nil {
		return Answer{}, err
	}
	if err := checkMaySplit(t.Series); err != nil {
		return Answer{}, err
	}
	if t.Series.AttendeesOmitted {
		return Answer{}, errHiddenGuests("the new series would not have the hidden ones")
	}
	if note := p.datesNote(ed, exceptions, a.Now()); note != "" {
		ed.note(note)
	}
	at := series.OriginalStart(t.Single, t.Zone)
	p.sortExceptions(exceptions, func(one *calendarapi.Event) bool { return series.OriginalStart(one, t.Zone).Before(at) })
	return splitSeries(ctx, a, in, ed, p, cut)
}

// checkMaySplit returns REFUSED for somebody else's series that guests may not change.
// After a split the user would organize the second series and invite everybody to it.
func checkMaySplit(e *calendarapi.Event) error {
	if e.Organizer == nil || event.OrganizedByUser(e) || e.GuestsCanModify {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "the series belongs to %s, who does not allow guests to change it", eventtext.OrganizerPhrase(e)).
		WithHint("The user's own settings, such as reminders and color, can be changed with scope this or all.")
}

// secondHalf returns the second half of the unchanged series, with the id of the series.
func secondHalf(t *series.Target, cut recurrence.SplitSeries) *calendarapi.Event {
	half := *t.Series
	s, ok := eventtime.Of(t.Series, t.Zone)
	if ok {
		s.StartingAt(cut.Start.Time).ApplyTo(&half)
	}
	half.Recurrence = cut.After
	return &half
}

// applyToSecondHalf applies the edit to the second half of a series. Cancelled instances
// stay cancelled.
func (ed *edit) applyToSecondHalf(e *calendarapi.Event, t *series.Target, exceptions []*calendarapi.Event) error {
	s, ok := eventtime.Of(e, t.Zone)
	if !ok {
		return nil
	}
	alone := &series.Target{Calendar: t.Calendar, Zone: t.Zone, Single: t.Single, Series: e, Scope: series.ScopeAll}
	if !ed.changesTime() || ed.rule != nil {
		lines, err := series.ExcludeCancelled(e.Recurrence, s, exceptions, t.Zone)
		if err != nil {
			return err
		}
		e.Recurrence = lines
	}
	return ed.applyToSeries(e, alone, exceptions)
}

// splitSeries carries out the proposed change of an instance and all later ones.
func splitSeries(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, p *proposal, cut recurrence.SplitSeries) (Answer, error) {
	t := p.target
	out := Answer{Status: "updated", Timezone: t.Zone.String(), Kept: p.keptCount, Lost: p.lostExceptions, NotInvited: ed.notInvited}
	out.addNotes(ed.notes...)
	if !event.OrganizedByUser(t.Series) && t.Series.Organizer != nil {
		out.addNotes("the user organizes the new series and invites everybody to it; the old one still belongs to " + eventtext.OrganizerPhrase(t.Series))
	}
	changedFields := maps.Clone(p.patch)
	if ed.rule == nil {
		delete(changedFields, "recurrence") // the answer shows the recurrence of both halves separately
	}
	if len(changedFields) == 0 && in.onlyMails() {
		return resend(ctx, a, in, p, out)
	}
	if len(changedFields) == 0 {
		return p.unchangedAnswer(ctx, ed), nil
	}
	if err := findConflicts(ctx, a, in, p, &out); err != nil {
		return Answer{}, err
	}
	s := &split{target: t, newSeries: event.Copy(p.wanted, ""), oldRecurrence: cut.Before, notify: in.Notify, removedExceptions: p.resetExceptions}
	s.resetForNewSeries(ed)
	if s.meet && event.HasMeet(t.Series) {
		out.addNotes("the new series gets its own video call with a new link; the existing link stays with the old series")
	}
	people := event.Union(event.Audience(event.Fields{"recurrence": nil}, t.Series, s.newSeries), event.AddressesOfAll(p.resetExceptions))
	reached := event.Union(people, t.Sharers)
	if event.SendsMail(in.Notify) || len(ed.addGuests) > 0 {
		s.notified = people
	}
	out.Earlier, out.EarlierEnd = s.oldSeriesRow(ctx), cut.Before
	out.Changes = eventtext.Differences(p.was, p.wanted, changedFields, t.Zone)
	if in.DryRun {
		out.Status = "dry_run"
		out.setEvent(ctx, t, s.newSeries)
		out.addMailed(in.Notify, people, "")
		out.addNotes(eventtext.PolicyNotes(ctx, reached)...)
		return out, nil
	}
	outgoing, err := s.outgoing(p, changedFields, reached)
	if err != nil {
		return Answer{}, err
	}
	if err := eventtext.ConfirmReach(ctx, outgoing, t.Series); err != nil {
		return Answer{}, err
	}
	if s.callDigest, err = in.digest(); err != nil {
		return Answer{}, err
	}
	made, undo, err := executeSplit(ctx, a, s)
	if err != nil {
		return Answer{}, err
	}
	out.setEvent(ctx, t, made)
	out.Undo = undo
	if in.Draft {
		out.Status = "draft"
	}
	out.addMailed(in.Notify, people, HowToMail(ctx, made))
	return out, nil
}

// outgoing returns the text that the split sends to these people: the end of the old
// series and all of the new one.
func (s *split) outgoing(p *proposal, changes event.Fields, people []string) (bundles.Outgoing, error) {
	whole := *s.newSeries
	event.SetMeet(&whole, s.meet, "")
	lines := append([]bundles.Line{eventtext.FollowingLine(s.target.Single, s.target.Series, s.target.Zone)}, eventtext.ChangeLines(changes, p.was, p.wanted, s.target.Zone)...)
	content, err := eventtext.ContentLines(&whole, s.target.Zone, lines...)
	if err != nil {
		return bundles.Outgoing{}, err
	}
	return eventtext.BindToVersions(eventtext.Outgoing("change of a series", s.target.Series, s.target.Zone, people, s.notify, append(lines, content...)...), s.target.Series, &whole)
}

// resetForNewSeries sets whether the new series gets its own video call. If the time or the
// rule changes, it clears the answers and comments of all guests except the user and rooms.
func (s *split) resetForNewSeries(ed *edit) {
	s.meet = event.HasMeet(s.target.Series)
	if wanted := ed.details.Meet; wanted != nil {
		s.meet = *wanted
	}
	if !ed.changesTime() && ed.rule == nil {
		return
	}
	for _, one := range s.newSeries.Attendees {
		if !one.Self && !one.Resource {
			one.ResponseStatus, one.Comment = "needsAction", ""
		}
	}
}

// oldSeriesRow returns the row of the old series after the split.
func (s *split) oldSeriesRow(ctx context.Context) *eventtext.Row {
	old := *s.target.Series
	old.Recurrence = s.oldRecurrence
	return s.target.Row(ctx, &old)
}

// unchangedAnswer returns the answer of a change that does not change the second half.
// The series is not split.
func (p *proposal) unchangedAnswer(ctx context.Context, ed *edit) Answer {
	out := Answer{Status: "unchanged", Timezone: p.target.Zone.String(), NotInvited: ed.notInvited}
	out.addNotes(ed.notes...)
	if len(ed.notInvited) == 0 {
		out.addNotes("nothing was changed: the series already has these values")
	}
	out.setEvent(ctx, p.target, p.target.Series)
	return out
}

// setID sets the id of the new series. The same change of the same version gets the same
// id, so a call that is repeated after a crash finishes the split. Each try has another id.
func (s *split) setID(a *agenda.Agenda, try int) error {
	s.newSeries.Id, s.newSeries.ConferenceData = "", nil
	content, err := json.Marshal(s.newSeries)
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%t\x00%d", s.target.Series.Id, s.target.Series.Etag, content, s.notify, s.meet, try)
	s.newSeries.Id = eventwrite.NewID(a.Account.Key(), s.target.Calendar.Id, key)
	if s.meet {
		event.SetMeet(s.newSeries, true, s.newSeries.Id)
	}
	return nil
}

// summary returns the outbox summary of a request of the split.
func (s *split) summary(kind string, e *calendarapi.Event) eventwrite.Summary {
	return eventwrite.Summary{Kind: kind, Title: htmltext.Line(e.Summary), When: event.When(e, s.target.Zone), People: s.notified}
}

// errUnfinished returns the error of a split that did not change the old series, but may
// have created the new one.
func (s *split) errUnfinished(made *calendarapi.Event, undo string, cause error) error {
	return s.errDuplicated(fmt.Sprintf("the old series %s is unchanged, but the new series %s may exist", s.target.Series.Id, made.Id), made, undo, cause)
}

// errEndUnknown returns the error of a split that created the new series and may have ended
// the old one.
func (s *split) errEndUnknown(made *calendarapi.Event, undo string, cause error) error {
	return s.errDuplicated(fmt.Sprintf("the new series %s was created, but it is unknown whether the old series %s now ends before it", made.Id, s.target.Series.Id), made, undo, cause)
}

// errDuplicated returns the error of a split after which some events may exist twice.
func (s *split) errDuplicated(state string, made *calendarapi.Event, undo string, cause error) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "%s, so the events from %s on may exist twice: %s", state, event.When(made, s.target.Zone), persist.Reason(cause))
	e.Cause = cause
	return e.WithHint("calendar_undo {\"undo_id\": %q} restores the old series. Otherwise read both series with calendar_get_event, then end or delete one of them.", undo)
}
