package gmail

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A labelSet is the labels of a mailbox as they were when it was read. It does
// not change.
type labelSet struct {
	list  []*gmailapi.Label // as Gmail lists them
	whose persist.Theirs    // which names may be the words of strangers
	byID  map[string]string // id → name
	ids   map[string]string // folded name or id → id
	read  time.Time
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

// shown returns the names of the labels that an answer lists, sorted. It
// leaves out unread, which is a field of its own, and labels of the user's
// that were deleted.
func (s *labelSet) shown(ids []string) []string {
	names := []string{}
	for _, id := range ids {
		if name := s.name(id); id != labelUnread && (name != id || !strings.HasPrefix(id, "Label_")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// own returns the user's label of that name, nil when there is none.
func (s *labelSet) own(name string) *gmailapi.Label {
	for _, l := range s.list {
		if l.Type != "system" && fold(l.Name) == fold(name) {
			return l
		}
	}
	return nil
}

// within returns the labels that are nested in the one.
func (s *labelSet) within(one *gmailapi.Label) []*gmailapi.Label {
	var nested []*gmailapi.Label
	for _, l := range s.list {
		if l.Type != "system" && strings.HasPrefix(fold(l.Name), fold(one.Name)+"/") {
			nested = append(nested, l)
		}
	}
	return nested
}

// whoseWith is the provenance of an item that shows the names of labels besides
// what has that provenance.
func (s *labelSet) whoseWith(ctx context.Context, whose *untrusted.Provenance, ids ...string) *untrusted.Provenance {
	if whose != nil {
		return whose
	}
	return s.whose.Provenance(ctx, s.names(ids)...)
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
