package mailcache

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
	"kota/store"
)

// summaryHeaders are the headers that lists show, and the headers that distinguish
// automatic mail, replies and personal mail.
var summaryHeaders = []string{
	"From", "To", "Cc", "Reply-To", "Subject", "Message-ID", "In-Reply-To", "Content-Type",
	"List-Id", "List-Unsubscribe", "Precedence", "Auto-Submitted",
}

const summaryFields = "id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload(mimeType,headers)"

// fetchSummaries fetches the summaries of messages in batches. It omits missing messages.
// For an unreadable message it returns an unreadableSummary.
func fetchSummaries(ctx context.Context, m *mailbox.Mailbox, ids []string) ([]*store.MailSummary, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	query := url.Values{"format": {"metadata"}, "metadataHeaders": summaryHeaders, "fields": {summaryFields}}.Encode()
	paths := make([]string, len(ids))
	for i, id := range ids {
		paths[i] = "/gmail/v1/users/me/messages/" + url.PathEscape(id) + "?" + query
	}
	answers, err := google.Batch(ctx, m.Client, google.GmailBatch(m.Endpoint()), paths)
	if metadata.CodeOf(err) == metadata.TooLarge {
		return fetchHalves(ctx, m, ids)
	}
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	summaries := make([]*store.MailSummary, 0, len(ids))
	for i, a := range answers {
		message := &gmailapi.Message{}
		if a.Err == nil {
			a.Err = json.Unmarshal(a.Body, message)
		}
		_, broken := mailbox.UnreadableReason(a.Err)
		switch {
		case broken:
			summaries = append(summaries, unreadableSummary(ids[i]))
		case metadata.CodeOf(a.Err) == metadata.NotFound:
		case a.Err != nil:
			return nil, fmt.Errorf("read message: %w", a.Err)
		default:
			summaries = append(summaries, summaryOf(message))
		}
	}
	return summaries, nil
}

// fetchHalves fetches each half of the ids separately, because a message makes the answer
// too large. So only that message becomes an unreadableSummary.
func fetchHalves(ctx context.Context, m *mailbox.Mailbox, ids []string) ([]*store.MailSummary, error) {
	if len(ids) == 1 {
		return []*store.MailSummary{unreadableSummary(ids[0])}, nil
	}
	first, err := fetchSummaries(ctx, m, ids[:len(ids)/2])
	if err != nil {
		return nil, err
	}
	second, err := fetchSummaries(ctx, m, ids[len(ids)/2:])
	return append(first, second...), err
}

// unreadableSummary returns a summary for a message that cannot be read. Its Size is -1,
// and it is not cached.
func unreadableSummary(id string) *store.MailSummary {
	return &store.MailSummary{ID: id, Snippet: "(This message is too large or damaged to be listed.)", Size: -1, Labels: []string{}}
}

// maxHeader limits the stored part of a header, in characters, because some headers have
// megabytes.
const maxHeader = 2000

func summaryOf(message *gmailapi.Message) *store.MailSummary {
	h := &store.MailSummary{
		ID: message.Id, Thread: message.ThreadId, Date: time.UnixMilli(message.InternalDate).UTC(),
		Size: message.SizeEstimate, Snippet: htmltext.First(message.Snippet, maxHeader), Labels: slices.Sorted(slices.Values(message.LabelIds)),
	}
	if h.Labels == nil {
		h.Labels = []string{}
	}
	if message.Payload == nil {
		return h
	}
	for _, header := range message.Payload.Headers {
		h.Headers = append(h.Headers, [2]string{header.Name, htmltext.First(header.Value, maxHeader)})
	}
	if h.Header("Content-Type") == "" && message.Payload.MimeType != "" {
		h.Headers = append(h.Headers, [2]string{"Content-Type", message.Payload.MimeType})
	}
	return h
}
