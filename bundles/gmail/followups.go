package gmail

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type followupsIn struct {
	Direction string `json:"direction" enum:"they_owe_me,i_owe_them" doc:"who has to answer"`
	OlderThan string `json:"older_than,omitempty" doc:"default 3d; i_owe_them: 0d"`
	Within    string `json:"within,omitempty" default:"30d"`
	Limit     int    `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Account   string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type followupsOut struct {
	From        string                `json:"from"` // the mails that were looked at
	To          string                `json:"to"`
	Waiting     []followup            `json:"waiting"`                // the latest first
	AsksNothing []statement           `json:"asks_nothing,omitempty"` // of those left out, the latest
	Note        string                `json:"note,omitempty"`
	Errors      []google.AccountError `json:"account_errors,omitempty"`
}

// A followup is a message that waits for an answer: of the user's the last one
// that somebody has not answered, else the last one of its conversation.
type followup struct {
	Days        int      `json:"days"`                   // since it came or went
	Answered    []string `json:"answered,omitempty"`     // they_owe_me: addresses
	NotAnswered []string `json:"not_answered,omitempty"` // likewise
	present.Row
}

// A statement is the last message of a conversation, which asks nothing.
type statement struct {
	ID      string `json:"id"`
	From    string `json:"from"`
	Subject string `json:"subject"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

func (g *gmail) followupsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "find_followups", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary:     "Find conversations that wait for an answer.",
		Description: "Theirs or mine.",
		Tags:        []string{"waiting", "unanswered", "reply"},
		Phrases: []string{
			"who has not replied to me, which replies are missing",
			"did Anna ever answer my question, who has gone quiet",
			"nobody replied: who still owes me an answer",
			"which mails do I still have to answer, left unanswered",
			"emails I forgot, that I never replied to",
			"conversations that await my response, people I keep waiting",
			"whose reply am I waiting for, unanswered emails",
			"who never got back to me, whom should I chase or nudge",
			"wie heeft nog niet geantwoord, welke mails beantwoorden",
			"wem schulde ich noch eine Antwort, wer hat nicht geantwortet",
			"qui ne m'a pas répondu, à qui dois-je une réponse",
			"quién no me ha contestado, a quién debo responder",
		},
		Examples: []metadata.Example{
			{Title: "Who owes me an answer", Args: followupsIn{Direction: "they_owe_me", OlderThan: "5d"}},
			{Title: "Whom I have to answer", Args: followupsIn{Direction: "i_owe_them"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"They owe me: each recipient in to who has not written since my last mail that asks something; cc only where to has nobody. I owe them: the last message is to me, asks something and is from a person: newsletters, lists, no-reply senders and automatic mail are left out.",
			"A mail asks something by its words. A note says how many that ask nothing are left out.",
		},
	}, g.followups)
}

// usualWithin is how far a call looks back that does not say it.
const usualWithin = "30d"

func (g *gmail) followups(ctx context.Context, in followupsIn) (followupsOut, error) {
	span, err := g.waitingSpan(in)
	if err != nil {
		return followupsOut{}, err
	}
	answers, failed, err := google.InAccounts(ctx, g.Accounts, in.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (*waiting, error) {
		return findWaiting(ctx, m, in, span)
	})
	if err != nil {
		return followupsOut{}, err
	}
	out := followupsOut{From: g.FormatTime(span.after), To: g.FormatTime(span.before), Waiting: []followup{}, Errors: failed}
	var notes []string
	for _, a := range answers {
		out.Waiting, out.AsksNothing = append(out.Waiting, a.found...), append(out.AsksNothing, a.statements...)
		for _, note := range a.notes {
			if in.Account == google.EveryAccount {
				note = a.account + ": " + note
			}
			notes = append(notes, note)
		}
	}
	if in.Within == usualWithin {
		notes = append(notes, `looked 30 days back: "within" looks further`)
	}
	slices.SortStableFunc(out.Waiting, func(a, b followup) int { return present.NewestFirst(a.Row, b.Row) })
	out.Note = strings.Join(notes, "; ")
	rows := make([]*present.Row, len(out.Waiting))
	for i := range out.Waiting {
		rows[i] = &out.Waiting[i].Row
		present.MarkShown(ctx, rows[i].ID)
	}
	for _, row := range out.AsksNothing {
		present.MarkShown(ctx, row.ID)
	}
	present.Fit(out, rows)
	return out, nil
}

// A waitingSpan is when a message came or went that waits.
type waitingSpan struct{ after, before time.Time }

func (g *gmail) waitingSpan(in followupsIn) (waitingSpan, error) {
	span, now := waitingSpan{}, g.Now()
	if in.OlderThan == "" && in.Direction == "they_owe_me" {
		in.OlderThan = "3d"
	}
	in.OlderThan = cmp.Or(in.OlderThan, "0d")
	var wrong arguments.Problems
	for _, t := range []struct {
		path, value string
		at          *time.Time
	}{{"older_than", in.OlderThan, &span.before}, {"within", in.Within, &span.after}} {
		at, ok := search.ParseWhen(t.value, now)
		if !ok {
			wrong.Add(t.path, "how long ago, such as 3d, 2w or 1m", t.value)
		}
		*t.at = at
	}
	if wrong == nil && !span.after.Before(span.before) {
		wrong.Add("within", "how far to look back, which is longer than older_than", in.Within)
	}
	return span, wrong.Err()
}
