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

// Events are the events in a mailbox after a position in its history.
type Events struct {
	Records []*gmailapi.History // oldest first
	To      uint64              // the history id that the events reach with the last page
	Page    string              // Gmail's token for the next page; "" after the last page
	Expired bool                // Gmail no longer has history this old
}

const (
	eventsPage   = 500 // Gmail's limit for one page
	maxSyncPages = 4   // the maximum number of pages that are read to update labels
)

// eventFields are the fields that KOTA reads from a page of history.
const eventFields = "nextPageToken,historyId,history(id,messagesAdded(message(id,threadId,labelIds)),messagesDeleted(message(id,threadId)),labelsAdded(message(id,threadId),labelIds),labelsRemoved(message(id,threadId),labelIds))"

// EventsSince reads at most maxPages pages of events after from.
func EventsSince(ctx context.Context, m *mailbox.Mailbox, from HistoryPoint, maxPages int) (Events, error) {
	all := Events{Page: from.Page, To: from.To}
	for range maxPages {
		call := m.API.Users.History.List(mailbox.Me).StartHistoryId(from.ID).MaxResults(eventsPage).Fields(eventFields).Context(ctx)
		if all.Page != "" {
			call.PageToken(all.Page)
		}
		page, err := call.Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			return Events{Expired: true}, nil
		}
		if err != nil {
			return Events{}, fmt.Errorf("read the mailbox's history: %w", err)
		}
		if all.To == 0 {
			all.To = page.HistoryId // not the id of a later page: Records may lack events that happened after the first page was read
		}
		for _, record := range page.History {
			all.Records = append(all.Records, dropUnnamed(record))
		}
		if all.Page = page.NextPageToken; all.Page == "" {
			return all, nil
		}
	}
	return all, nil
}

// dropUnnamed removes the events of a record that have no message id.
func dropUnnamed(r *gmailapi.History) *gmailapi.History {
	hasID := func(message *gmailapi.Message) bool { return message != nil && message.Id != "" }
	r.MessagesAdded = slices.DeleteFunc(r.MessagesAdded, func(e *gmailapi.HistoryMessageAdded) bool { return !hasID(e.Message) })
	r.MessagesDeleted = slices.DeleteFunc(r.MessagesDeleted, func(e *gmailapi.HistoryMessageDeleted) bool { return !hasID(e.Message) })
	r.LabelsAdded = slices.DeleteFunc(r.LabelsAdded, func(e *gmailapi.HistoryLabelAdded) bool { return !hasID(e.Message) })
	r.LabelsRemoved = slices.DeleteFunc(r.LabelsRemoved, func(e *gmailapi.HistoryLabelRemoved) bool { return !hasID(e.Message) })
	return r
}

// labelChanges returns the changed labels and the deleted messages in the records.
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

// A HistoryPoint is the position up to which a mailbox's history was listed. If only empty
// pages were read after ID, Page is Gmail's token for the next page. To is then Events.To
// of these pages.
type HistoryPoint struct {
	ID   uint64 `json:"i,omitempty"` // 0 means now
	Page string `json:"p,omitempty"`
	To   uint64 `json:"t,omitempty"`
}
