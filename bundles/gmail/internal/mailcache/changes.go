package mailcache

import (
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"
)

// A MessageChange combines all events of one message.
type MessageChange struct {
	ID, Thread       string
	Arrived, Deleted bool
	Added, Removed   []string // the ids of the labels that the events add or remove in total
}

// Changes combines all events of each message, in the order of each message's first event.
// It omits messages that arrived and were deleted, and changes for which isWanted returns
// false. It returns at most limit changes, except that it does not split events with the
// same history id. If records are left, until is the last history id that the changes
// cover, and otherwise 0.
func Changes(records []*gmailapi.History, limit int, isWanted func(MessageChange) bool) (changes []MessageChange, until uint64) {
	byID := map[string]*MessageChange{}
	var order []string
	collected := func() (all []MessageChange) {
		for _, id := range order {
			if c := byID[id]; !(c.Arrived && c.Deleted) && isWanted(*c) {
				all = append(all, *c)
			}
		}
		return all
	}
	changeOf := func(message *gmailapi.Message) *MessageChange {
		if byID[message.Id] == nil {
			byID[message.Id] = &MessageChange{ID: message.Id, Thread: message.ThreadId}
			order = append(order, message.Id)
		}
		return byID[message.Id]
	}
	for i, r := range records {
		if i > 0 && len(byID) >= limit && len(collected()) >= limit && r.Id != records[i-1].Id {
			return collected(), records[i-1].Id
		}
		for _, e := range r.MessagesAdded {
			c := changeOf(e.Message)
			c.Arrived, c.Deleted = true, false
		}
		for _, e := range r.LabelsAdded {
			changeOf(e.Message).addLabels(e.LabelIds, nil)
		}
		for _, e := range r.LabelsRemoved {
			changeOf(e.Message).addLabels(nil, e.LabelIds)
		}
		for _, e := range r.MessagesDeleted {
			changeOf(e.Message).Deleted = true
		}
	}
	return collected(), 0
}

// addLabels records added and removed labels. An addition and a removal of the same label
// cancel each other.
func (c *MessageChange) addLabels(added, removed []string) {
	for _, id := range added {
		if at := slices.Index(c.Removed, id); at >= 0 {
			c.Removed = slices.Delete(c.Removed, at, at+1)
		} else if !slices.Contains(c.Added, id) {
			c.Added = append(c.Added, id)
		}
	}
	for _, id := range removed {
		if at := slices.Index(c.Added, id); at >= 0 {
			c.Added = slices.Delete(c.Added, at, at+1)
		} else if !slices.Contains(c.Removed, id) {
			c.Removed = append(c.Removed, id)
		}
	}
}

// HasType reports whether types contains the type of the change: added, deleted or labels.
// An empty list means all types. A change without any effect has no type.
func (c MessageChange) HasType(types []string) bool {
	kind := "labels"
	switch {
	case c.Deleted:
		kind = "deleted"
	case c.Arrived:
		kind = "added"
	case len(c.Added)+len(c.Removed) == 0:
		return false
	}
	return len(types) == 0 || slices.Contains(types, kind)
}
