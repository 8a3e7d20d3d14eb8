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

// onlyMails reports whether a call changes no field and only asks to mail guests. AsDraft
// has removed notify from a draft, so a draft that changes no field counts too.
func (in UpdateArgs) onlyMails() bool {
	rest := in
	rest.Event, rest.Calendar, rest.Scope, rest.Instance, rest.Notify, rest.OnConflict, rest.Etag, rest.Account = "", "", "", "", "", "", "", ""
	rest.DryRun, rest.Draft = false, false
	return reflect.DeepEqual(rest, UpdateArgs{}) && (event.SendsMail(in.Notify) || in.Draft)
}

// resend mails the invitation of an unchanged event to its guests. Google has no method for
// that: it only mails guests about a change, either all or those who do not use Google
// Calendar. So resend adds a line to the description without mail. Then it removes the
// line, which mails the guests.
func resend(ctx context.Context, a *agenda.Agenda, in UpdateArgs, p *proposal, out Answer) (Answer, error) {
	p.was = eventwrite.WithoutResendMark(p.was)
	e, t := p.was, p.target
	if t.Series != nil && t.Scope != series.ScopeAll {
		return Answer{}, arguments.Invalid("scope", `"all": an invitation can only be mailed for the whole series`, strconv.Quote(t.Scope))
	}
	patch := event.Fields{"description": nil}
	if err := checkMayChange(e, e, patch); err != nil {
		return Answer{}, err
	}
	out.Status = "unchanged"
	out.setEvent(ctx, t, e)
	if reason := whyNoMail(a, in, e, t); reason != "" {
		out.addNotes(reason)
		return out, nil
	}
	var err error
	if t.Series != nil {
		if p.reachedExceptions, err = series.Exceptions(ctx, a, t); err != nil {
			return Answer{}, err
		}
	}
	people := event.Union(event.Audience(patch, e), event.AddressesOfAll(p.reachedExceptions))
	reached := event.Union(people, t.Sharers)
	if in.DryRun {
		out.Status, out.Etag = "dry_run", ""
		out.addMailed(in.Notify, people, "")
		out.addNotes(eventtext.PolicyNotes(ctx, reached)...)
		return out, nil
	}
	outgoing, err := p.resendOutgoing(reached)
	if err != nil {
		return Answer{}, err
	}
	r, err := eventwrite.NewResend(t.Calendar.Id, e, in.Notify, hex.EncodeToString(outgoing.Digest[:]))
	if err != nil {
		return Answer{}, err
	}
	done, err := a.Invite(ctx, r, eventwrite.Summary{Kind: "invite", Title: htmltext.Line(e.Summary), When: event.When(e, t.Zone), People: people}, outgoing)
	if err != nil {
		return Answer{}, eventtext.WithLink(err, e)
	}
	out.setEvent(ctx, t, done.Event)
	if done.Repeated {
		out.addNotes("the same invitation was mailed less than ten minutes ago, so nothing was sent now")
		return out, nil
	}
	out.Status = "invited"
	out.addMailed(in.Notify, people, "")
	return out, nil
}

// whyNoMail returns the reason why the invitation cannot be mailed, or "" if it can.
func whyNoMail(a *agenda.Agenda, in UpdateArgs, e *calendarapi.Event, t *series.Target) string {
	s, ok := eventtime.Of(e, t.Zone)
	switch {
	case in.Draft:
		return "the invitation was not mailed: bundles.yaml allows only the user to send"
	case len(event.Addresses(e)) == 0:
		return "the event has no guests to mail"
	case ok && len(e.Recurrence) == 0 && !s.End.After(a.Now()):
		return "the event is over, and Google sends no mail about past events"
	}
	return ""
}

// resendOutgoing returns the text that resend sends to these people.
func (p *proposal) resendOutgoing(people []string) (bundles.Outgoing, error) {
	lines, err := eventtext.ContentAndInstanceLines(p.was, p.reachedExceptions, p.target.Zone)
	if err != nil {
		return bundles.Outgoing{}, err
	}
	out := eventtext.Outgoing("invitation to an existing event", p.was, p.target.Zone, people, p.notify, lines...)
	return eventtext.BindToVersions(out, append([]*calendarapi.Event{p.was}, p.reachedExceptions...)...)
}

// HowToMail returns the end of a note: the call that mails guests about an event that was
// created or changed without mail. It returns "" if the event has no id, or if the caller
// may not use calendar_update_event.
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
	if p.target.Series != nil && p.target.Scope != series.ScopeAll || e.Organizer != nil && !event.OrganizedByUser(e) {
		return ""
	}
	return HowToMail(ctx, e)
}
