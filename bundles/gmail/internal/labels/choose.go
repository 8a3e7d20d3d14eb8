package labels

import (
	"context"
	"fmt"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// chosen holds the messages that a call chose to change.
type chosen struct {
	ids     []string            // in the order of the call, or newest first
	labels  map[string][]string // the current labels of each message, at least those in the change
	missing []mailbox.Failure   // requested messages that do not exist
	matched int
	more    bool // more messages match
}

// exactUpTo is the number of messages up to which each is read, at 20 units each unless
// cached. Above that, KOTA makes one query per label, at 5 units.
const exactUpTo = 100

// chooseTargets finds the messages of the call and their labels. It returns NOT_FOUND if
// none of the ids exists, and TOO_LARGE if a query matches too many.
func chooseTargets(ctx context.Context, m *mailbox.Mailbox, in ModifyIn, change *labelChange) (chosen, error) {
	switch {
	case in.Query != "":
		return chooseMatching(ctx, m, in, change)
	case len(in.ThreadIDs) > 0:
		return chooseThreads(ctx, m, in.ThreadIDs, change)
	}
	return chooseMessages(ctx, m, in.IDs)
}

func chooseMessages(ctx context.Context, m *mailbox.Mailbox, ids []string) (chosen, error) {
	ids = mailbox.Unique(ids)
	c, err := lookUp(ctx, m, ids)
	if err != nil {
		return chosen{}, err
	}
	if gone := minus(ids, c.ids); len(gone) > 0 {
		c.missing = append(c.missing, mailbox.Failure{IDs: gone, Code: metadata.NotFound, Message: "there is no such message"})
	}
	if len(c.ids) == 0 {
		return chosen{}, metadata.Errorf(metadata.NotFound, "none of these messages exists").
			WithHint("They may be deleted or belong to another account: find them with gmail_search_messages.")
	}
	return c, nil
}

// lookUp returns the existing messages with these ids and their labels. It reads the
// labels separately for messages that are too broken to be listed.
func lookUp(ctx context.Context, m *mailbox.Mailbox, ids []string) (chosen, error) {
	summaries, err := mailcache.SummariesOf(ctx, m, ids)
	if err != nil {
		return chosen{}, err
	}
	c := chosen{labels: map[string][]string{}, matched: len(summaries)}
	var unread []string
	for _, h := range summaries {
		c.ids = append(c.ids, h.ID)
		c.labels[h.ID] = h.Labels
		if h.Size < 0 {
			unread = append(unread, h.ID)
		}
	}
	if len(unread) == 0 {
		return c, nil
	}
	now, err := labelsNow(ctx, m, unread)
	for _, id := range unread {
		c.labels[id] = now[id]
	}
	return c, err
}

// chooseThreads reads the labels of whole threads, with one request each.
func chooseThreads(ctx context.Context, m *mailbox.Mailbox, threads []string, change *labelChange) (chosen, error) {
	threads = mailbox.Unique(threads)
	found := make([]chosen, len(threads))
	group, all := panicsafe.WithContext(ctx, countsAtOnce)
	for i, thread := range threads {
		group.Go(func() (err error) {
			found[i], err = labelsInThread(all, m, thread)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return chosen{}, err
	}
	c := chosen{labels: map[string][]string{}}
	for _, one := range found {
		c.missing = append(c.missing, one.missing...)
		for _, id := range one.ids {
			c.ids = append(c.ids, id)
			c.labels[id] = one.labels[id]
		}
	}
	c.matched = len(c.ids)
	if c.matched == 0 {
		return chosen{}, metadata.Errorf(metadata.NotFound, "none of these threads exists").
			WithHint("They may be deleted or belong to another account: find them with gmail_search_messages.")
	}
	if most := change.most(); c.matched > most {
		return chosen{}, tooMany(fmt.Sprint(c.matched), most, "Give fewer threads.")
	}
	return c, nil
}

func labelsInThread(ctx context.Context, m *mailbox.Mailbox, id string) (chosen, error) {
	c := chosen{labels: map[string][]string{}}
	t, err := m.API.Users.Threads.Get(mailbox.Me, id).Format("minimal").Fields("messages(id,labelIds)").Context(ctx).Do()
	switch {
	case metadata.CodeOf(err) == metadata.NotFound:
		c.missing = []mailbox.Failure{{IDs: []string{id}, Code: metadata.NotFound, Message: "there is no such thread"}}
		return c, nil
	case err != nil:
		return c, fmt.Errorf("read thread: %w", err)
	}
	for _, message := range t.Messages {
		c.ids = append(c.ids, message.Id)
		c.labels[message.Id] = message.LabelIds
	}
	return c, nil
}

// chooseMatching finds the messages that match the query. It reads few messages one by
// one. For many, it asks Gmail which of them have the labels in the change.
func chooseMatching(ctx context.Context, m *mailbox.Mailbox, in ModifyIn, change *labelChange) (chosen, error) {
	most := change.most()
	limit := most
	if in.Limit != 0 {
		limit = min(in.Limit, most)
	}
	query := search.LocalDates(in.Query, m.Now().Location())
	ids, more, err := search.Matching(ctx, m, query, limit, "")
	switch {
	case err != nil:
		return chosen{}, err
	case more && in.Limit == 0:
		return chosen{}, tooManyMatch(ctx, m, query, most)
	case len(ids) == 0:
		return chosen{}, nil
	}
	c := chosen{}
	if len(ids) <= exactUpTo {
		c, err = lookUp(ctx, m, ids)
	} else {
		c, err = askWhich(ctx, m, query, limit, ids, change)
	}
	c.matched, c.more = len(ids), more
	return c, err
}

// askWhich asks Gmail which of the messages have the labels in the change.
func askWhich(ctx context.Context, m *mailbox.Mailbox, query string, limit int, ids []string, change *labelChange) (chosen, error) {
	add, remove := change.sides()
	labels := append(add, remove...)
	carrying := make([][]string, len(labels))
	group, all := panicsafe.WithContext(ctx, countsAtOnce)
	for i, label := range labels {
		group.Go(func() (err error) {
			carrying[i], _, err = search.Matching(all, m, query, limit, label)
			return err
		})
	}
	c := chosen{ids: ids, labels: map[string][]string{}}
	if err := group.Wait(); err != nil {
		return chosen{}, err
	}
	for i, label := range labels {
		for _, id := range carrying[i] {
			c.labels[id] = append(c.labels[id], label)
		}
	}
	return c, nil
}

// tooManyMatch returns an error with the number of matching messages, counted up to
// 2,000.
func tooManyMatch(ctx context.Context, m *mailbox.Mailbox, query string, most int) error {
	const pages, size = 4, 500
	count, token := 0, ""
	for range pages {
		page, err := search.IDs(m, query).MaxResults(size).PageToken(token).Context(ctx).Do()
		if err != nil {
			return fmt.Errorf("search messages: %w", err)
		}
		count, token = count+len(page.Messages), page.NextPageToken
		if token == "" {
			break
		}
	}
	said := fmt.Sprint(count)
	if token != "" {
		said = "more than " + said
	}
	return tooMany(said, most, fmt.Sprintf("Narrow the query, or give limit (at most %d) to change the newest of them; dry_run shows which.", most))
}

func tooMany(count string, most int, hint string) error {
	return &metadata.Error{
		Code:    metadata.TooLarge,
		Message: fmt.Sprintf("%s messages are meant, and one call changes at most %d: nothing was changed", count, most),
		Hint:    hint,
	}
}

// most returns how many messages one call may change.
func (c *labelChange) most() int {
	if _, said := c.want[mailbox.Trash]; said {
		return mostTrashed
	}
	return mostModified
}
