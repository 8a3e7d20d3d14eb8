package gmail

import (
	"context"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/followups"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type followupsOut struct {
	From        string                `json:"from"`                   // start of the period whose mail was checked
	To          string                `json:"to"`                     // end of that period
	Waiting     []followups.Followup  `json:"waiting"`                // newest first
	AsksNothing []followups.Statement `json:"asks_nothing,omitempty"` // the newest mails that are left out because they ask nothing
	Note        string                `json:"note,omitempty"`
	Errors      []google.AccountError `json:"account_errors,omitempty"`
}

func (g *gmail) followupsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "find_followups", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary:     "Find conversations that wait for an answer.",
		Description: "Theirs or mine.",
		Tags:        []string{"waiting", "unanswered", "reply"},
		Examples: []metadata.Example{
			{Title: "Who has not answered my mail", Args: followups.FindIn{Direction: "they_owe_me", OlderThan: "5d"}},
			{Title: "Mail that I have not answered", Args: followups.FindIn{Direction: "i_owe_them"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"they_owe_me lists the recipients in to (cc if to is empty) who have not written since my last mail that asks something. i_owe_them lists threads whose last message is to me, asks something and is from a person; newsletters, lists, no-reply senders and automatic mail are excluded.",
			"KOTA judges by the words whether a mail asks something. A note says how many mails that ask nothing are omitted.",
		},
	}, g.followups)
}

// defaultWithin is the default of the argument within.
const defaultWithin = "30d"

func (g *gmail) followups(ctx context.Context, in followups.FindIn) (followupsOut, error) {
	span, err := followups.SpanOf(in, g.Now())
	if err != nil {
		return followupsOut{}, err
	}
	answers, failed, err := google.InAccounts(ctx, g.Accounts, in.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (*followups.AccountFollowups, error) {
		return followups.Find(ctx, m, in, span)
	})
	if err != nil {
		return followupsOut{}, err
	}
	out := followupsOut{From: g.FormatTime(span.After), To: g.FormatTime(span.Before), Waiting: []followups.Followup{}, Errors: failed}
	var notes []string
	for _, a := range answers {
		out.Waiting, out.AsksNothing = append(out.Waiting, a.Followups...), append(out.AsksNothing, a.Statements...)
		for _, note := range a.Notes {
			if in.Account == google.AllAccounts {
				note = a.Account + ": " + note
			}
			notes = append(notes, note)
		}
	}
	if in.Within == defaultWithin {
		notes = append(notes, `looked 30 days back; use "within" to look further`)
	}
	slices.SortStableFunc(out.Waiting, func(a, b followups.Followup) int { return present.NewestFirst(a.Row, b.Row) })
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
