package calendar

import (
	"context"
	"strconv"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/invitation"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

func (c *calendar) respondEventAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "respond_event", Effect: metadata.Sends, Scopes: []string{scopeRead, scopeEvents}, OptionalScopes: []string{scopeShared},
		Summary: "Answer an invitation, by event or by its mail.",
		Tags:    []string{"rsvp", "accept", "decline", "invitation"},
		Aliases: metadata.Aliases{
			"respond rsvp: - event",
			"respond respond_to rsvp_to answer: event invite invitation meeting",
			"accept: - event invite invitation meeting (answer: yes)",
			"decline reject: - event invite invitation meeting (answer: no)",
		},
		Examples: []metadata.Example{
			{Title: "Accept without mail", Args: invitation.Args{Event: exampleInvitation, Answer: "yes"}},
			{Title: "Decline one of a series, with a comment to the organizer", Args: invitation.Args{Event: exampleInvitation, Answer: "no", Scope: series.ScopeThis, Comment: "I am away", Notify: event.NotifyAll}},
			{Title: "See what answering an invitation in a mail would do", Args: invitation.Args{Message: "18c2f0a9b1d3e4f5", Answer: "maybe", DryRun: true}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"The organizer always sees the answer in their copy of the event; notify all also mails the organizer. Nobody else is informed, and the other guests' answers stay.",
			"One change of an answer per event and hour needs no approval. Every other change counts as sending; after untrusted content was read, every change does.",
			"If the event of an invitation is not in the calendar, it is added first (added). A mail that cancels an event, or is not an invitation, is not answered: status not_answered or REFUSED says what it is.",
			"scope all answers the whole series; dates with their own answer keep it. A mail is answered for what it invites to: the series, or one date of it.",
			"An answer in somebody else's calendar is given in their name and counts as sending.",
			"The user's own events cannot be answered: change or delete them instead.",
		},
	}, c.respondEvent)
}

// exampleInvitation is the id of the event in the examples.
const exampleInvitation = "5c1ha7v2"

const maxAnswerComment = 1000 // characters

func (c *calendar) respondEvent(ctx context.Context, in invitation.Args) (invitation.Result, error) {
	if err := checkRespondArgs(in); err != nil {
		return invitation.Result{}, err
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return invitation.Result{}, err
	}
	if in.Event == "" {
		return invitation.RespondToFile(ctx, a, in, c.invitation)
	}
	t, err := series.Find(ctx, a, series.EventRef{Calendar: in.Calendar, Event: in.Event, Scope: in.Scope})
	if in.Scope == "" && t != nil && t.Series != nil {
		return invitation.Result{}, invitation.ErrNeedsScope(t)
	}
	if err != nil {
		return invitation.Result{}, err
	}
	return invitation.Respond(ctx, a, in, t, t.Event(), "")
}

func checkRespondArgs(in invitation.Args) error {
	p := eventtime.Problems{}
	given := 0
	for _, one := range []string{in.Event, in.Message, in.ICS} {
		if one != "" {
			given++
		}
	}
	switch given {
	case 0:
		p.Add("event_id", "one of event_id, message_id and ics", "none")
	case 1:
	default:
		p.Add("event_id", "one of event_id, message_id and ics", strconv.Itoa(given)+" of them")
	}
	p.Text("comment", in.Comment)
	if htmltext.First(in.Comment, maxAnswerComment) != in.Comment {
		p.Add("comment", "at most "+strconv.Itoa(maxAnswerComment)+" characters", in.Comment)
	}
	return p.Err()
}
