package gmail_test

import (
	"slices"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"
)

// otherClient returns a Gmail client that changes Ann's mailbox without KOTA, as another
// program would.
func (d *fixture) otherClient(t *testing.T) *gmailapi.Service {
	t.Helper()
	client := d.google.HTTPClient(ann)
	t.Cleanup(client.CloseIdleConnections)
	api, err := gmailapi.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(d.google.URL()+"/"))
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// relabel adds and removes labels with the other client.
func (d *fixture) relabel(t *testing.T, ids []string, has map[string]bool) {
	t.Helper()
	change := &gmailapi.BatchModifyMessagesRequest{Ids: ids}
	for label, has := range has {
		if has {
			change.AddLabelIds = append(change.AddLabelIds, label)
		} else {
			change.RemoveLabelIds = append(change.RemoveLabelIds, label)
		}
	}
	if len(has) == 0 {
		return
	}
	if err := d.otherClient(t).Users.Messages.BatchModify("me", change).Do(); err != nil {
		t.Fatal(err)
	}
}

// rawLabels returns the sorted label ids of a message.
func (d *fixture) rawLabels(id string) []string {
	for _, m := range d.ann.Messages("in:anywhere") {
		if m.ID == id {
			slices.Sort(m.Labels)
			return m.Labels
		}
	}
	return nil
}
