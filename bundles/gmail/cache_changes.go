package gmail

import (
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"
)

// A story is what became of one message.
type story struct {
	id, thread     string
	came, left     bool
	added, removed []string // label ids, in the end
}

// tell makes one story of all that happened to each message, in the order in
// which they begin, and leaves out those that end as they began. It tells at
// most so many that are wanted: until is the last point that is told when
// there are more, else 0.
func tell(records []*gmailapi.History, most int, wanted func(story) bool) (stories []story, until uint64) {
	known := map[string]*story{}
	var order []string
	told := func() (all []story) {
		for _, id := range order {
			if s := known[id]; !(s.came && s.left) && wanted(*s) {
				all = append(all, *s)
			}
		}
		return all
	}
	of := func(message *gmailapi.Message) *story {
		if known[message.Id] == nil {
			known[message.Id] = &story{id: message.Id, thread: message.ThreadId}
			order = append(order, message.Id)
		}
		return known[message.Id]
	}
	for i, r := range records {
		if i > 0 && len(known) >= most && len(told()) >= most && r.Id != records[i-1].Id {
			return told(), records[i-1].Id
		}
		for _, e := range r.MessagesAdded {
			s := of(e.Message)
			s.came, s.left = true, false
		}
		for _, e := range r.LabelsAdded {
			of(e.Message).label(e.LabelIds, nil)
		}
		for _, e := range r.LabelsRemoved {
			of(e.Message).label(nil, e.LabelIds)
		}
		for _, e := range r.MessagesDeleted {
			of(e.Message).left = true
		}
	}
	return told(), 0
}

// label notes labels that came and went: one that came and went again did
// neither.
func (s *story) label(added, removed []string) {
	for _, id := range added {
		if at := slices.Index(s.removed, id); at >= 0 {
			s.removed = slices.Delete(s.removed, at, at+1)
		} else if !slices.Contains(s.added, id) {
			s.added = append(s.added, id)
		}
	}
	for _, id := range removed {
		if at := slices.Index(s.added, id); at >= 0 {
			s.added = slices.Delete(s.added, at, at+1)
		} else if !slices.Contains(s.removed, id) {
			s.removed = append(s.removed, id)
		}
	}
}

// isOf reports whether the story is of one of the types, which are all when
// there are none.
func (s story) isOf(types []string) bool {
	kind := "labels"
	switch {
	case s.left:
		kind = "deleted"
	case s.came:
		kind = "added"
	case len(s.added)+len(s.removed) == 0:
		return false
	}
	return len(types) == 0 || slices.Contains(types, kind)
}
