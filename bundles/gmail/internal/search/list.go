package search

import (
	"context"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
)

// listPage is the number of ids in one page.
const listPage = 500

// MatchingIDs returns the ids of the newest messages that match the query, and also have
// the label if it is not "". The result more reports whether there are further matches.
func MatchingIDs(ctx context.Context, m *mailbox.Mailbox, query string, limit int, label string) (ids []string, more bool, err error) {
	call := IDRequest(m, query).MaxResults(int64(limit))
	if label != "" {
		call.LabelIds(label)
	}
	page, err := call.Context(ctx).Do()
	if err != nil {
		return nil, false, fmt.Errorf("search messages: %w", err)
	}
	for _, message := range page.Messages {
		ids = append(ids, message.Id)
	}
	return ids, page.NextPageToken != "", nil
}

// IDRequest returns a search request for message ids.
func IDRequest(m *mailbox.Mailbox, query string) *gmailapi.UsersMessagesListCall {
	return m.API.Users.Messages.List(mailbox.Me).Q(query).IncludeSpamTrash(IncludesSpamOrTrash(query)).Fields("messages/id", "nextPageToken")
}

// ListMessages requests one page of the messages that match q, newest first.
func ListMessages(ctx context.Context, m *mailbox.Mailbox, q, token string, limit int64) (*gmailapi.ListMessagesResponse, error) {
	ask := m.API.Users.Messages.List(mailbox.Me).MaxResults(limit).Context(ctx)
	if q != "" {
		ask.Q(q)
	}
	if token != "" {
		ask.PageToken(token)
	}
	if IncludesSpamOrTrash(q) {
		ask.IncludeSpamTrash(true)
	}
	page, err := ask.Do()
	if err != nil {
		return nil, fmt.Errorf("search messages: %w", err)
	}
	return page, nil
}

func IDsOf(page *gmailapi.ListMessagesResponse) []string {
	if page == nil {
		return nil
	}
	ids := make([]string, 0, len(page.Messages))
	for _, message := range page.Messages {
		if message.Id != "" {
			ids = append(ids, message.Id)
		}
	}
	return ids
}

// ListPages lists the messages that match q, newest first. more reports whether there are
// more than the given number of pages.
func ListPages(ctx context.Context, m *mailbox.Mailbox, q string, pages int) (all []*gmailapi.Message, more bool, err error) {
	token := ""
	for range pages {
		page, err := ListMessages(ctx, m, q, token, listPage)
		if err != nil {
			return nil, false, err
		}
		all = append(all, page.Messages...)
		if token = page.NextPageToken; token == "" {
			return all, false, nil
		}
	}
	return all, true, nil
}
