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

// A selection holds the messages that a call selects for a change.
type selection struct {
	ids     []string            // in the order of the call, or newest first
	labels  map[string][]string // message id → its current labels, at least those in the change
	missing []mailbox.Failure   // requested messages and threads that do not exist
	matched int                 // number of matching messages
	more    bool                // more messages match
}

// KOTA reads at most maxReadOneByOne messages one by one, at 20 quota units for each that is
// not cached. For more messages, it makes one query per label, at 5 units.
const maxReadOneByOne = 100

// selectMessages finds the messages of the call and their labels. It returns NOT_FOUND if
// none of the ids exists, and TOO_LARGE if there are too many messages.
func selectMessages(ctx context.Context, m *mailbox.Mailbox, in ModifyIn, change *labelChange) (selection, error) {
	switch {
	case in.Query != "":
		return selectMatching(ctx, m, in, change)
	case len(in.ThreadIDs) > 0:
		return selectThreads(ctx, m, in.ThreadIDs, change)
	}
	return selectByID(ctx, m, in.IDs)
}

func selectByID(ctx context.Context, m *mailbox.Mailbox, ids []string) (selection, error) {
	ids = mailbox.Unique(ids)
	c, err := readLabels(ctx, m, ids)
	if err != nil {
		return selection{}, err
	}
	if missing := difference(ids, c.ids); len(missing) > 0 {
		c.missing = append(c.missing, mailbox.Failure{IDs: missing, Code: metadata.NotFound, Message: "there is no such message"})
	}
	if len(c.ids) == 0 {
		return selection{}, metadata.Errorf(metadata.NotFound, "none of these messages exists").
			WithHint("They may be deleted or belong to another account: find them with gmail_search_messages.")
	}
	return c, nil
}

// readLabels returns the existing messages with these ids and their labels. It reads the
// labels separately for messages that are too broken to be listed.
func readLabels(ctx context.Context, m *mailbox.Mailbox, ids []string) (selection, error) {
	summaries, err := mailcache.SummariesOf(ctx, m, ids)
	if err != nil {
		return selection{}, err
	}
	c := selection{labels: map[string][]string{}, matched: len(summaries)}
	var unlisted []string
	for _, h := range summaries {
		c.ids = append(c.ids, h.ID)
		c.labels[h.ID] = h.Labels
		if h.Size < 0 {
			unlisted = append(unlisted, h.ID)
		}
	}
	if len(unlisted) == 0 {
		return c, nil
	}
	current, err := currentLabels(ctx, m, unlisted)
	for _, id := range unlisted {
		c.labels[id] = current[id]
	}
	return c, err
}

// selectThreads selects all messages of the threads. It makes one request per thread.
func selectThreads(ctx context.Context, m *mailbox.Mailbox, threads []string, change *labelChange) (selection, error) {
	threads = mailbox.Unique(threads)
	found := make([]selection, len(threads))
	group, groupCtx := panicsafe.WithContext(ctx, maxConcurrent)
	for i, thread := range threads {
		group.Go(func() (err error) {
			found[i], err = labelsInThread(groupCtx, m, thread)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return selection{}, err
	}
	c := selection{labels: map[string][]string{}}
	for _, inThread := range found {
		c.missing = append(c.missing, inThread.missing...)
		for _, id := range inThread.ids {
			c.ids = append(c.ids, id)
			c.labels[id] = inThread.labels[id]
		}
	}
	c.matched = len(c.ids)
	if c.matched == 0 {
		return selection{}, metadata.Errorf(metadata.NotFound, "none of these threads exists").
			WithHint("They may be deleted or belong to another account: find them with gmail_search_messages.")
	}
	if limit := change.limit(); c.matched > limit {
		return selection{}, tooManyError(fmt.Sprint(c.matched), limit, "Give fewer threads.")
	}
	return c, nil
}

func labelsInThread(ctx context.Context, m *mailbox.Mailbox, id string) (selection, error) {
	c := selection{labels: map[string][]string{}}
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

// selectMatching finds the messages that match the query. It reads up to maxReadOneByOne
// messages one by one. For more, it asks Gmail which of them have the labels in the change.
func selectMatching(ctx context.Context, m *mailbox.Mailbox, in ModifyIn, change *labelChange) (selection, error) {
	maximum := change.limit()
	limit := maximum
	if in.Limit != 0 {
		limit = min(in.Limit, maximum)
	}
	query := search.LocalDates(in.Query, m.Now().Location())
	ids, more, err := search.MatchingIDs(ctx, m, query, limit, "")
	switch {
	case err != nil:
		return selection{}, err
	case more && in.Limit == 0:
		return selection{}, tooManyMatchError(ctx, m, query, maximum)
	case len(ids) == 0:
		return selection{}, nil
	}
	c := selection{}
	if len(ids) <= maxReadOneByOne {
		c, err = readLabels(ctx, m, ids)
	} else {
		c, err = queryLabels(ctx, m, query, limit, ids, change)
	}
	c.matched, c.more = len(ids), more
	return c, err
}

// queryLabels asks Gmail which of the messages with these ids have the labels in the
// change. The ids are the first results of the query.
func queryLabels(ctx context.Context, m *mailbox.Mailbox, query string, limit int, ids []string, change *labelChange) (selection, error) {
	add, remove := change.addAndRemove()
	labels := append(add, remove...)
	withLabel := make([][]string, len(labels))
	group, groupCtx := panicsafe.WithContext(ctx, maxConcurrent)
	for i, label := range labels {
		group.Go(func() (err error) {
			withLabel[i], _, err = search.MatchingIDs(groupCtx, m, query, limit, label)
			return err
		})
	}
	c := selection{ids: ids, labels: map[string][]string{}}
	if err := group.Wait(); err != nil {
		return selection{}, err
	}
	for i, label := range labels {
		for _, id := range withLabel[i] {
			c.labels[id] = append(c.labels[id], label)
		}
	}
	return c, nil
}

// tooManyMatchError returns TOO_LARGE with the number of matching messages. It counts up to
// 2,000.
func tooManyMatchError(ctx context.Context, m *mailbox.Mailbox, query string, maximum int) error {
	const pages, size = 4, 500
	count, token := 0, ""
	for range pages {
		page, err := search.IDRequest(m, query).MaxResults(size).PageToken(token).Context(ctx).Do()
		if err != nil {
			return fmt.Errorf("search messages: %w", err)
		}
		count, token = count+len(page.Messages), page.NextPageToken
		if token == "" {
			break
		}
	}
	total := fmt.Sprint(count)
	if token != "" {
		total = "more than " + total
	}
	return tooManyError(total, maximum, fmt.Sprintf("Narrow the query, or give limit (at most %d) to change the newest of them; dry_run shows which.", maximum))
}

func tooManyError(count string, maximum int, hint string) error {
	return &metadata.Error{
		Code:    metadata.TooLarge,
		Message: fmt.Sprintf("%s messages match, and one call changes at most %d: nothing was changed", count, maximum),
		Hint:    hint,
	}
}

// limit returns the maximum number of messages that one call may change.
func (c *labelChange) limit() int {
	if _, isSet := c.want[mailbox.Trash]; isSet {
		return maxTrashed
	}
	return maxModified
}
