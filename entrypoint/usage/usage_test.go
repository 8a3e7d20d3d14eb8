package usage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/entrypoint/usage"
	"kota/metadata"
)

// A fakeStore keeps counts, unless it fails.
type fakeStore struct {
	now    time.Time
	fails  error
	stored []usage.Counts
}

func (store *fakeStore) AddUsage(_ context.Context, counts usage.Counts) error {
	if store.fails == nil {
		store.stored = append(store.stored, counts)
	}
	return store.fails
}

func newCounter(t *testing.T) (*fakeStore, *usage.Counter) {
	t.Helper()
	store := &fakeStore{now: time.Date(2026, 11, 20, 23, 59, 0, 0, time.UTC)}
	return store, usage.NewCounter(func() time.Time { return store.now }, store)
}

// lines flushes the counter. It returns the counts of its lines, as "tool channel code",
// and of its pairs.
func (store *fakeStore) lines(t *testing.T, u *usage.Counter) (lines, pairs map[string]int) {
	t.Helper()
	store.stored = nil
	if err := u.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	lines, pairs = map[string]int{}, map[string]int{}
	for _, counts := range store.stored {
		for line, count := range counts.Lines {
			lines[strings.TrimSpace(fmt.Sprintf("%s %s %s", line.Tool, line.Channel, line.Code))] += count.Times
		}
		for pair, times := range counts.Pairs {
			pairs[pair[0]+" "+pair[1]] += times
		}
	}
	return lines, pairs
}

func TestUsageIsCountedByChannel(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	for _, c := range []struct {
		tool, args string
		want       map[string]int
	}{
		{"notes_list", `{}`, map[string]int{"notes_list direct": 1}},
		{"kota_entry_point", `{"bundle": "notes", "action": "list"}`, map[string]int{"notes_list entry_point": 1}},
		{"kota_read", `{"bundle": "notes", "action": "list"}`, map[string]int{"notes_list read": 1}},
		{"notes_list", `{"labels": []}`, map[string]int{"notes_list direct VALIDATION_ERROR": 1}},
		{"kota_read", `{"bundle": "notes", "action": "list", "args": {"labels": []}}`, map[string]int{"notes_list read VALIDATION_ERROR": 1}},
		{"kota_read", `{"bundle": "notes", "action": "add"}`, map[string]int{"kota_read direct REFUSED": 1}},
		{"kota_entry_point", `{"bundle": "notes"}`, map[string]int{"kota_entry_point direct VALIDATION_ERROR": 1}},
		{"notes_burst", `{}`, map[string]int{"notes_burst direct INTERNAL": 1}},
		{"my_secret_diagnosis", `{}`, map[string]int{"direct TOOL_NOT_FOUND": 1}},
		{"kota_describe_bundle", `{"bundle": "notes", "actions": ["add", "list"]}`, map[string]int{
			"kota_describe_bundle direct": 1, "notes_add describe": 1, "notes_list describe": 1,
		}},
		{"kota_discover_bundles", `{"query": "jot something down", "limit": 1}`, map[string]int{
			"kota_discover_bundles direct": 1, "notes_add discover": 1,
		}},
		{"kota_discover_bundles", `{}`, map[string]int{"kota_discover_bundles direct": 1}},
	} {
		_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: c.tool, Args: json.RawMessage(c.args)})
		got, _ := store.lines(t, u)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}

func TestUsageHasNoUserText(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	const secret = "sesame"
	for tool, args := range map[string]string{
		"notes_add":             `{"text": "sesame"}`,
		"notes_list":            `{"sesame": "sesame"}`,
		"sesame":                `{}`,
		"kota_discover_bundles": `{"query": "sesame"}`,
		"kota_entry_point":      `{"bundle": "sesame", "action": "sesame"}`,
		"kota_describe_bundle":  `{"bundle": "sesame"}`,
	} {
		_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: tool, Args: json.RawMessage(args)})
	}
	if err := u.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(store.stored) != 1 || len(store.stored[0].Lines) < 5 {
		t.Fatalf("got %v", store.stored)
	}
	if text := fmt.Sprint(store.stored); strings.Contains(text, secret) {
		t.Errorf("it is counted as %s", text)
	}
}

func TestUsageCountsTokensOfArgumentsAndAnswers(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	args := `{"text": "` + strings.Repeat("x", 400) + `"}`
	_, text, err := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: "notes_add", Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	_, _, failed := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: "notes_add", Args: json.RawMessage(`{}`)})
	said, err := metadata.Plain(failed)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[usage.Line]usage.Count{
		{Day: "2026-11-20", Tool: "notes_add", Channel: entrypoint.ByCLI}:                                 {Times: 1, TokensIn: metadata.Tokens(args), TokensOut: metadata.Tokens(text)},
		{Day: "2026-11-20", Tool: "notes_add", Channel: entrypoint.ByCLI, Code: metadata.ValidationError}: {Times: 1, TokensIn: metadata.Tokens(`{}`), TokensOut: metadata.Tokens(said)},
	}
	if got := store.stored[0].Lines; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestUseIsCountedOnItsDay(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	for range 3 {
		_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "notes_list", Args: json.RawMessage(`{}`)})
		store.now = store.now.Add(40 * time.Second)
	}
	if err := u.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	days := map[string]int{}
	for line, count := range store.stored[0].Lines {
		days[line.Day] += count.Times
	}
	if want := map[string]int{"2026-11-20": 2, "2026-11-21": 1}; !maps.Equal(days, want) {
		t.Errorf("got %v, want %v", days, want)
	}
}

func TestFailedFlushIsRepeated(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	use := func(tool string) {
		t.Helper()
		if _, _, err := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: tool, Args: json.RawMessage(`{}`)}); err != nil {
			t.Error(err)
		}
	}
	store.fails = errors.New("the disk is full")
	use("notes_list")
	use("notes_shred")
	if err := u.Flush(t.Context()); !errors.Is(err, store.fails) {
		t.Errorf("flush: got %v", err)
	}
	use("notes_list")
	store.fails = nil
	lines, pairs := store.lines(t, u)
	if lines["notes_list direct"] != 2 || lines["notes_shred direct"] != 1 || pairs["notes_list notes_shred"] != 2 {
		t.Errorf("got %v and %v", lines, pairs)
	}
	if lines, pairs := store.lines(t, u); len(lines)+len(pairs) > 0 {
		t.Errorf("handed on twice: %v, %v", lines, pairs)
	}
}

func TestCountsAreFlushedPeriodically(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, notes := routertest.NewNotes("notes")
		store, u := newCounter(t)
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
		for n := range 3 {
			for range 5 {
				_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "notes_list", Args: json.RawMessage(`{}`)})
			}
			time.Sleep(usage.FlushInterval) // of the bubble's time: it takes none
			synctest.Wait()
			if len(store.stored) != n+1 || store.stored[n].Lines[usage.Line{Day: "2026-11-20", Tool: "notes_list", Channel: entrypoint.ByName}].Times != 5 {
				t.Fatalf("after %d pauses there is %v", n+1, store.stored)
			}
		}
	})
}

func TestConsecutiveCallsArePairs(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	for _, c := range []struct {
		tool, args string
		after      time.Duration
	}{
		{"notes_list", `{}`, 0},
		{"notes_list", `{}`, time.Minute},                  // the same tool
		{"notes_add", `{"labels": []}`, time.Minute},       // failed
		{"kota_discover_bundles", `{}`, time.Minute},       // not an action
		{"notes_shred", `{}`, time.Minute},                 // pairs list and shred
		{"notes_list", `{}`, 11 * time.Minute},             // too late
		{"notes_add", `{"text": "milk"}`, 9 * time.Minute}, // pairs add and list
	} {
		store.now = store.now.Add(c.after)
		_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: c.tool, Args: json.RawMessage(c.args)})
	}
	_, pairs := store.lines(t, u)
	if want := map[string]int{"notes_list notes_shred": 1, "notes_add notes_list": 1}; !maps.Equal(pairs, want) {
		t.Errorf("got %v, want %v", pairs, want)
	}
}

func TestCountsInMemoryAreLimited(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	store.fails = errors.New("never")
	for range 3000 {
		_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "notes_list", Args: json.RawMessage(`{}`)})
		store.now = store.now.AddDate(0, 0, 1)
	}
	_ = u.Flush(t.Context())
	store.fails = nil
	if err := u.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(store.stored[0].Lines); n != 2000 {
		t.Errorf("%d lines wait to be written, want 2000", n)
	}
}

func TestConcurrentCallsAreCounted(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Usage: u})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				_, _, _ = r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "kota_read", Args: json.RawMessage(`{"bundle": "notes", "action": "list"}`)})
			}
		})
	}
	all.Wait()
	if lines, _ := store.lines(t, u); lines["notes_list read"] != 400 {
		t.Errorf("got %v", lines)
	}
}

func TestNestedCallsAreNotCounted(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	store, u := newCounter(t)
	var r *entrypoint.Router
	digest := bundles.New(metadata.Bundle{Key: "digest", Name: "Digest", Description: "What is new.", Category: metadata.Core, Tags: []string{"new"}, Enabled: true},
		bundles.Bind(metadata.Action{
			Name: "all", Effect: metadata.Reads, Summary: "Read all that is new.", Examples: []metadata.Example{{Title: "All", Args: struct{}{}}},
		}, func(ctx context.Context, _ struct{}) (struct{}, error) {
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					if _, err := r.Call(ctx, "notes_list", json.RawMessage(`{}`)); err != nil {
						t.Error(err)
					}
				})
			}
			both.Wait()
			return struct{}{}, nil
		}))
	r = routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes, digest}, Usage: u})
	if _, _, err := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "kota_read", Args: json.RawMessage(`{"bundle":"digest","action":"all"}`)}); err != nil {
		t.Fatal(err)
	}
	lines, _ := store.lines(t, u)
	if want := map[string]int{"digest_all read": 1}; !cmp.Equal(lines, want) {
		t.Error(cmp.Diff(want, lines))
	}
}
