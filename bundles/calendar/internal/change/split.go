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

// A split divides a series: the old one ends before an instance, and a new one begins there.
type split struct {
	t      *series.Target
	made   *calendarapi.Event // the new series; with one instance left a single event
	meet   bool               // it is to have a video call, which is never that of the old one
	before []string           // the lines of the old one
	notify string
	people []string             // who hears of it
	gone   []*calendarapi.Event // instances of the old one that had been changed by hand
	asked  string               // digest of the call
}

// updateFollowing changes one of a series and all after it.
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

// mayDivide refuses to make two series of somebody else's: the second would be
// the user's, who would invite everybody to it.
func mayDivide(e *calendarapi.Event) error {
	if e.Organizer == nil || event.OrganizedByUser(e) || e.GuestsCanModify {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "the series is of %s, who lets no guest change it", eventtext.Organizer(e)).
		WithHint("What is the user's own, such as reminders or color, can be changed with scope this or all.")
}

// secondHalf is the second half of the series so far. Its id is still that of the series.
func secondHalf(t *series.Target, cut recurrence.Halves) *calendarapi.Event {
	half := *t.Series
	s, ok := eventtime.Of(t.Series, t.Zone)
	if ok {
		s.Starting(cut.Start.Time).Place(&half)
	}
	half.Recurrence = cut.After
	return &half
}

// rest makes the changes in the second half. What was cancelled in it stays cancelled.
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

// divide makes the change that is proposed to the rest of a series.
func divide(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, p *proposal, cut recurrence.Halves) (Answer, error) {
	t := p.of
	out := Answer{Status: "updated", Timezone: t.Zone.String(), Kept: p.kept, Lost: p.lost, NotInvited: ed.missing}
	out.note(ed.notes...)
	if !event.OrganizedByUser(t.Series) && t.Series.Organizer != nil {
		out.note("the new series is the user's own, who invites everybody to it; the old one is still of " + eventtext.Organizer(t.Series))
	}
	changes := maps.Clone(p.patch)
	if ed.rule == nil {
		delete(changes, "recurrence") // of the two halves the answer has it apart
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

// leaving is what reaches these people: the old series ends, and all of the new one is sent.
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

// ask gives the new series what it cannot have of the old one: its own video
// call, and the answers of guests to a time that is another.
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

// earlier is the old series as it is to be.
func (s *split) earlier(ctx context.Context) *eventtext.Row {
	old := *s.t.Series
	old.Recurrence = s.before
	return s.t.Row(ctx, &old)
}

// asIs answers a change that leaves the rest of a series as it is: nothing is divided.
func (p *proposal) asIs(ctx context.Context, ed *edit) Answer {
	out := Answer{Status: "unchanged", Timezone: p.of.Zone.String(), NotInvited: ed.missing}
	out.note(ed.notes...)
	if len(ed.missing) == 0 {
		out.note("nothing was changed: the series is so already")
	}
	out.show(ctx, p.of, p.of.Series)
	return out
}

// name gives the new series its id, the same for the same change of the same version: a
// call repeated after a crash finishes it.
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

// mailing is what the outbox keeps of one of the requests.
func (s *split) mailing(kind string, e *calendarapi.Event) eventwrite.Mailing {
	return eventwrite.Mailing{Kind: kind, Title: htmltext.Line(e.Summary), When: event.When(e, s.t.Zone), People: s.people}
}

// errDuplicated is the error of a split that could be neither finished nor taken
// back.
func (s *split) errDuplicated(made *calendarapi.Event, undo string, why error) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "the new series %s was made, and it is not certain that the old one, %s, ends before it: the events from %s on may be there twice: %s",
		made.Id, s.t.Series.Id, event.When(made, s.t.Zone), persist.Reason(why))
	e.Cause = why
	return e.WithHint("calendar_undo {\"undo_id\": %q} takes both back to what was. Or look at both with calendar_get_event, and end or delete the one that is too many.", undo)
}
