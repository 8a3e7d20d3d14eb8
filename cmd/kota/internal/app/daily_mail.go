package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kota/bundles/daily/sources"
)

// inboxRow has the fields that the daily bundle needs of a message in an answer
// of the gmail bundle.
type inboxRow struct {
	Account, ID, Date, From, Subject string
	Labels                           []string
	Provenance                       *untrustedMark
}

// dayMail returns up to 50 unread messages in the inboxes. Starred messages come
// first, then important messages, then the others. Among the others, those in a
// category such as promotions come last.
func (a *App) dayMail(ctx context.Context) (sources.Found[sources.Mail], error) {
	var answer struct {
		Messages []inboxRow
		Total    int              `json:"total_estimate"`
		Next     string           `json:"next_cursor"`
		Accounts []partialFailure `json:"account_errors"`
	}
	found := sources.Found[sources.Mail]{}
	err := a.callBundle(ctx, "gmail", "gmail_search_messages", callArgs{"query": "in:inbox is:unread", "account": "*", "limit": 50}, &answer)
	if err != nil {
		return found, err
	}
	slices.SortStableFunc(answer.Messages, func(a, b inboxRow) int { return cmp.Compare(urgency(a.Labels), urgency(b.Labels)) })
	several := a.hasMoreAccounts(1)
	for _, m := range answer.Messages {
		mail := sources.Mail{ID: m.ID, From: senderName(m.From), Subject: m.Subject, Untrusted: m.Provenance != nil}
		mail.At, _ = time.Parse(time.RFC3339, m.Date) // zero if the date is unknown
		if several {
			mail.Account = m.Account
		}
		found.Items = append(found.Items, mail)
	}
	if answer.Next != "" {
		found.More = max(1, answer.Total-len(answer.Messages))
	}
	found.Unread = failureTexts(answer.Accounts)
	return found, nil
}

// senderName returns the sender's name, or the address if there is no name.
func senderName(from string) string {
	name, _, _ := strings.Cut(from, " <")
	return cmp.Or(strings.Trim(name, `" `), from)
}

// urgency orders mail by its labels; lower is more urgent.
func urgency(labels []string) int {
	has := func(names ...string) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(names, strings.ToUpper(label)) })
	}
	switch {
	case has("STARRED"):
		return 0
	case has("IMPORTANT"):
		return 1
	case has("CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "CATEGORY_FORUMS", "CATEGORY_UPDATES"):
		return 3
	}
	return 2
}
