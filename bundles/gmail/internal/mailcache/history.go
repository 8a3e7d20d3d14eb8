package mailcache

import (
	"context"
	"fmt"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
	"kota/store"
)

// Events are what happened in a mailbox after a point of its history.
type Events struct {
	Records []*gmailapi.History // oldest first
	To      uint64              // all until here are among them, and in the pages to come
	Page    string              // token of the page to go on with; "" when all are read
	Gone    bool                // Gmail does not know any more, so far back
}

const (
	eventsPage   = 500 // the most that Gmail gives at once
	maxSyncPages = 4   // pages that are read to bring labels up to date
)

// eventFields are those that KOTA reads of a page of history.
const eventFields = "nextPageToken,historyId,history(id,messagesAdded(message(id,threadId,labelIds)),messagesDeleted(message(id,threadId)),labelsAdded(message(id,threadId),labelIds),labelsRemoved(message(id,threadId),labelIds))"

// EventsSince reads up to that many pages of what happened after a point.
func EventsSince(ctx context.Context, m *mailbox.Mailbox, from HistoryPoint, pages int) (Events, error) {
	all := Events{Page: from.Page, To: from.To}
	for range pages {
		ask := m.API.Users.History.List(mailbox.Me).StartHistoryId(from.ID).MaxResults(eventsPage).Fields(eventFields).Context(ctx)
		if all.Page != "" {
			ask.PageToken(all.Page)
		}
		page, err := ask.Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			return Events{Gone: true}, nil
		}
		if err != nil {
			return Events{}, fmt.Errorf("read the mailbox's history: %w", err)
		}
		if all.To == 0 {
			all.To = page.HistoryId // what happens after the first page may be missing from the others
		}
		for _, record := range page.History {
			all.Records = append(all.Records, named(record))
		}
		if all.Page = page.NextPageToken; all.Page == "" {
			return all, nil
		}
	}
	return all, nil
}

// named leaves out of a record what does not say which message it is of.
func named(r *gmailapi.History) *gmailapi.History {
	is := func(message *gmailapi.Message) bool { return message != nil && message.Id != "" }
	r.MessagesAdded = slices.DeleteFunc(r.MessagesAdded, func(e *gmailapi.HistoryMessageAdded) bool { return !is(e.Message) })
	r.MessagesDeleted = slices.DeleteFunc(r.MessagesDeleted, func(e *gmailapi.HistoryMessageDeleted) bool { return !is(e.Message) })
	r.LabelsAdded = slices.DeleteFunc(r.LabelsAdded, func(e *gmailapi.HistoryLabelAdded) bool { return !is(e.Message) })
	r.LabelsRemoved = slices.DeleteFunc(r.LabelsRemoved, func(e *gmailapi.HistoryLabelRemoved) bool { return !is(e.Message) })
	return r
}

// labelChanges returns what the records say of labels and of deleted messages.
func labelChanges(records []*gmailapi.History) []store.MailChange {
	changes := []store.MailChange{}
	for _, r := range records {
		for _, e := range r.LabelsAdded {
			changes = append(changes, store.MailChange{History: r.Id, ID: e.Message.Id, Added: e.LabelIds})
		}
		for _, e := range r.LabelsRemoved {
			changes = append(changes, store.MailChange{History: r.Id, ID: e.Message.Id, Removed: e.LabelIds})
		}
		for _, e := range r.MessagesDeleted {
			changes = append(changes, store.MailChange{History: r.Id, ID: e.Message.Id, Deleted: true})
		}
	}
	return slices.Clip(changes)
}

// A HistoryPoint is how far a mailbox's history has been told. Where empty pages
// follow the id, Page is the one to go on with and To the end of the history
// when the first of them was read.
type HistoryPoint struct {
	ID   uint64 `json:"i,omitempty"` // 0 is the present
	Page string `json:"p,omitempty"`
	To   uint64 `json:"t,omitempty"`
}
