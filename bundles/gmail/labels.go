package gmail

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/arguments"
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

// A labelSet is the labels of a mailbox as they were when it was read. It does
// not change.
type labelSet struct {
	list  []*gmailapi.Label // as Gmail lists them
	whose persist.Theirs    // which names may be the words of strangers
	byID  map[string]string // id → name
	ids   map[string]string // folded name or id → id
	read  time.Time
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
func (g *gmail) namesOf(kind string) persist.Names {
	return persist.Names{DB: g.DB, Owner: owner, Source: untrusted.Mail, Kind: kind}
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

func newLabelSet(list []*gmailapi.Label, read time.Time) *labelSet {
	s := &labelSet{list: list, byID: map[string]string{}, ids: map[string]string{}, read: read}
	for name, id := range friendly {
		s.ids[name] = id
	}
	for _, id := range system {
		s.byID[id] = id
		s.ids[fold(id)] = id
	}
	for _, l := range list { // the user's names come last, and so first
		s.ids[fold(l.Id)] = l.Id
	}
	for _, l := range list {
		s.byID[l.Id] = l.Name
		s.ids[fold(l.Name)] = l.Id
	}
	return s
}

// fold is what two names of a label have in common that Gmail takes for the
// same: it keeps no two labels that differ in case alone.
func fold(name string) string {
	parts := strings.Split(strings.ToLower(name), "/")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return strings.Join(parts, "/")
}

// id returns the id of the label of that name, in any case. The ids of labels
// and the friendly names of Gmail's own ones are names too.
func (s *labelSet) id(name string) (string, bool) {
	id, ok := s.ids[fold(name)]
	return id, ok
}

// name returns the name of the label with that id; the id itself when it is
// not known.
func (s *labelSet) name(id string) string {
	if name, ok := s.byID[id]; ok {
		return name
	}
	return id
}

// names returns the names of the labels with these ids, in the same order.
func (s *labelSet) names(ids []string) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.name(id)
	}
	return names
}

// whoseWith is the provenance of an item that shows the names of labels besides
// what has that provenance.
func (s *labelSet) whoseWith(ctx context.Context, whose *untrusted.Provenance, ids ...string) *untrusted.Provenance {
	if whose != nil {
		return whose
	}
	return s.whose.Provenance(ctx, s.names(ids)...)
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

// unknown is the problem that there is no label of that name. The session knows
// where those that it suggests may be the words of strangers.
func (s *labelSet) unknown(ctx context.Context, path, name string) metadata.Problem {
	known := append(slices.Collect(maps.Values(s.byID)), slices.Collect(maps.Keys(friendly))...)
	problem := metadata.Problem{Path: path, Expected: "the name of a label", Got: fmt.Sprintf("%q", arguments.Brief(name))}
	if near := metadata.Nearest(name, known, 3); len(near) > 0 {
		problem.Suggestion = strings.Join(near, ", ")
		s.whose.Provenance(ctx, near...)
	}
	return problem
}

func unknownLabels(problems []metadata.Problem) error {
	e := noSuchLabel(problems)
	return e.WithHint("%s Nothing was changed.", e.Hint)
}

// noSuchLabel is unknownLabels for what changes nothing anyhow.
func noSuchLabel(problems []metadata.Problem) *metadata.Error {
	e := metadata.Errorf(metadata.ValidationError, "there is no label %s", problems[0].Got).
		WithHint("gmail_list_labels lists them; gmail_manage_label {\"operation\": \"create\"} makes a new one.")
	if near := problems[0].Suggestion; near != "" {
		e.WithHint("Did you mean %s? Otherwise gmail_list_labels lists them.", near)
	}
	e.Problems = problems
	return e
}
