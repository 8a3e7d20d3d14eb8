package gmail

import (
	"context"
	"time"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type followupsIn struct {
	Direction string `json:"direction" enum:"they_owe_me,i_owe_them" doc:"who has to answer"`
	OlderThan string `json:"older_than,omitempty" default:"3d"`
	Within    string `json:"within,omitempty" default:"30d"`
	Limit     int    `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Account   string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type followupsOut struct {
	Waiting []followup            `json:"waiting"` // the latest first
	Note    string                `json:"note,omitempty"`
	Errors  []google.AccountError `json:"account_errors,omitempty"`
}

// A followup is the last message of a conversation, which nobody has answered.
type followup struct {
	Days int `json:"days"` // since it came or went
	messageRow
}

func (g *gmail) followupsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "find_followups", Effect: metadata.Reads, Scopes: []string{scopeRead},
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
			"They owe me: the last message is mine, to somebody else. I owe them: the last one is to me, from a person: newsletters, lists, no-reply senders and automatic mail are left out.",
			"That the last message asks for nothing is for its reader to see.",
		},
	}, g.followups)
}

func (g *gmail) followups(ctx context.Context, in followupsIn) (followupsOut, error) {
	span, err := g.waitingSpan(in)
	if err != nil {
		return followupsOut{}, err
	}
	type answer struct {
		waiting []followup
		note    string
	}
	answers, failed, err := google.InAccounts(ctx, g.Accounts, in.Account, g.open, func(ctx context.Context, m *mailbox) (answer, error) {
		waiting, note, err := m.waiting(ctx, in, span)
		return answer{waiting, note}, err
	})
	out := followupsOut{Waiting: []followup{}, Errors: failed}
	for _, a := range answers {
		out.Waiting = append(out.Waiting, a.waiting...)
		if a.note != "" {
			out.Note = a.note
		}
	}
	rows := make([]*messageRow, len(out.Waiting))
	for i := range out.Waiting {
		rows[i] = &out.Waiting[i].messageRow
	}
	fit(out, rows)
	return out, err
}

// A waitingSpan is when the last message of a conversation came or went.
type waitingSpan struct{ after, before time.Time }

func (g *gmail) waitingSpan(in followupsIn) (waitingSpan, error) {
	span, now := waitingSpan{}, g.Now()
	var wrong arguments.Problems
	for _, t := range []struct {
		path, value string
		at          *time.Time
	}{{"older_than", in.OlderThan, &span.before}, {"within", in.Within, &span.after}} {
		at, ok := parseWhen(t.value, now)
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
