package labels

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/present"
	"kota/store"
)

// maxDescribed is the maximum number of messages that an approval of a removal
// lists.
const maxDescribed = 50

// confirmRemoval asks bundles.ConfirmRemoval about the planned messages that the
// change moves out of sight. It returns nil if KOTA may move them.
func confirmRemoval(ctx context.Context, m *mailbox.Mailbox, change *labelChange, selected selection, planned []string) error {
	moved, format := change.outOfSight(selected, planned)
	if len(moved) == 0 {
		return nil
	}
	items := []string{}
	for _, id := range moved {
		items = append(items, present.ItemName(id))
	}
	return bundles.ConfirmRemoval(ctx, bundles.Removal{Items: items, Count: len(moved), Describe: func() (bundles.Deletion, error) {
		summaries, err := mailcache.SummariesOf(ctx, m, moved[:min(len(moved), maxDescribed)])
		if err != nil {
			return bundles.Deletion{}, err
		}
		deletion := bundles.Deletion{What: fmt.Sprintf(format, messages(len(moved))), All: append([]string{change.title(len(moved))}, moved...)}
		for _, h := range summaries {
			deletion.Lines = append(deletion.Lines, bundles.Line{Name: "Mail", Text: messageLine(m, h)})
		}
		if rest := len(moved) - len(summaries); rest > 0 {
			deletion.Lines = append(deletion.Lines, bundles.Line{Name: "And", Text: messages(rest) + " more"})
		}
		return deletion, nil
	}})
}

// messageLine returns the date, the sender and the subject of a message.
func messageLine(m *mailbox.Mailbox, h *store.MailSummary) string {
	return strings.Join([]string{
		h.Date.In(m.Now().Location()).Format(time.DateOnly), mailbody.Line(h.Header("From"), 60), mailbody.Line(h.Header("Subject"), mailbody.MaxName),
	}, " · ")
}

// outOfSight returns the ids of the planned messages that the change moves to the trash, to
// spam or out of the inbox. format describes the move. It has a %s for the number of
// messages with its noun.
func (c *labelChange) outOfSight(selected selection, planned []string) (ids []string, format string) {
	for _, destination := range []struct {
		label string
		has   bool
		words string
	}{{mailbox.Trash, true, "moves %s to the trash"}, {mailbox.Spam, true, "reports %s as spam"}, {mailbox.Inbox, false, "removes %s from the inbox"}} {
		has, isSet := c.want[destination.label]
		if !isSet || has != destination.has {
			continue
		}
		for _, id := range planned {
			if slices.Contains(selected.labels[id], destination.label) != destination.has && !slices.Contains(ids, id) {
				ids, format = append(ids, id), destination.words
			}
		}
	}
	return ids, format
}
