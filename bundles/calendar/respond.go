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
			{Title: "Yes, and nobody is mailed", Args: invitation.Args{Event: exampleInvitation, Answer: "yes"}},
			{Title: "No to one of a series, with a word to the organizer", Args: invitation.Args{Event: exampleInvitation, Answer: "no", Scope: series.ScopeThis, Comment: "I am away", Notify: event.NotifyAll}},
			{Title: "What an invitation that came by mail would do", Args: invitation.Args{Message: "18c2f0a9b1d3e4f5", Answer: "maybe", DryRun: true}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"The answer shows in the organizer's copy of the event in any case, as Google keeps it; notify all mails the organizer as well. Nobody else hears of it, and the other guests' answers stay.",
			"One change of an answer to an event and hour is free. Any other counts as sending, and so does each once text from strangers was read.",
			"An invitation whose event is not in the calendar is added to it first (added). A mail that calls an event off, or is no invitation, is not answered: status not_answered or REFUSED says what it is.",
			"scope all answers the whole series; dates that were answered one by one keep their answers. A mail is answered for what it is about: the series, or one date of it.",
			"With somebody else's calendar the answer is theirs: that counts as sending.",
			"Own events cannot be answered: the organizer changes or deletes them.",
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
