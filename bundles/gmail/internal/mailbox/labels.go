package mailbox

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
	Inbox     = "INBOX"
	Unread    = "UNREAD"
	Starred   = "STARRED"
	Important = "IMPORTANT"
	Spam      = "SPAM"
	Trash     = "TRASH"
	Sent      = "SENT"
	Draft     = "DRAFT"
)

// FriendlyNames are the names that people and clients give to Gmail's own labels,
// besides their ids. A label of the user's with such a name comes first.
var FriendlyNames = map[string]string{
	"star": Starred, "junk": Spam, "bin": Trash, "drafts": Draft,
	"primary": "CATEGORY_PERSONAL", "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL",
	"promotions": "CATEGORY_PROMOTIONS", "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS",
}

// system are the labels of every mailbox, whether or not Gmail lists them.
var system = []string{
	Inbox, Unread, Starred, Important, Spam, Trash, Sent, Draft, "CHAT",
	"CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS",
}

// A labelCache keeps the labels of a mailbox, which saves a round trip.
type labelCache struct {
	mu  sync.Mutex
	set *LabelSet // nil until it is read
}

// labelsFresh is how long labels are believed: one renamed meanwhile has its old name.
const labelsFresh = time.Minute

// Labels returns the labels of the mailbox, which may be a minute old.
func (m *Mailbox) Labels(ctx context.Context) (*LabelSet, error) {
	m.known.mu.Lock()
	set := m.known.set
	m.known.mu.Unlock()
	if set != nil && m.Now().Sub(set.read).Abs() < labelsFresh {
		return set, nil
	}
	return m.ReadLabels(ctx)
}

// ReadLabels reads the labels again. The ids among extra that Gmail does not list are
// taken for names of themselves, so that nobody asks for them again.
func (m *Mailbox) ReadLabels(ctx context.Context, extra ...string) (*LabelSet, error) {
	list, err := m.API.Users.Labels.List(Me).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	set := newLabelSet(list.Labels, m.Now())
	set.Theirs = m.NamesOf(NameOfLabel).Theirs(ctx, m.Account.Key())
	for _, id := range extra {
		if _, ok := set.Names[id]; !ok {
			set.Names[id] = id
		}
	}
	m.known.mu.Lock()
	m.known.set = set
	m.known.mu.Unlock()
	return set, nil
}

// NamesOf notes which names of labels or filters were given after strangers were
// read.
func (all *Mailboxes) NamesOf(kind string) persist.Names {
	return persist.Names{Store: all.Stores.Names, Source: untrusted.Mail, Kind: kind}
}

// The kinds of names.
const (
	NameOfLabel  = "label"
	NameOfFilter = "filter"
)

// ForgetLabels makes the next caller read the labels again, after some were changed.
func (m *Mailbox) ForgetLabels() {
	m.known.mu.Lock()
	m.known.set = nil
	m.known.mu.Unlock()
}

// LabelNames returns the names of the labels with these ids, in the same
// order. The labels are read once more when an id is not known.
func (m *Mailbox) LabelNames(ctx context.Context, ids []string) ([]string, error) {
	set, err := m.Labels(ctx)
	if err != nil {
		return nil, err
	}
	unknown := func(id string) bool { _, ok := set.Names[id]; return !ok }
	if slices.ContainsFunc(ids, unknown) {
		if set, err = m.ReadLabels(ctx, ids...); err != nil {
			return nil, err
		}
	}
	return set.NamesOf(ids), nil
}

// LabelIDs returns the ids of the labels of these names, in the same order.
// The labels are read once more when a name is not known; if it stays unknown,
// VALIDATION_ERROR names the nearest ones. path is the argument that the names
// are from.
func (m *Mailbox) LabelIDs(ctx context.Context, path string, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	set, err := m.Labels(ctx)
	if err != nil {
		return nil, err
	}
	unknown := func(name string) bool { _, ok := set.ID(name); return !ok }
	if slices.ContainsFunc(names, unknown) {
		if set, err = m.ReadLabels(ctx); err != nil {
			return nil, err
		}
	}
	ids := make([]string, len(names))
	var problems []metadata.Problem
	for i, name := range names {
		id, ok := set.ID(name)
		if !ok {
			problems = append(problems, set.Unknown(ctx, fmt.Sprintf("%s[%d]", path, i), name))
		}
		ids[i] = id
	}
	if len(problems) > 0 {
		return nil, UnknownLabels(problems)
	}
	return ids, nil
}

// LabelsOf returns the labels of the mailbox, which know the name of each of
// these ids that has one.
func (m *Mailbox) LabelsOf(ctx context.Context, ids []string) (*LabelSet, error) {
	if _, err := m.LabelNames(ctx, ids); err != nil {
		return nil, err
	}
	return m.Labels(ctx)
}

// IsSystemLabel reports whether the name is the id of one of Gmail's own labels.
func IsSystemLabel(name string) bool {
	return slices.ContainsFunc(system, func(id string) bool { return strings.EqualFold(id, name) })
}

// CheckLabel returns a VALIDATION_ERROR when the mailbox has no label of that
// name: Gmail only finds nothing.
func (m *Mailbox) CheckLabel(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	set, err := m.Labels(ctx)
	if err != nil {
		return err
	}
	if _, ok := set.ID(name); ok {
		return nil
	}
	if set, err = m.ReadLabels(ctx); err != nil {
		return err
	}
	if _, ok := set.ID(name); ok {
		return nil
	}
	return noSuchLabel([]metadata.Problem{set.Unknown(ctx, "label", name)})
}
