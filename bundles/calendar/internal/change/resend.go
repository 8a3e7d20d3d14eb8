package change

import (
	"context"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
)

// onlyMails reports whether a call changes nothing and only asks to mail guests.
func (in UpdateArgs) onlyMails() bool {
	rest := in
	rest.Event, rest.Calendar, rest.Scope, rest.Instance, rest.Notify, rest.OnConflict, rest.Etag, rest.Account = "", "", "", "", "", "", "", ""
	rest.DryRun, rest.Held = false, false
	return reflect.DeepEqual(rest, UpdateArgs{}) && (event.Mails(in.Notify) || in.Held)
}

// resend mails the guests of an event its invitation without a change. Google has no method
// for that. It mails all guests, or all who do not use Google Calendar, about a change. So
// resend adds a line to the description without mail, and removes it with mail.
func resend(ctx context.Context, a *agenda.Agenda, in UpdateArgs, p *proposal, out Answer) (Answer, error) {
	p.was = eventwrite.WithoutMark(p.was)
	e, t := p.was, p.of
	if t.Series != nil && t.Scope != series.ScopeAll {
		return Answer{}, arguments.Invalid("scope", `"all": the invitation is mailed to the whole series`, strconv.Quote(t.Scope))
	}
	lines := event.Fields{"description": nil}
	if err := mayChange(e, e, lines); err != nil {
		return Answer{}, err
	}
	out.Status = "unchanged"
	out.show(ctx, t, e)
	if why := noMail(a, in, e, t); why != "" {
		out.note(why)
		return out, nil
	}
	var err error
	if t.Series != nil {
		if p.reached, err = series.Exceptions(ctx, a, t); err != nil {
			return Answer{}, err
		}
	}
	people := event.Union(event.SeenBy(lines, e), event.AddressesOfAll(p.reached))
	asked := event.Union(people, t.Sharers)
	if in.DryRun {
		out.Status, out.Etag = "dry_run", ""
		out.tell(in.Notify, people, "")
		out.note(eventtext.Foretold(ctx, asked)...)
		return out, nil
	}
	leaves, err := p.invitation(asked)
	if err != nil {
		return Answer{}, err
	}
	r, err := eventwrite.NewResend(t.Calendar.Id, e, in.Notify, hex.EncodeToString(leaves.Digest[:]))
	if err != nil {
		return Answer{}, err
	}
	done, err := a.Invite(ctx, r, eventwrite.Mailing{Kind: "invite", Title: htmltext.Line(e.Summary), When: event.When(e, t.Zone), People: people}, leaves)
	if err != nil {
		return Answer{}, eventtext.WithLink(err, e)
	}
	out.show(ctx, t, done.Event)
	if done.Repeated {
		out.note("the same invitation was mailed less than ten minutes ago, and nothing was sent now")
		return out, nil
	}
	out.Status = "invited"
	out.tell(in.Notify, people, "")
	return out, nil
}

// noMail says why nobody can be mailed the invitation. It returns "" if they can.
func noMail(a *agenda.Agenda, in UpdateArgs, e *calendarapi.Event, t *series.Target) string {
	s, ok := eventtime.Of(e, t.Zone)
	switch {
	case in.Held:
		return "the invitation was not mailed: bundles.yaml lets nothing be sent without the user"
	case len(event.Addresses(e)) == 0:
		return "the event has no guests to mail"
	case ok && len(e.Recurrence) == 0 && !s.End.After(a.Now()):
		return "Google mails nobody about an event that is over"
	}
	return ""
}

// invitation returns what is sent when guests are mailed an unchanged event.
func (p *proposal) invitation(people []string) (bundles.Outgoing, error) {
	lines, err := eventtext.ContentWithInstances(p.was, p.reached, p.of.Zone)
	if err != nil {
		return bundles.Outgoing{}, err
	}
	out := eventtext.Outgoing("invitation to an event that there is", p.was, p.of.Zone, people, p.notify, lines...)
	return eventtext.Bound(out, append([]*calendarapi.Event{p.was}, p.reached...)...)
}

// HowToMail says how to mail guests about an event that was made or changed without mail.
// It returns "" if the caller may not use that tool.
func HowToMail(ctx context.Context, e *calendarapi.Event) string {
	if e.Id == "" || !bundles.Offered(ctx, "calendar_update_event") {
		return ""
	}
	scope := ""
	if len(e.Recurrence) > 0 {
		scope = `"scope": "all", `
	}
	return fmt.Sprintf(`; calendar_update_event {"event_id": %q, %s"notify": "all"} mails them the invitation`, e.Id, scope)
}

// howToMail is HowToMail for an event after the change. It returns "" if its guests cannot
// be mailed that way.
func (p *proposal) howToMail(ctx context.Context, e *calendarapi.Event) string {
	if p.of.Series != nil && p.of.Scope != series.ScopeAll || e.Organizer != nil && !event.OrganizedByUser(e) {
		return ""
	}
	return HowToMail(ctx, e)
}
