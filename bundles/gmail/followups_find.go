package gmail

import (
	"context"
	"fmt"
	"slices"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google"
	"kota/bundles/internal/safely"
	"kota/store"
)

// Lists of ids cost five units a page, a message twenty: so the conversations
// that wait are told by comparing lists, and only those are looked at.
const (
	listPage        = 500
	pagesOfAll      = 6  // 3,000 messages
	pagesOfLast     = 2  // 1,000 that may be the last of their conversation
	headsAtOnce     = 20 // two batches: one round trip
	mostHeadsLooked = 80
)

// waiting finds the conversations whose last message has no answer.
func (m *mailbox) waiting(ctx context.Context, in followupsIn, span waitingSpan) ([]followup, string, error) {
	mine := in.Direction == "they_owe_me"
	candidates, note, err := m.lastOnes(ctx, span, mine)
	if err != nil {
		return nil, "", err
	}
	senders, err := m.identities(ctx)
	if err != nil {
		return nil, "", err
	}
	found := []followup{}
	for chunk := range slices.Chunk(candidates[:min(len(candidates), mostHeadsLooked)], headsAtOnce) {
		heads, err := m.headsOf(ctx, chunk)
		if err != nil {
			return nil, "", err
		}
		heads = slices.DeleteFunc(heads, func(h *store.MailHead) bool { return !awaits(h, mine, senders) })
		rows, err := m.rows(ctx, heads, in.Account == google.EveryAccount)
		if err != nil {
			return nil, "", err
		}
		for i, row := range rows {
			found = append(found, followup{Days: int(m.Now().Sub(heads[i].Date) / (24 * time.Hour)), messageRow: row})
		}
		if len(found) >= in.Limit {
			return found[:in.Limit], note, nil
		}
	}
	if len(candidates) > mostHeadsLooked {
		note = fmt.Sprintf("only the latest %d conversations were looked at: choose a shorter within", mostHeadsLooked)
	}
	return found, note, nil
}

// lastOnes returns the messages in the span that are the last of their
// conversation and are mine, or are to me; the latest first.
func (m *mailbox) lastOnes(ctx context.Context, span waitingSpan, mine bool) (ids []string, note string, err error) {
	q := "in:sent"
	if !mine {
		q = "to:me -from:me -in:sent -category:promotions -category:social -category:forums"
	}
	q += fmt.Sprintf(" -in:drafts after:%d before:%d", span.after.Unix(), span.before.Unix())
	var all, some []*gmailapi.Message
	var more bool
	group, both := safely.WithContext(ctx, 3)
	group.Go(func() (err error) {
		all, more, err = m.listPages(both, fmt.Sprintf("-in:drafts after:%d", span.after.Unix()), pagesOfAll)
		return err
	})
	group.Go(func() error {
		_, err := m.identities(both) // whoever looks at the messages wants them
		return err
	})
	group.Go(func() (err error) {
		some, _, err = m.listPages(both, q, pagesOfLast)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, "", err
	}
	last := map[string]string{} // by conversation
	for _, message := range all {
		if last[message.ThreadId] == "" {
			last[message.ThreadId] = message.Id
		}
	}
	for _, message := range some {
		if last[message.ThreadId] == message.Id {
			ids = append(ids, message.Id)
		}
	}
	if more {
		note = fmt.Sprintf("there is too much mail to look at all of it: older conversations than the latest %d messages are left out", len(all))
	}
	return ids, note, nil
}

// listPages lists the messages that q finds, newest first, and reports whether
// there are more than so many pages.
func (m *mailbox) listPages(ctx context.Context, q string, pages int) (all []*gmailapi.Message, more bool, err error) {
	token := ""
	for range pages {
		page, err := m.list(ctx, q, token, listPage)
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
