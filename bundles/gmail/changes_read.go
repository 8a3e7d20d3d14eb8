package gmail

import (
	"context"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
	"kota/store"
)

// accountChanges is what happened in one account.
type accountChanges struct {
	account    string
	added      []messageRow
	deleted    []deletedMessage
	labels     []changedLabels
	next       historyPoint
	more, gone bool
}

// A story is what became of one message.
type story struct {
	id, thread     string
	came, left     bool
	added, removed []string // label ids, in the end
}

const changesPages = 4 // of history that one call reads

// changesSince tells what happened in the mailbox since a point of its history.
func changesSince(ctx context.Context, m *mailbox.Mailbox, since historyPoint, in changesIn, several bool) (accountChanges, error) {
	out := accountChanges{account: m.Account.Name}
	if since.ID == 0 {
		_, now, err := m.Profile(ctx)
		out.next.ID = now
		return out, err
	}
	happened, err := eventsSince(ctx, m, since, changesPages)
	if metadata.CodeOf(err) == metadata.ValidationError && since.Page != "" {
		happened, err = eventsSince(ctx, m, historyPoint{ID: since.ID}, changesPages) // Gmail no longer knows the page
	}
	if err != nil {
		return out, err
	}
	if happened.gone {
		_, now, err := m.Profile(ctx)
		out.next.ID, out.gone = now, true
		return out, err
	}
	stories, until := tell(happened.records, in.Limit, func(s story) bool { return s.isOf(in.Types) })
	out.more = happened.page != "" || until != 0
	switch {
	case until != 0:
		out.next.ID = until
	case happened.page == "":
		out.next.ID = happened.to
	case len(happened.records) > 0:
		out.next.ID = happened.records[len(happened.records)-1].Id
	default:
		out.next = historyPoint{ID: since.ID, Page: happened.page, To: happened.to}
	}
	return out, describeChanges(ctx, m, &out, stories, several)
}

// describeChanges fills in what a reader has to know of the messages.
func describeChanges(ctx context.Context, m *mailbox.Mailbox, out *accountChanges, stories []story, several bool) error {
	name := ""
	if several {
		name = m.Account.Name
	}
	var ids, labels []string
	for _, s := range stories {
		if !s.left {
			ids = append(ids, s.id)
		}
		labels = append(append(labels, s.added...), s.removed...)
	}
	heads := map[string]*store.MailHead{}
	if len(ids) > 0 {
		all, err := summariesOf(ctx, m, ids)
		if err != nil {
			return err
		}
		for _, h := range all {
			heads[h.ID] = h
		}
	}
	set, err := m.LabelsOf(ctx, labels)
	if err != nil {
		return err
	}
	var came []*store.MailHead
	for _, s := range stories {
		h := heads[s.id]
		switch {
		case s.left:
			out.deleted = append(out.deleted, deletedMessage{Account: name, ID: s.id, Thread: s.thread})
		case h == nil: // deleted since: the next call tells
		case s.came:
			came = append(came, h)
		default:
			out.labels = append(out.labels, changedLabels{
				Account: name, ID: s.id, Thread: s.thread, From: mailbody.ShortList(h.Header("From")), Subject: mailbody.Line(h.Header("Subject"), mailbody.MaxSubject),
				Added: set.NamesOf(s.added), Removed: set.NamesOf(s.removed),
				Provenance: set.ProvenanceWith(ctx, provenanceOfHead(ctx, h), slices.Concat(s.added, s.removed)...),
			})
		}
	}
	out.added, err = rowsOf(ctx, m, came, several)
	return err
}

// tell makes one story of all that happened to each message, in the order in
// which they begin, and leaves out those that end as they began. It tells at
// most so many that are wanted: until is the last point that is told when
// there are more, else 0.
func tell(records []*gmailapi.History, most int, wanted func(story) bool) (stories []story, until uint64) {
	known := map[string]*story{}
	var order []string
	told := func() (all []story) {
		for _, id := range order {
			if s := known[id]; !(s.came && s.left) && wanted(*s) {
				all = append(all, *s)
			}
		}
		return all
	}
	of := func(message *gmailapi.Message) *story {
		if known[message.Id] == nil {
			known[message.Id] = &story{id: message.Id, thread: message.ThreadId}
			order = append(order, message.Id)
		}
		return known[message.Id]
	}
	for i, r := range records {
		if i > 0 && len(known) >= most && len(told()) >= most && r.Id != records[i-1].Id {
			return told(), records[i-1].Id
		}
		for _, e := range r.MessagesAdded {
			s := of(e.Message)
			s.came, s.left = true, false
		}
		for _, e := range r.LabelsAdded {
			of(e.Message).label(e.LabelIds, nil)
		}
		for _, e := range r.LabelsRemoved {
			of(e.Message).label(nil, e.LabelIds)
		}
		for _, e := range r.MessagesDeleted {
			of(e.Message).left = true
		}
	}
	return told(), 0
}

// label notes labels that came and went: one that came and went again did
// neither.
func (s *story) label(added, removed []string) {
	for _, id := range added {
		if at := slices.Index(s.removed, id); at >= 0 {
			s.removed = slices.Delete(s.removed, at, at+1)
		} else if !slices.Contains(s.added, id) {
			s.added = append(s.added, id)
		}
	}
	for _, id := range removed {
		if at := slices.Index(s.added, id); at >= 0 {
			s.added = slices.Delete(s.added, at, at+1)
		} else if !slices.Contains(s.removed, id) {
			s.removed = append(s.removed, id)
		}
	}
}

// isOf reports whether the story is of one of the types, which are all when
// there are none.
func (s story) isOf(types []string) bool {
	kind := "labels"
	switch {
	case s.left:
		kind = "deleted"
	case s.came:
		kind = "added"
	case len(s.added)+len(s.removed) == 0:
		return false
	}
	return len(types) == 0 || slices.Contains(types, kind)
}
