package labels

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// A labelChange is the change of labels that a call requests.
type labelChange struct {
	want         map[string]bool   // label id → whether the messages should have the label
	argumentOf   map[string]string // label id → the argument that requested the change
	descriptions []string          // the change in words, for people
	names        map[string]string // label id → name, of the user's labels in the change
}

// changeOf returns the change that the arguments request. It returns a VALIDATION_ERROR
// if the arguments request nothing, contradict each other, or name a label that only Gmail
// may set.
func changeOf(ctx context.Context, m *mailbox.Mailbox, in ModifyIn) (*labelChange, error) {
	c := &labelChange{want: map[string]bool{}, argumentOf: map[string]string{}, names: map[string]string{}}
	c.flags(in)
	for _, list := range []struct {
		path  string
		names []string
		has   bool
		word  string
	}{{"add_labels", in.Add, true, "add "}, {"remove_labels", in.Remove, false, "remove "}} {
		ids, err := m.LabelIDs(ctx, list.path, list.names)
		if err != nil {
			return nil, err
		}
		names, err := m.LabelNames(ctx, ids)
		if err != nil {
			return nil, err
		}
		for i, id := range ids {
			if err := c.addNamed(id, names[i], fmt.Sprintf("%s[%d]", list.path, i), list.has); err != nil {
				return nil, err
			}
			c.descriptions = append(c.descriptions, list.word+names[i])
		}
	}
	if err := c.checkPlaces(in); err != nil {
		return nil, err
	}
	if len(c.want) == 0 {
		return nil, arguments.Invalid("archive", "something to change", "nothing").
			WithHint("Give at least one of archive, read, star, important, spam, trash, add_labels and remove_labels.")
	}
	return c, nil
}

// flags adds what archive, read, star, important, spam and trash request.
func (c *labelChange) flags(in ModifyIn) {
	for _, flag := range []struct {
		given   *bool
		path    string
		label   string
		has     bool // whether true adds the label
		yes, no string
	}{
		{in.Archive, "archive", mailbox.Inbox, false, "archive", "move to inbox"},
		{in.Read, "read", mailbox.Unread, false, "mark read", "mark unread"},
		{in.Star, "star", mailbox.Starred, true, "star", "unstar"},
		{in.Important, "important", mailbox.Important, true, "mark important", "mark not important"},
		{in.Spam, "spam", mailbox.Spam, true, "report as spam", "remove from spam"},
		{in.Trash, "trash", mailbox.Trash, true, "move to trash", "remove from trash"},
	} {
		if flag.given == nil {
			continue
		}
		c.want[flag.label], c.argumentOf[flag.label] = *flag.given == flag.has, flag.path
		word := flag.no
		if *flag.given {
			word = flag.yes
		}
		c.descriptions = append(c.descriptions, word)
	}
	// As in Gmail, reporting spam also removes the message from the inbox, and taking back
	// the report adds it again.
	if _, isSet := c.want[mailbox.Inbox]; in.Spam != nil && !isSet {
		c.want[mailbox.Inbox], c.argumentOf[mailbox.Inbox] = !*in.Spam, "spam"
	}
}

// addNamed records that the argument at path names this label. add means that the label is
// added; otherwise it is removed.
func (c *labelChange) addNamed(id, name, path string, add bool) error {
	if id == mailbox.Sent || id == mailbox.Draft || id == "CHAT" {
		return arguments.Invalid(path, "a label that can be added and removed", fmt.Sprintf("%q", name)).
			WithHint("Only Gmail adds and removes %s. Nothing was changed.", name)
	}
	if before, isSet := c.want[id]; isSet && before != add {
		return contradictionError(c.argumentOf[id], path)
	}
	c.want[id], c.argumentOf[id] = add, path
	if name != id {
		c.names[id] = name
	}
	return nil
}

// checkPlaces returns an error if the call requests more than one of inbox, spam and
// trash. Gmail keeps a message in only one of them.
func (c *labelChange) checkPlaces(in ModifyIn) error {
	places := []string{}
	for _, label := range []string{mailbox.Inbox, mailbox.Spam, mailbox.Trash} {
		if c.want[label] {
			places = append(places, c.argumentOf[label])
		}
	}
	if len(places) > 1 {
		return contradictionError(places[0], places[1])
	}
	return nil
}

func contradictionError(argument, other string) error {
	e := metadata.Errorf(metadata.ValidationError, "%s and %s contradict each other", argument, other).
		WithHint("Keep only one of them. Nothing was changed.")
	e.Problems = []metadata.Problem{{Path: other, Expected: "nothing that contradicts " + argument}}
	return e
}

// addAndRemove returns the ids of the labels to add and to remove, sorted.
func (c *labelChange) addAndRemove() (add, remove []string) {
	for _, id := range slices.Sorted(maps.Keys(c.want)) {
		if c.want[id] {
			add = append(add, id)
		} else {
			remove = append(remove, id)
		}
	}
	return add, remove
}

// plan returns the ids of the selected messages that the change would modify.
func (c *labelChange) plan(selected selection) []string {
	ids := []string{}
	for _, id := range selected.ids {
		for label, has := range c.want {
			if slices.Contains(selected.labels[id], label) != has {
				ids = append(ids, id)
				break
			}
		}
	}
	return ids
}

// title describes what the change does to n messages.
func (c *labelChange) title(n int) string {
	return strings.Join(c.descriptions, ", ") + ": " + messages(n)
}

// messages returns n with the noun: "1 message", "2 messages".
func messages(n int) string { return metadata.CountOf(n, "message") }

// affectedLabels returns the ids of the labels that the change may add or remove.
func (c *labelChange) affectedLabels() []string {
	labels := slices.Collect(maps.Keys(c.want))
	if _, isSet := c.want[mailbox.Trash]; isSet {
		labels = append(labels, mailbox.Inbox, mailbox.Spam) // Gmail may move a message between these and the trash
	}
	return labels
}

// undoRecord returns the undo record of the messages with these ids. before and after map
// message ids to labels. undoRecord ignores labels that the change does not affect: they
// may change at the same time, or be unknown.
func (c *labelChange) undoRecord(before map[string][]string, ids []string, after map[string][]string) modifyUndo {
	affected := c.affectedLabels()
	groups := map[string]*messageChange{}
	for _, id := range ids {
		r := messageChange{Added: intersection(difference(after[id], before[id]), affected), Removed: intersection(difference(before[id], after[id]), affected)}
		if len(r.Added)+len(r.Removed) == 0 {
			continue
		}
		key := strings.Join(r.Added, " ") + "-" + strings.Join(r.Removed, " ")
		if groups[key] == nil {
			groups[key] = &r
		}
		groups[key].IDs = append(groups[key].IDs, id)
	}
	record := modifyUndo{Names: c.names}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		record.Changes = append(record.Changes, *groups[key])
	}
	return record
}

// intersection returns the sorted elements that are in both a and b.
func intersection(a, b []string) []string { return difference(a, difference(a, b)) }

// difference returns the sorted elements of a that are not in b.
func difference(a, b []string) []string {
	rest := []string{}
	for _, element := range a {
		if !slices.Contains(b, element) {
			rest = append(rest, element)
		}
	}
	slices.Sort(rest)
	return rest
}
