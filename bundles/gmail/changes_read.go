package gmail

import (
	"context"
	"slices"

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
