package gmail

import (
	"context"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type searchIn struct {
	Query         string `json:"query,omitempty" alias:"q,text" doc:"Gmail search: \"from:anna has:attachment -in:sent\""`
	From          string `json:"from,omitempty"`
	To            string `json:"to,omitempty"`
	Subject       string `json:"subject,omitempty"`
	After         string `json:"after,omitempty" alias:"since" doc:"2026-03-01, yesterday, 7d, last week"`
	Before        string `json:"before,omitempty" alias:"until"`
	Label         string `json:"label,omitempty" doc:"name"`
	Unread        *bool  `json:"unread,omitempty"`
	HasAttachment *bool  `json:"has_attachment,omitempty"`
	Limit         int    `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Cursor        string `json:"cursor,omitempty" doc:"of the previous answer"`
	Account       string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type searchOut struct {
	Messages []present.Row         `json:"messages"` // newest first
	Total    int64                 `json:"total_estimate"`
	Next     string                `json:"next_cursor,omitempty"`
	Hint     string                `json:"hint,omitempty"`
	Errors   []google.AccountError `json:"account_errors,omitempty"`
}

func (g *gmail) searchAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "search_messages", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary:     "Search mail.",
		Description: "All arguments must match; gmail_get_message reads the results.",
		Tags:        []string{"find", "inbox", "mail"},
		Aliases: metadata.Aliases{
			"search list find query: - message messages email emails mail mails thread threads",
			"get read fetch: messages emails mails inbox",
		},
		Examples: []metadata.Example{
			{Title: "The newest mail in the inbox", Args: searchIn{Query: "in:inbox", Limit: 10}},
			{Title: "Invoices of a sender since March", Args: searchIn{From: "billing@example.com", Subject: "invoice", After: "2026-03-01"}},
			{Title: "Mail that I sent to somebody", Args: searchIn{Query: "in:sent", To: "bob@example.com"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"query uses Gmail's search language: from: to: cc: subject: label: in: is: has:attachment filename: larger:5M newer_than:7d older_than:1y \"exact words\" -not {a b} OR rfc822msgid:.",
			"With a cursor, omit the other arguments: it keeps the search and its accounts.",
			"Dates are days in the user's time zone. Spam and trash are excluded, unless query has in:anywhere, in:spam or in:trash.",
			"With account \"*\", limit applies to each account.",
			"attachments in the answer is a guess from the type of the message; has_attachment asks Gmail.",
		},
	}, g.search)
}

func (g *gmail) search(ctx context.Context, in searchIn) (searchOut, error) {
	at, err := g.searchCursor(in)
	if err != nil {
		return searchOut{}, err
	}
	several := at.Account == google.AllAccounts
	answers, failed, err := google.InAccounts(ctx, g.accountsLeft(at), at.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (resultPage, error) {
		return searchPage(ctx, m, at, int64(in.Limit), several)
	})
	if err != nil {
		return searchOut{}, err
	}
	out := searchOut{Messages: []present.Row{}, Errors: failed}
	next := map[string]string{}
	for _, page := range answers {
		out.Messages = append(out.Messages, page.rows...)
		out.Total += page.total
		next[page.account] = page.next
	}
	out.Next = at.next(next, failed)
	if several {
		slices.SortStableFunc(out.Messages, present.NewestFirst)
	}
	if len(out.Messages) == 0 && in.Cursor == "" {
		out.Hint = search.HintFor(at.Q)
	}
	present.Fit(out, present.Pointers(out.Messages))
	for _, row := range out.Messages {
		present.MarkShown(ctx, row.ID)
	}
	return out, nil
}

// A resultPage is one page of the results of one account.
type resultPage struct {
	account string
	rows    []present.Row
	total   int64
	next    string // Gmail's token for the next page; "" if there is none
}

func searchPage(ctx context.Context, m *mailbox.Mailbox, at pageCursor, limit int64, several bool) (resultPage, error) {
	out := resultPage{account: m.Account.Name, rows: []present.Row{}}
	token, isDone := at.pageToken(m.Account.Name)
	if isDone {
		return out, nil
	}
	var page *gmailapi.ListMessagesResponse
	summaries, err := mailcache.Summaries(ctx, m, func(ctx context.Context) (ids []string, err error) {
		page, err = search.ListMessages(ctx, m, at.Q, token, limit)
		return search.IDsOf(page), err
	})
	if err == nil {
		err = m.CheckLabel(ctx, at.label)
	}
	if err != nil {
		return out, err
	}
	out.rows, err = present.Rows(ctx, m, summaries, several)
	out.total, out.next = page.ResultSizeEstimate, page.NextPageToken
	return out, err
}
