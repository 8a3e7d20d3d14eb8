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

// A split divides a series. The old series ends before an instance, and a new one begins
// there.
type split struct {
	t      *series.Target
	made   *calendarapi.Event // the new series, or a single event if one instance is left
	meet   bool               // the new series gets a video call of its own
	before []string           // the new lines of the old series
	notify string
	people []string             // the people to notify
	gone   []*calendarapi.Event // exceptions of the old series from the split on
	asked  string               // digest of the call
}

// updateFollowing changes an instance and all after it.
func updateFollowing(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, t *series.Target) (Answer, error) {
	if t.One.Status == event.Cancelled {
		return Answer{}, eventwrite.Deleted(t.One.Id)
	}
	others, err := series.Exceptions(ctx, a, t)
	if err != nil {
		return Answer{}, err
	}
	cut, err := t.SplitRule(others)
	if err != nil {
		return Answer{}, err
	}
	if cut.First {
		t.Scope = series.ScopeAll
		ed.note("that is the first one: the whole series is changed")
		return updateWhole(ctx, a, in, ed, t)
	}
	p, err := proposeChange(ctx, t, in, ed, secondHalf(t, cut), func(e *calendarapi.Event) error { return ed.rest(e, t, others) })
	if err != nil {
		return Answer{}, err
	}
	if err := mayDivide(t.Series); err != nil {
		return Answer{}, err
	}
	if t.Series.AttendeesOmitted {
		return Answer{}, hiddenGuests("the new series would be without the others")
	}
	if note := p.dates(ed, others, a.Now()); note != "" {
		ed.note(note)
	}
	at := series.OriginalStart(t.One, t.Zone)
	p.sort(others, func(one *calendarapi.Event) bool { return series.OriginalStart(one, t.Zone).Before(at) })
	return divide(ctx, a, in, ed, p, cut)
}

// mayDivide refuses to split somebody else's series: the user would organize the second
// series and invite everybody to it.
func mayDivide(e *calendarapi.Event) error {
	if e.Organizer == nil || event.OrganizedByUser(e) || e.GuestsCanModify {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "the series is of %s, who lets no guest change it", eventtext.Organizer(e)).
		WithHint("What is the user's own, such as reminders or color, can be changed with scope this or all.")
}

// secondHalf returns the second half of the unchanged series. It still has the id of the
// series.
func secondHalf(t *series.Target, cut recurrence.Halves) *calendarapi.Event {
	half := *t.Series
	s, ok := eventtime.Of(t.Series, t.Zone)
	if ok {
		s.Starting(cut.Start.Time).Place(&half)
	}
	half.Recurrence = cut.After
	return &half
}

// rest applies the edit to the second half. Cancelled instances stay cancelled.
func (ed *edit) rest(e *calendarapi.Event, t *series.Target, others []*calendarapi.Event) error {
	s, ok := eventtime.Of(e, t.Zone)
	if !ok {
		return nil
	}
	alone := &series.Target{Calendar: t.Calendar, Zone: t.Zone, One: t.One, Series: e, Scope: series.ScopeAll}
	if !ed.moves() || ed.rule != nil {
		lines, err := series.WithoutCancelled(e.Recurrence, s, others, t.Zone)
		if err != nil {
			return err
		}
		e.Recurrence = lines
	}
	return ed.whole(e, alone, others)
}

// divide carries out the proposed change of the rest of a series.
func divide(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, p *proposal, cut recurrence.Halves) (Answer, error) {
	t := p.of
	out := Answer{Status: "updated", Timezone: t.Zone.String(), Kept: p.kept, Lost: p.lost, NotInvited: ed.missing}
	out.note(ed.notes...)
	if !event.OrganizedByUser(t.Series) && t.Series.Organizer != nil {
		out.note("the new series is the user's own, who invites everybody to it; the old one is still of " + eventtext.Organizer(t.Series))
	}
	changes := maps.Clone(p.patch)
	if ed.rule == nil {
		delete(changes, "recurrence") // the answer shows the recurrence of both halves separately
	}
	if len(changes) == 0 && in.onlyMails() {
		return resend(ctx, a, in, p, out)
	}
	if len(changes) == 0 {
		return p.asIs(ctx, ed), nil
	}
	if err := findClashes(ctx, a, in, p, &out); err != nil {
		return Answer{}, err
	}
	s := &split{t: t, made: event.Copy(p.wanted, ""), before: cut.Before, notify: in.Notify, gone: p.gone}
	s.ask(ed)
	if s.meet && event.HasMeet(t.Series) {
		out.note("the new series gets a video call of its own, with another link; the link there is stays that of the earlier series")
	}
	people := event.Union(event.SeenBy(event.Fields{"recurrence": nil}, t.Series, s.made), event.AddressesOfAll(p.gone))
	asked := event.Union(people, t.Sharers)
	if event.Mails(in.Notify) || len(ed.add) > 0 {
		s.people = people
	}
	out.Earlier, out.EarlierEnd = s.earlier(ctx), cut.Before
	out.Changes = eventtext.Differences(p.was, p.wanted, changes, t.Zone)
	if in.DryRun {
		out.Status = "dry_run"
		out.show(ctx, t, s.made)
		out.tell(in.Notify, people, "")
		out.note(eventtext.Foretold(ctx, asked)...)
		return out, nil
	}
	leaves, err := s.leaving(p, changes, asked)
	if err != nil {
		return Answer{}, err
	}
	if err := eventtext.MayReach(ctx, leaves, t.Series); err != nil {
		return Answer{}, err
	}
	if s.asked, err = in.digest(); err != nil {
		return Answer{}, err
	}
	made, undo, err := carrySplit(ctx, a, s)
	if err != nil {
		return Answer{}, err
	}
	out.show(ctx, t, made)
	out.Undo = undo
	if in.Held {
		out.Status = "draft"
	}
	out.tell(in.Notify, people, HowToMail(ctx, made))
	return out, nil
}

// leaving returns what the split sends to these people: the end of the old series and all
// of the new one.
func (s *split) leaving(p *proposal, changes event.Fields, people []string) (bundles.Outgoing, error) {
	whole := *s.made
	event.SetMeet(&whole, s.meet, "")
	lines := append([]bundles.Line{eventtext.WhichFollow(s.t.One, s.t.Series, s.t.Zone)}, eventtext.ChangedLines(changes, p.was, p.wanted, s.t.Zone)...)
	content, err := eventtext.Content(&whole, s.t.Zone, lines...)
	if err != nil {
		return bundles.Outgoing{}, err
	}
	return eventtext.Bound(eventtext.Outgoing("change of a series", s.t.Series, s.t.Zone, people, s.notify, append(lines, content...)...), s.t.Series, &whole)
}

// ask resets what the new series cannot take over from the old one: its video call, and the
// guests' answers if the time changes.
func (s *split) ask(ed *edit) {
	s.meet = event.HasMeet(s.t.Series)
	if wanted := ed.details.Meet; wanted != nil {
		s.meet = *wanted
	}
	if !ed.moves() && ed.rule == nil {
		return
	}
	for _, one := range s.made.Attendees {
		if !one.Self && !one.Resource {
			one.ResponseStatus, one.Comment = "needsAction", ""
		}
	}
}

// earlier returns the old series as it will be.
func (s *split) earlier(ctx context.Context) *eventtext.Row {
	old := *s.t.Series
	old.Recurrence = s.before
	return s.t.Row(ctx, &old)
}

// asIs answers a change that leaves the rest of a series as it is. Nothing is divided.
func (p *proposal) asIs(ctx context.Context, ed *edit) Answer {
	out := Answer{Status: "unchanged", Timezone: p.of.Zone.String(), NotInvited: ed.missing}
	out.note(ed.notes...)
	if len(ed.missing) == 0 {
		out.note("nothing was changed: the series is so already")
	}
	out.show(ctx, p.of, p.of.Series)
	return out
}

// name sets the id of the new series. The same change of the same version gets the same id,
// so a call that is repeated after a crash finishes it.
func (s *split) name(a *agenda.Agenda, try int) error {
	s.made.Id, s.made.ConferenceData = "", nil
	content, err := json.Marshal(s.made)
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%t\x00%d", s.t.Series.Id, s.t.Series.Etag, content, s.notify, s.meet, try)
	s.made.Id = eventwrite.NewID(a.Account.Key(), s.t.Calendar.Id, key)
	if s.meet {
		event.SetMeet(s.made, true, s.made.Id)
	}
	return nil
}

// mailing returns the outbox summary of one of the requests.
func (s *split) mailing(kind string, e *calendarapi.Event) eventwrite.Mailing {
	return eventwrite.Mailing{Kind: kind, Title: htmltext.Line(e.Summary), When: event.When(e, s.t.Zone), People: s.people}
}

// errDuplicated returns the error of a split that could neither be finished nor reverted.
func (s *split) errDuplicated(made *calendarapi.Event, undo string, why error) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "the new series %s was made, and it is not certain that the old one, %s, ends before it: the events from %s on may be there twice: %s",
		made.Id, s.t.Series.Id, event.When(made, s.t.Zone), persist.Reason(why))
	e.Cause = why
	return e.WithHint("calendar_undo {\"undo_id\": %q} takes both back to what was. Or look at both with calendar_get_event, and end or delete the one that is too many.", undo)
}
