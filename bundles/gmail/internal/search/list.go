package search

import (
	"context"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
)

// listPage is the number of messages in one page of ListPages.
const listPage = 500

// MatchingIDs returns the ids of the newest messages that match the query, at most limit.
// If labelID is not "", the messages must also have that label. more reports whether there
// are further matches.
func MatchingIDs(ctx context.Context, m *mailbox.Mailbox, query string, limit int, labelID string) (ids []string, more bool, err error) {
	call := IDRequest(m, query).MaxResults(int64(limit))
	if labelID != "" {
		call.LabelIds(labelID)
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

// ListMessages returns one page of at most limit messages that match q, newest first. token
// is Gmail's token for the page, or "" for the first page.
func ListMessages(ctx context.Context, m *mailbox.Mailbox, q, token string, limit int64) (*gmailapi.ListMessagesResponse, error) {
	call := m.API.Users.Messages.List(mailbox.Me).MaxResults(limit).Context(ctx)
	if q != "" {
		call.Q(q)
	}
	if token != "" {
		call.PageToken(token)
	}
	if IncludesSpamOrTrash(q) {
		call.IncludeSpamTrash(true)
	}
	page, err := call.Do()
	if err != nil {
		return nil, fmt.Errorf("search messages: %w", err)
	}
	return page, nil
}

// IDsOf returns the ids of the messages on a page. The page may be nil.
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

// ListPages lists the messages that match q, newest first, from at most maxPages pages.
// more reports whether there are further pages.
func ListPages(ctx context.Context, m *mailbox.Mailbox, q string, maxPages int) (all []*gmailapi.Message, more bool, err error) {
	token := ""
	for range maxPages {
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
