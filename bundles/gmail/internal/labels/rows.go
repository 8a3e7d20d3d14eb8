package labels

import (
	"context"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A Label is a label in an answer.
type Label struct {
	Account string `json:"account,omitempty"` // only if the argument account is "*"
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type" enum:"system,user"`
	Hidden  bool   `json:"hidden,omitempty"` // not shown in Gmail's list of labels
	Total   *int64 `json:"total,omitempty"`  // number of messages; nil if not counted
	Unread  *int64 `json:"unread,omitempty"` // number of unread messages; nil if not counted

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // the provenance of the name
}

// These limit Count, which takes one request of one quota unit per label.
const (
	MaxCounted    = 200 // labels per mailbox; Gmail allows 10,000
	maxConcurrent = 6   // concurrent requests, also of other functions
)

// Rows returns the labels in the form of an answer, in the same order.
func Rows(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, list ...*gmailapi.Label) []Label {
	labels := []Label{}
	for _, l := range list {
		labels = append(labels, Label{
			ID: l.Id, Name: l.Name, Type: l.Type, Hidden: l.LabelListVisibility == "labelHide", Provenance: set.Untrusted.Provenance(ctx, l.Name),
		})
	}
	return labels
}

// Count sets Total and Unread of each label that still exists.
func Count(ctx context.Context, m *mailbox.Mailbox, labels []Label) error {
	group, ctx := panicsafe.WithContext(ctx, maxConcurrent)
	for i := range labels {
		group.Go(func() error {
			l, err := m.API.Users.Labels.Get(mailbox.Me, labels[i].ID).Fields("messagesTotal", "messagesUnread").Context(ctx).Do()
			if metadata.CodeOf(err) == metadata.NotFound {
				return nil // deleted since it was listed
			}
			if err != nil {
				return fmt.Errorf("count messages: %w", err)
			}
			labels[i].Total, labels[i].Unread = &l.MessagesTotal, &l.MessagesUnread
			return nil
		})
	}
	return group.Wait()
}
