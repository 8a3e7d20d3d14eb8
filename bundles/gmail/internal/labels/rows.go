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

type Label struct {
	Account string `json:"account,omitempty"` // with account "*"
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type" enum:"system,user"`
	Hidden  bool   `json:"hidden,omitempty"` // not shown in Gmail's list of labels
	Total   *int64 `json:"total,omitempty"`  // messages
	Unread  *int64 `json:"unread,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of name
}

// Each count takes one request of one unit.
const (
	MaxCounted    = 200 // at most, per mailbox; Gmail allows 10,000 labels
	maxConcurrent = 6
)

// Rows returns the labels in the form of answers.
func Rows(ctx context.Context, m *mailbox.Mailbox, set *mailbox.LabelSet, list ...*gmailapi.Label) []Label {
	labels := []Label{}
	for _, l := range list {
		labels = append(labels, Label{
			ID: l.Id, Name: l.Name, Type: l.Type, Hidden: l.LabelListVisibility == "labelHide", Provenance: set.Untrusted.Provenance(ctx, l.Name),
		})
	}
	return labels
}

// Count sets the number of messages of each label.
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
