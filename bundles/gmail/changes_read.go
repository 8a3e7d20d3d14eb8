package gmail

import (
	"context"
	"slices"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/present"
	"kota/metadata"
	"kota/store"
)

// accountChanges are the changes of one account.
type accountChanges struct {
	account string
	added   []present.Row
	deleted []deletedMessage
	labels  []changedLabels
	next    mailcache.HistoryPoint // where the next call begins
	more    bool                   // there are changes that this call does not list
	expired bool                   // Gmail no longer has the history since the cursor
}

const maxChangesPages = 4 // the maximum number of pages of history that one call reads for an account

// changesSince returns what happened in the mailbox since a position in its history. For
// the zero position it returns only the current position. If several is true, the rows
// name their account.
func changesSince(ctx context.Context, m *mailbox.Mailbox, since mailcache.HistoryPoint, in changesIn, several bool) (accountChanges, error) {
	out := accountChanges{account: m.Account.Name}
	if since.ID == 0 {
		_, current, err := m.Profile(ctx)
		out.next.ID = current
		return out, err
	}
	events, err := mailcache.EventsSince(ctx, m, since, maxChangesPages)
	if metadata.CodeOf(err) == metadata.ValidationError && since.Page != "" {
		events, err = mailcache.EventsSince(ctx, m, mailcache.HistoryPoint{ID: since.ID}, maxChangesPages) // since.Page has expired
	}
	if err != nil {
		return out, err
	}
	if events.Expired {
		_, current, err := m.Profile(ctx)
		out.next.ID, out.expired = current, true
		return out, err
	}
	changes, until := mailcache.Changes(events.Records, in.Limit, func(s mailcache.MessageChange) bool { return s.HasType(in.Types) })
	out.more = events.Page != "" || until != 0
	switch {
	case until != 0:
		out.next.ID = until
	case events.Page == "":
		out.next.ID = events.To
	case len(events.Records) > 0:
		out.next.ID = events.Records[len(events.Records)-1].Id
	default:
		out.next = mailcache.HistoryPoint{ID: since.ID, Page: events.Page, To: events.To}
	}
	return out, describeChanges(ctx, m, &out, changes, several)
}

// describeChanges adds the changed messages to out, with their senders, subjects, labels
// and provenance.
func describeChanges(ctx context.Context, m *mailbox.Mailbox, out *accountChanges, changes []mailcache.MessageChange, several bool) error {
	name := ""
	if several {
		name = m.Account.Name
	}
	var ids, labels []string
	for _, s := range changes {
		if !s.Deleted {
			ids = append(ids, s.ID)
		}
		labels = append(append(labels, s.Added...), s.Removed...)
	}
	summaries := map[string]*store.MailSummary{}
	if len(ids) > 0 {
		all, err := mailcache.SummariesOf(ctx, m, ids)
		if err != nil {
			return err
		}
		for _, h := range all {
			summaries[h.ID] = h
		}
	}
	set, err := m.LabelsOf(ctx, labels)
	if err != nil {
		return err
	}
	var arrived []*store.MailSummary
	for _, s := range changes {
		h := summaries[s.ID]
		switch {
		case s.Deleted:
			out.deleted = append(out.deleted, deletedMessage{Account: name, ID: s.ID, Thread: s.Thread})
		case h == nil: // deleted meanwhile: the next call lists it
		case s.Arrived:
			arrived = append(arrived, h)
		default:
			out.labels = append(out.labels, changedLabels{
				Account: name, ID: s.ID, Thread: s.Thread, From: mailbody.ShortList(h.Header("From")), Subject: mailbody.Line(h.Header("Subject"), mailbody.MaxSubject),
				Added: set.NamesOf(s.Added), Removed: set.NamesOf(s.Removed),
				Provenance: set.ProvenanceWith(ctx, present.ProvenanceOfSummary(ctx, h), slices.Concat(s.Added, s.Removed)...),
			})
		}
	}
	out.added, err = present.Rows(ctx, m, arrived, several)
	return err
}
