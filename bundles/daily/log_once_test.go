package daily_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/metadata"
)

func TestSameKeyLogsOnce(t *testing.T) {
	d := newFixture(t)
	in := args{"text": "coffee", "tasks": []string{"Buy milk"}, "idempotency_key": "k1"}
	first := bundletest.Must[logAnswer](t, d.bundle, "daily_log", in)
	d.now = d.now.AddDate(0, 0, 2)
	again := bundletest.Must[logAnswer](t, d.bundle, "daily_log", in)
	if !again.Repeated || again.Date != first.Date || !cmp.Equal(again.IDs, first.IDs) || !cmp.Equal(again.TaskIDs, first.TaskIDs) {
		t.Errorf("got %+v, first %+v", again, first)
	}
	d.callFails(t, "daily_log", args{"text": "tea", "idempotency_key": "k1"}, metadata.Conflict)
	if all := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"from": "2026-11-01"}); len(all.Days) != 1 || len(all.Days[0].Entries) != 1 || all.Tasks.Count != 1 {
		t.Errorf("kept: %+v", all)
	}
}

func TestTwoClientsLogAtOnceWithoutLossOrDuplicate(t *testing.T) {
	d := newFixture(t)
	clients := []*fixture{d, {bundle: daily.New(d.deps)}}
	const each = 20
	var wait sync.WaitGroup
	for i, client := range clients {
		wait.Go(func() {
			for n := range each {
				for _, in := range []args{
					{"text": fmt.Sprintf("%d of client %d", n, i)},
					{"text": fmt.Sprint("shared ", n), "idempotency_key": fmt.Sprint("k", n)},
				} {
					if _, err := bundletest.Answer[logAnswer](t, client.bundle, "daily_log", in); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wait.Wait()
	seen := map[string]int{}
	for _, e := range bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"limit": 200}).Days[0].Entries {
		seen[e.Text]++
	}
	if len(seen) != 3*each {
		t.Errorf("%d different entries are kept, want %d", len(seen), 3*each)
	}
	for text, n := range seen {
		if n != 1 {
			t.Errorf("%q is kept %d times", text, n)
		}
	}
}

func TestRepeatedCallListsDeletedEntries(t *testing.T) {
	d := newFixture(t)
	in := args{"entries": []args{{"text": "a"}, {"text": "b"}}, "idempotency_key": "k"}
	first := bundletest.Must[logAnswer](t, d.bundle, "daily_log", in)
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": first.IDs[1], "delete": true})
	again := bundletest.Must[logAnswer](t, d.bundle, "daily_log", in)
	if !again.Repeated || !slices.Equal(again.IDs, first.IDs) || !slices.Equal(again.Gone, first.IDs[1:]) {
		t.Errorf("got %+v", again)
	}
}
