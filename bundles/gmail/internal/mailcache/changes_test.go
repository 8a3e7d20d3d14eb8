package mailcache

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	gmailapi "google.golang.org/api/gmail/v1"
)

func TestChangesCombineEventsOfAMessage(t *testing.T) {
	message := func(id string) *gmailapi.Message { return &gmailapi.Message{Id: id, ThreadId: "t" + id} }
	added := func(history uint64, id string) *gmailapi.History {
		return &gmailapi.History{Id: history, MessagesAdded: []*gmailapi.HistoryMessageAdded{{Message: message(id)}}}
	}
	deleted := func(history uint64, id string) *gmailapi.History {
		return &gmailapi.History{Id: history, MessagesDeleted: []*gmailapi.HistoryMessageDeleted{{Message: message(id)}}}
	}
	labeled := func(history uint64, id, label string) *gmailapi.History {
		return &gmailapi.History{Id: history, LabelsAdded: []*gmailapi.HistoryLabelAdded{{Message: message(id), LabelIds: []string{label}}}}
	}
	unlabeled := func(history uint64, id, label string) *gmailapi.History {
		return &gmailapi.History{Id: history, LabelsRemoved: []*gmailapi.HistoryLabelRemoved{{Message: message(id), LabelIds: []string{label}}}}
	}
	for name, c := range map[string]struct {
		records []*gmailapi.History
		limit   int
		want    []MessageChange
		until   uint64
	}{
		"nothing":                      {nil, 10, nil, 0},
		"it came and went":             {[]*gmailapi.History{added(1, "a"), deleted(2, "a")}, 10, nil, 0},
		"it went, and came again":      {[]*gmailapi.History{deleted(1, "a"), added(2, "a")}, 10, []MessageChange{{ID: "a", Thread: "ta", Arrived: true}}, 0},
		"a label came and went":        {[]*gmailapi.History{labeled(1, "a", "X"), unlabeled(2, "a", "X")}, 10, nil, 0},
		"a label went and came":        {[]*gmailapi.History{unlabeled(1, "a", "X"), labeled(2, "a", "X")}, 10, nil, 0},
		"a label that came twice":      {[]*gmailapi.History{labeled(1, "a", "X"), labeled(2, "a", "X")}, 10, []MessageChange{{ID: "a", Thread: "ta", Added: []string{"X"}}}, 0},
		"more than fit":                {[]*gmailapi.History{added(1, "a"), added(2, "b"), added(3, "c")}, 2, []MessageChange{{ID: "a", Thread: "ta", Arrived: true}, {ID: "b", Thread: "tb", Arrived: true}}, 2},
		"more than fit, of one moment": {[]*gmailapi.History{added(1, "a"), added(1, "b")}, 1, []MessageChange{{ID: "a", Thread: "ta", Arrived: true}, {ID: "b", Thread: "tb", Arrived: true}}, 0},
	} {
		got, until := Changes(c.records, c.limit, func(s MessageChange) bool { return s.HasType(nil) })
		for i := range got { // an empty list equals a missing one
			if len(got[i].Added) == 0 {
				got[i].Added = nil
			}
			if len(got[i].Removed) == 0 {
				got[i].Removed = nil
			}
		}
		if !cmp.Equal(got, c.want) || until != c.until {
			t.Errorf("%s: until %d, %s", name, until, cmp.Diff(c.want, got))
		}
	}
}
