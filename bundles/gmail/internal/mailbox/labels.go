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

// These are the ids of Gmail's own labels that KOTA handles individually.
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

// FriendlyNames maps common names of Gmail's own labels to their ids. A user's label with
// the same name takes precedence.
var FriendlyNames = map[string]string{
	"star": Starred, "junk": Spam, "bin": Trash, "drafts": Draft,
	"primary": "CATEGORY_PERSONAL", "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL",
	"promotions": "CATEGORY_PROMOTIONS", "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS",
}

// systemLabels are the ids of Gmail's own labels, which every mailbox has. Gmail does not
// always list them.
var systemLabels = []string{
	Inbox, Unread, Starred, Important, Spam, Trash, Sent, Draft, "CHAT",
	"CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS",
}

// A labelCache caches the labels of a mailbox, to save a round trip.
type labelCache struct {
	mu  sync.Mutex
	set *LabelSet // nil until it is read, and after ForgetLabels
}

// labelsTTL is how long labels are cached. A renamed label may show its old name that
// long.
const labelsTTL = time.Minute

// Labels returns the labels of the mailbox. They may be one minute old.
func (m *Mailbox) Labels(ctx context.Context) (*LabelSet, error) {
	m.labels.mu.Lock()
	set := m.labels.set
	m.labels.mu.Unlock()
	if set != nil && m.Now().Sub(set.read).Abs() < labelsTTL {
		return set, nil
	}
	return m.ReadLabels(ctx)
}

// ReadLabels reads the labels again. If Gmail does not list one of the ids, ReadLabels uses
// the id as the name. While the labels are cached, no caller then reads them again for that
// id.
func (m *Mailbox) ReadLabels(ctx context.Context, ids ...string) (*LabelSet, error) {
	list, err := m.API.Users.Labels.List(Me).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	set := newLabelSet(list.Labels, m.Now())
	set.Untrusted = m.NameStore(NameKindLabel).Untrusted(ctx, m.Account.Key())
	for _, id := range ids {
		if _, ok := set.Names[id]; !ok {
			set.Names[id] = id
		}
	}
	m.labels.mu.Lock()
	m.labels.set = set
	m.labels.mu.Unlock()
	return set, nil
}

// NameStore returns the store that records which names of labels or filters were given
// after untrusted content was read.
func (all *Mailboxes) NameStore(kind string) persist.Names {
	return persist.Names{Store: all.Stores.Names, Source: untrusted.Mail, Kind: kind}
}

// The kinds of names.
const (
	NameKindLabel  = "label"
	NameKindFilter = "filter"
)

// ForgetLabels empties the cache. Call it after a change of labels, so that the next caller
// reads the labels again.
func (m *Mailbox) ForgetLabels() {
	m.labels.mu.Lock()
	m.labels.set = nil
	m.labels.mu.Unlock()
}

// LabelNames returns the names of the labels with these ids, in the same order. If the
// cache does not contain an id, LabelNames reads the labels again.
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

// LabelIDs returns the ids of the labels with these names, in the same order. If the cache
// does not contain a name, LabelIDs reads the labels again. If a name is still unknown,
// LabelIDs returns a VALIDATION_ERROR that suggests similar names. path is the path of the
// argument that contains the names.
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
			problems = append(problems, set.UnknownProblem(ctx, fmt.Sprintf("%s[%d]", path, i), name))
		}
		ids[i] = id
	}
	if len(problems) > 0 {
		return nil, UnknownLabelsError(problems)
	}
	return ids, nil
}

// LabelsOf returns the labels of the mailbox, with a name for each of these ids.
func (m *Mailbox) LabelsOf(ctx context.Context, ids []string) (*LabelSet, error) {
	if _, err := m.LabelNames(ctx, ids); err != nil {
		return nil, err
	}
	return m.Labels(ctx)
}

// IsSystemLabel reports whether name is the id of one of Gmail's own labels.
func IsSystemLabel(name string) bool {
	return slices.ContainsFunc(systemLabels, func(id string) bool { return strings.EqualFold(id, name) })
}

// CheckLabel returns a VALIDATION_ERROR if the mailbox has no label with that name. Gmail's
// search would find nothing for such a label and return no error. CheckLabel returns nil
// for "".
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
	return unknownLabelError([]metadata.Problem{set.UnknownProblem(ctx, "label", name)})
}
