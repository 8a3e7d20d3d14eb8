package calendar

import (
	"context"
	"strconv"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/invitation"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

type respondEventIn struct {
	Event    string `json:"event_id,omitempty" audit:"show"`
	Message  string `json:"message_id,omitempty" doc:"instead: the mail with the invitation" audit:"show"`
	ICS      string `json:"ics,omitempty" doc:"instead: the invitation's text"`
	Answer   string `json:"answer" enum:"yes,no,maybe"`
	Comment  string `json:"comment,omitempty" doc:"for the organizer"`
	Scope    string `json:"scope,omitempty" enum:"this,all" doc:"needed for a series"`
	Notify   string `json:"notify,omitempty" enum:"none,all" default:"none" doc:"all: mail the organizer"`
	Calendar string `json:"calendar,omitempty" audit:"show"`
	DryRun   bool   `json:"dry_run,omitempty"`
	Account  string `json:"account,omitempty" audit:"show"`

	Held string `json:"-"` // what was left out so that nobody is reached
}

// Effect says what this call does: an answer is the user's own, and a comment or
// mail reaches the organizer.
func (in respondEventIn) Effect() metadata.Effect {
	switch {
	case in.DryRun:
		return metadata.Reads
	case in.Notify == event.NotifyAll, in.Comment != "":
		return metadata.Sends
	}
	return metadata.Writes
}

// AsDraft returns the answer without a comment and without mail.
func (in respondEventIn) AsDraft() respondEventIn {
	in.Held = "the organizer was not mailed"
	if in.Comment != "" {
		in.Held += ", and the comment was not added"
	}
	in.Comment, in.Notify = "", event.NotifyNone
	return in
}

func (c *calendar) respondEventAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "respond_event", Effect: metadata.Sends, Scopes: []string{scopeRead, scopeEvents}, OptionalScopes: []string{scopeShared},
		Summary: "Answer an invitation, by event or by its mail.",
		Tags:    []string{"rsvp", "accept", "decline", "invitation"},
		Aliases: metadata.Aliases(
			"respond rsvp: - event",
			"respond respond_to rsvp_to answer: event invite invitation meeting",
			"accept: - event invite invitation meeting (answer: yes)",
			"decline reject: - event invite invitation meeting (answer: no)",
		),
		Examples: []metadata.Example{
			{Title: "Yes, and nobody is mailed", Args: respondEventIn{Event: exampleInvitation, Answer: "yes"}},
			{Title: "No to one of a series, with a word to the organizer", Args: respondEventIn{Event: exampleInvitation, Answer: "no", Scope: series.ScopeThis, Comment: "I am away", Notify: event.NotifyAll}},
			{Title: "What an invitation that came by mail would do", Args: respondEventIn{Message: "18c2f0a9b1d3e4f5", Answer: "maybe", DryRun: true}},
		},
		Errors: readErrors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
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

// exampleInvitation is the event of the examples.
const exampleInvitation = "5c1ha7v2"

const longestComment = 1000 // characters

func (c *calendar) respondEvent(ctx context.Context, in respondEventIn) (invitation.Answered, error) {
	if err := in.check(); err != nil {
		return invitation.Answered{}, err
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return invitation.Answered{}, err
	}
	if in.Event == "" {
		return invitation.RespondToFile(ctx, a, invitation.Args(in), c.invitation)
	}
	t, err := series.Find(ctx, a, series.EventRef{Calendar: in.Calendar, Event: in.Event, Scope: in.Scope})
	if in.Scope == "" && t != nil && t.Series != nil {
		return invitation.Answered{}, invitation.NeedsScope(t)
	}
	if err != nil {
		return invitation.Answered{}, err
	}
	return invitation.Respond(ctx, a, invitation.Args(in), t, t.Event(), "")
}

func (in respondEventIn) check() error {
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
	if htmltext.First(in.Comment, longestComment) != in.Comment {
		p.Add("comment", "at most "+strconv.Itoa(longestComment)+" characters", in.Comment)
	}
	return p.Err()
}
