package gmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// The ids of Gmail's own labels, as far as KOTA treats them each in its way.
const (
	labelInbox     = "INBOX"
	labelUnread    = "UNREAD"
	labelStarred   = "STARRED"
	labelImportant = "IMPORTANT"
	labelSpam      = "SPAM"
	labelTrash     = "TRASH"
	labelSent      = "SENT"
	labelDraft     = "DRAFT"
)

// friendly are the names that people and clients give to Gmail's own labels,
// besides their ids. A label of the user's with such a name comes first.
var friendly = map[string]string{
	"star": labelStarred, "junk": labelSpam, "bin": labelTrash, "drafts": labelDraft,
	"primary": "CATEGORY_PERSONAL", "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL",
	"promotions": "CATEGORY_PROMOTIONS", "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS",
}

// system are the labels that every mailbox has, whether or not Gmail lists
// them all.
var system = []string{
	labelInbox, labelUnread, labelStarred, labelImportant, labelSpam, labelTrash, labelSent, labelDraft, "CHAT",
	"CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS",
}

// A labelCache keeps the labels of a mailbox. Reading them costs one unit, but
// a round trip.
type labelCache struct {
	mu  sync.Mutex
	set *labelSet // nil until it is read
}

// labelsFresh is how long labels are believed: a label that was renamed in
// Gmail meanwhile is called by its old name.
const labelsFresh = time.Minute

// labels returns the labels of the mailbox, which may be a minute old.
func (m *mailbox) labels(ctx context.Context) (*labelSet, error) {
	m.known.mu.Lock()
	set := m.known.set
	m.known.mu.Unlock()
	if set != nil && m.Now().Sub(set.read).Abs() < labelsFresh {
		return set, nil
	}
	return m.readLabels(ctx)
}

// readLabels reads the labels anew. The ids among extra that Gmail does not list are
// taken for names of themselves, so that nobody asks for them again.
func (m *mailbox) readLabels(ctx context.Context, extra ...string) (*labelSet, error) {
	list, err := m.api.Users.Labels.List(me).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	set := newLabelSet(list.Labels, m.Now())
	set.whose = m.namesOf(nameOfLabel).Theirs(ctx, m.account.Key())
	for _, id := range extra {
		if _, ok := set.byID[id]; !ok {
			set.byID[id] = id
		}
	}
	m.known.mu.Lock()
	m.known.set = set
	m.known.mu.Unlock()
	return set, nil
}

// namesOf notes which names of labels or filters were given after strangers were
// read.
func (all *mailboxes) namesOf(kind string) persist.Names {
	return persist.Names{DB: all.DB, Owner: owner, Source: untrusted.Mail, Kind: kind}
}

// The kinds of names.
const (
	nameOfLabel  = "label"
	nameOfFilter = "filter"
)

// forgetLabels makes the next caller read the labels anew: some were changed.
func (m *mailbox) forgetLabels() {
	m.known.mu.Lock()
	m.known.set = nil
	m.known.mu.Unlock()
}

// labelNames returns the names of the labels with these ids, in the same
// order. The labels are read once more when an id is not known.
func (m *mailbox) labelNames(ctx context.Context, ids []string) ([]string, error) {
	set, err := m.labels(ctx)
	if err != nil {
		return nil, err
	}
	unknown := func(id string) bool { _, ok := set.byID[id]; return !ok }
	if slices.ContainsFunc(ids, unknown) {
		if set, err = m.readLabels(ctx, ids...); err != nil {
			return nil, err
		}
	}
	return set.names(ids), nil
}

// labelIDs returns the ids of the labels of these names, in the same order.
// The labels are read once more when a name is not known; if it stays unknown,
// VALIDATION_ERROR names the nearest ones. path is the argument that the names
// are from.
func (m *mailbox) labelIDs(ctx context.Context, path string, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	set, err := m.labels(ctx)
	if err != nil {
		return nil, err
	}
	unknown := func(name string) bool { _, ok := set.id(name); return !ok }
	if slices.ContainsFunc(names, unknown) {
		if set, err = m.readLabels(ctx); err != nil {
			return nil, err
		}
	}
	ids := make([]string, len(names))
	var problems []metadata.Problem
	for i, name := range names {
		id, ok := set.id(name)
		if !ok {
			problems = append(problems, set.unknown(ctx, fmt.Sprintf("%s[%d]", path, i), name))
		}
		ids[i] = id
	}
	if len(problems) > 0 {
		return nil, unknownLabels(problems)
	}
	return ids, nil
}

// labelsOf returns the labels of the mailbox, which know the name of each of
// these ids that has one.
func (m *mailbox) labelsOf(ctx context.Context, ids []string) (*labelSet, error) {
	if _, err := m.labelNames(ctx, ids); err != nil {
		return nil, err
	}
	return m.labels(ctx)
}

// isSystem reports whether the name is the id of one of Gmail's own labels.
func isSystem(name string) bool {
	return slices.ContainsFunc(system, func(id string) bool { return strings.EqualFold(id, name) })
}

// knowsLabel returns a VALIDATION_ERROR when the mailbox has no label of that
// name: Gmail only finds nothing.
func (m *mailbox) knowsLabel(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	set, err := m.labels(ctx)
	if err != nil {
		return err
	}
	if _, ok := set.id(name); ok {
		return nil
	}
	if set, err = m.readLabels(ctx); err != nil {
		return err
	}
	if _, ok := set.id(name); ok {
		return nil
	}
	return noSuchLabel([]metadata.Problem{set.unknown(ctx, "label", name)})
}
