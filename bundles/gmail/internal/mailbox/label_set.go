package mailbox

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

// A LabelSet holds the labels of a mailbox as they were at one time. It does not change.
type LabelSet struct {
	List      []*gmailapi.Label      // in Gmail's order
	Untrusted persist.UntrustedNames // the label names that may be untrusted
	Names     map[string]string      // id → name
	ids       map[string]string      // foldName of a name or id → id
	read      time.Time              // when the labels were read
}

func newLabelSet(list []*gmailapi.Label, read time.Time) *LabelSet {
	s := &LabelSet{List: list, Names: map[string]string{}, ids: map[string]string{}, read: read}
	for name, id := range FriendlyNames {
		s.ids[name] = id
	}
	for _, id := range systemLabels {
		s.Names[id] = id
		s.ids[foldName(id)] = id
	}
	for _, l := range list { // the user's names come last, so they take precedence
		s.ids[foldName(l.Id)] = l.Id
	}
	for _, l := range list {
		s.Names[l.Id] = l.Name
		s.ids[foldName(l.Name)] = l.Id
	}
	return s
}

// foldName returns a label's name in a form for comparison: in lower case, with single
// spaces. Gmail treats names that differ only in case as the same.
func foldName(name string) string {
	parts := strings.Split(strings.ToLower(name), "/")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return strings.Join(parts, "/")
}

// ID returns the id of the label with that name. The case of the name does not matter. ID
// also accepts ids and the friendly names of Gmail's own labels.
func (s *LabelSet) ID(name string) (string, bool) {
	id, ok := s.ids[foldName(name)]
	return id, ok
}

// name returns the name of the label with that id, or the id if it is unknown.
func (s *LabelSet) name(id string) string {
	if name, ok := s.Names[id]; ok {
		return name
	}
	return id
}

// NamesOf returns the names of the labels with these ids, in the same order. The name of an
// unknown id is the id.
func (s *LabelSet) NamesOf(ids []string) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.name(id)
	}
	return names
}

// VisibleNames returns the sorted names of the labels with these ids, for an answer. It
// omits unread, which is a separate field, and deleted labels of the user.
func (s *LabelSet) VisibleNames(ids []string) []string {
	names := []string{}
	for _, id := range ids {
		if name := s.name(id); id != Unread && (name != id || !strings.HasPrefix(id, "Label_")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// UserLabel returns the user's label with that name, or nil.
func (s *LabelSet) UserLabel(name string) *gmailapi.Label {
	for _, l := range s.List {
		if l.Type != "system" && foldName(l.Name) == foldName(name) {
			return l
		}
	}
	return nil
}

// Nested returns the user's labels nested in the label parent, at any depth.
func (s *LabelSet) Nested(parent *gmailapi.Label) []*gmailapi.Label {
	var nested []*gmailapi.Label
	for _, l := range s.List {
		if l.Type != "system" && strings.HasPrefix(foldName(l.Name), foldName(parent.Name)+"/") {
			nested = append(nested, l)
		}
	}
	return nested
}

// ProvenanceWith returns the provenance of an item that shows the names of the labels with
// these ids. This is provenance if it is not nil, and otherwise the provenance of the names.
func (s *LabelSet) ProvenanceWith(ctx context.Context, provenance *untrusted.Provenance, ids ...string) *untrusted.Provenance {
	if provenance != nil {
		return provenance
	}
	return s.Untrusted.Provenance(ctx, s.NamesOf(ids)...)
}

// UnknownProblem returns the problem of an unknown label name in the argument at path,
// with suggestions. If a suggestion may be untrusted, UnknownProblem records that in the
// session.
func (s *LabelSet) UnknownProblem(ctx context.Context, path, name string) metadata.Problem {
	known := append(slices.Collect(maps.Values(s.Names)), slices.Collect(maps.Keys(FriendlyNames))...)
	problem := metadata.Problem{Path: path, Expected: "the name of a label", Got: fmt.Sprintf("%q", arguments.Brief(name))}
	if near := metadata.Nearest(name, known, 3); len(near) > 0 {
		problem.Suggestion = strings.Join(near, ", ")
		s.Untrusted.Provenance(ctx, near...)
	}
	return problem
}

// UnknownLabelsError returns a VALIDATION_ERROR for unknown label names. It names the first
// of the problems, and suggests similar names for it.
func UnknownLabelsError(problems []metadata.Problem) error {
	e := unknownLabelError(problems)
	return e.WithHint("%s Nothing was changed.", e.Hint)
}

// unknownLabelError is like UnknownLabelsError, but does not say that nothing was changed.
func unknownLabelError(problems []metadata.Problem) *metadata.Error {
	e := metadata.Errorf(metadata.ValidationError, "there is no label %s", problems[0].Got).
		WithHint("gmail_list_labels lists them; gmail_manage_label {\"operation\": \"create\"} creates one.")
	if near := problems[0].Suggestion; near != "" {
		e.WithHint("Did you mean %s? Otherwise gmail_list_labels lists them.", near)
	}
	e.Problems = problems
	return e
}
