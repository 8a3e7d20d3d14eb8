package gmail

import (
	"context"
	"fmt"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// What a call chose to change.
type chosen struct {
	ids     []string            // in the order of the call, or the newest first
	labels  map[string][]string // of each message as it is now, at least those that the call is about
	missing []failure           // what was asked for and is not there
	matched int
	more    bool // there are more than matched
}

// exactUpTo is how many messages are looked at one by one. What is not kept
// costs 20 units each; of more it is asked which carry the labels in question,
// which costs 5 units a label.
const exactUpTo = 100

// choose finds the messages that the call is about, and the labels they have.
// It returns NOT_FOUND when none of those given by id is there, and TOO_LARGE
// when a query fits more than one call may change.
func (m *mailbox) choose(ctx context.Context, in modifyIn, change *labelChange) (chosen, error) {
	switch {
	case in.Query != "":
		return m.chooseMatching(ctx, in, change)
	case len(in.ThreadIDs) > 0:
		return m.chooseThreads(ctx, in.ThreadIDs, change)
	}
	return m.chooseMessages(ctx, in.IDs)
}

func (m *mailbox) chooseMessages(ctx context.Context, ids []string) (chosen, error) {
	ids = unique(ids)
	c, err := m.look(ctx, ids)
	if err != nil {
		return chosen{}, err
	}
	if gone := minus(ids, c.ids); len(gone) > 0 {
		c.missing = append(c.missing, failure{IDs: gone, Code: metadata.NotFound, Message: "there is no such message"})
	}
	if len(c.ids) == 0 {
		return chosen{}, metadata.Errorf(metadata.NotFound, "none of these messages exists").
			WithHint("They may be deleted or belong to another account: find them with gmail_search_messages.")
	}
	return c, nil
}

// look returns the messages of these ids that there are, with their labels. A
// message too broken to be listed still has labels, which are asked for alone.
func (m *mailbox) look(ctx context.Context, ids []string) (chosen, error) {
	heads, err := m.headsOf(ctx, ids)
	if err != nil {
		return chosen{}, err
	}
	c := chosen{labels: map[string][]string{}, matched: len(heads)}
	var unread []string
	for _, h := range heads {
		c.ids = append(c.ids, h.ID)
		c.labels[h.ID] = h.Labels
		if h.Size < 0 {
			unread = append(unread, h.ID)
		}
	}
	if len(unread) == 0 {
		return c, nil
	}
	now, err := m.labelsNow(ctx, unread)
	for _, id := range unread {
		c.labels[id] = now[id]
	}
	return c, err
}

// chooseThreads reads the labels of whole threads, in one request each.
func (m *mailbox) chooseThreads(ctx context.Context, threads []string, change *labelChange) (chosen, error) {
	threads = unique(threads)
	found := make([]chosen, len(threads))
	group, all := panicsafe.WithContext(ctx, countsAtOnce)
	for i, thread := range threads {
		group.Go(func() (err error) {
			found[i], err = m.thread(all, thread)
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

func (m *mailbox) thread(ctx context.Context, id string) (chosen, error) {
	c := chosen{labels: map[string][]string{}}
	t, err := m.api.Users.Threads.Get(me, id).Format("minimal").Fields("messages(id,labelIds)").Context(ctx).Do()
	switch {
	case metadata.CodeOf(err) == metadata.NotFound:
		c.missing = []failure{{IDs: []string{id}, Code: metadata.NotFound, Message: "there is no such thread"}}
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

// chooseMatching finds what fits the query. Few messages are looked at one by
// one; of many it is asked which carry the labels in question.
func (m *mailbox) chooseMatching(ctx context.Context, in modifyIn, change *labelChange) (chosen, error) {
	most := change.most()
	limit := most
	if in.Limit != 0 {
		limit = min(in.Limit, most)
	}
	query := localDates(in.Query, m.Now().Location())
	ids, more, err := m.matching(ctx, query, limit, "")
	switch {
	case err != nil:
		return chosen{}, err
	case more && in.Limit == 0:
		return chosen{}, m.tooManyMatch(ctx, query, most)
	case len(ids) == 0:
		return chosen{}, nil
	}
	c := chosen{}
	if len(ids) <= exactUpTo {
		c, err = m.look(ctx, ids)
	} else {
		c, err = m.ask(ctx, query, limit, ids, change)
	}
	c.matched, c.more = len(ids), more
	return c, err
}

// ask finds out which of the messages, all that fit the query, carry the
// labels that the change is about.
func (m *mailbox) ask(ctx context.Context, query string, limit int, ids []string, change *labelChange) (chosen, error) {
	add, remove := change.sides()
	labels := append(add, remove...)
	carrying := make([][]string, len(labels))
	group, all := panicsafe.WithContext(ctx, countsAtOnce)
	for i, label := range labels {
		group.Go(func() (err error) {
			carrying[i], _, err = m.matching(all, query, limit, label)
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

// matching returns the newest messages that fit the query, and carry the label
// if one is given, and whether there are more.
func (m *mailbox) matching(ctx context.Context, query string, limit int, label string) (ids []string, more bool, err error) {
	call := m.searchIDs(query).MaxResults(int64(limit))
	if label != "" {
		call.LabelIds(label)
	}
	page, err := call.Context(ctx).Do()
	if err != nil {
		return nil, false, fmt.Errorf("search messages: %w", err)
	}
	for _, message := range page.Messages {
		ids = append(ids, message.Id)
	}
	return ids, page.NextPageToken != "", nil
}

// searchIDs is a search for the ids of messages.
func (m *mailbox) searchIDs(query string) *gmailapi.UsersMessagesListCall {
	return m.api.Users.Messages.List(me).Q(query).IncludeSpamTrash(asksForHidden(query)).Fields("messages/id", "nextPageToken")
}

// tooManyMatch says how many messages fit the query, counted up to 2,000.
func (m *mailbox) tooManyMatch(ctx context.Context, query string, most int) error {
	const pages, size = 4, 500
	count, token := 0, ""
	for range pages {
		page, err := m.searchIDs(query).MaxResults(size).PageToken(token).Context(ctx).Do()
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

// most is how many messages one call may change.
func (c *labelChange) most() int {
	if _, said := c.want[labelTrash]; said {
		return mostTrashed
	}
	return mostModified
}

// unique returns the elements without those that came before, in their order.
func unique(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, one := range list {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}
