package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kota/store"
)

var usageContract = Contract{
	"is summed by tool, channel and outcome":       usageIsSummed,
	"is added completely or not at all":            usageIsAtomic,
	"is removed after four hundred days":           oldUsageIsRemoved,
	"only the most frequent pairs are stored":      pairsAreBounded,
	"clear removes the usage of one tenant":        usageIsCleared,
	"the rarest pairs are removed by day and name": rarestPairsAreRemovedByDayAndName,
	"a pair keeps its latest day":                  pairsKeepTheirLatestDay,
}

// The first possible date, and a date after all days of the tests.
const firstDay, afterLastDay = "0000-01-01", "9999-12-31"

func addUsage(t testing.TB, u Usage, today string, used []store.UsageCount, pairs ...store.ToolPair) {
	t.Helper()
	if err := u.Add(t.Context(), today, used, pairs); err != nil {
		t.Fatal(err)
	}
}

func usageBetween(t testing.TB, u Usage, first, end string) []store.UsageCount {
	t.Helper()
	used, err := u.Between(t.Context(), first, end)
	if err != nil {
		t.Fatal(err)
	}
	return used
}

func toolPairs(t testing.TB, u Usage) []store.ToolPair {
	t.Helper()
	pairs, err := u.Pairs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

func usageIsSummed(t *testing.T, open Opener) {
	db := open(time.Now)
	u := db.Usage("ann")
	line := func(day, code string, n int64) store.UsageCount {
		return store.UsageCount{Day: day, Tool: "memory_get", Channel: "direct", Code: code, Count: n, TokensIn: 10 * n, TokensOut: 100 * n}
	}
	addUsage(t, u, "2026-11-20", []store.UsageCount{line("2026-11-19", "", 1), line("2026-11-20", "", 2), line("2026-11-20", "NOT_FOUND", 4)})
	addUsage(t, u, "2026-11-20", []store.UsageCount{line("2026-11-20", "", 8)})
	addUsage(t, db.Usage("bob"), "2026-11-20", []store.UsageCount{line("2026-11-20", "", 1000)})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	u = open(time.Now).Usage("ann")
	for span, want := range map[[2]string][]store.UsageCount{
		{firstDay, afterLastDay}:     {line("", "", 11), line("", "NOT_FOUND", 4)},
		{"2026-11-19", "2026-11-20"}: {line("", "", 1)},
		{"2026-11-20", "2026-11-21"}: {line("", "", 10), line("", "NOT_FOUND", 4)},
		{"2026-11-21", afterLastDay}: {},
	} {
		if got := usageBetween(t, u, span[0], span[1]); !slices.Equal(got, want) {
			t.Errorf("from %s before %s: got %v, want %v", span[0], span[1], got, want)
		}
	}
}

func usageIsAtomic(t *testing.T, open Opener) {
	u := open(time.Now).Usage("ann")
	good := store.UsageCount{Day: "2026-11-20", Tool: "memory_get", Channel: "direct", Count: 1}
	bad := good
	bad.Channel = "window"
	if err := u.Add(t.Context(), "2026-11-20", []store.UsageCount{good, bad}, nil); err == nil {
		t.Error("an unknown channel was counted")
	}
	if err := u.Add(t.Context(), "yesterday", []store.UsageCount{good}, nil); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid for an invalid day", err)
	}
	if got := usageBetween(t, u, firstDay, afterLastDay); len(got) != 0 {
		t.Errorf("%v was counted", got)
	}
}

func oldUsageIsRemoved(t *testing.T, open Opener) {
	u := open(time.Now).Usage("ann")
	on := func(day string) store.UsageCount {
		return store.UsageCount{Day: day, Tool: "memory_get", Channel: "cli", Count: 1}
	}
	last := store.ToolPair{Tool: "a", Other: "c", Count: 1}
	addUsage(t, u, "2025-10-16", []store.UsageCount{on("2025-10-15"), on("2025-10-16")}, store.ToolPair{Tool: "a", Other: "b", Count: 9}, last)
	addUsage(t, u, "2026-11-20", []store.UsageCount{on("2026-11-20")}, last)
	if got := usageBetween(t, u, firstDay, afterLastDay); len(got) != 1 || got[0].Count != 2 {
		t.Errorf("after 400 days got %v, want the oldest of three days removed", got)
	}
	addUsage(t, u, "2026-11-22", nil)
	if got := usageBetween(t, u, firstDay, "2026-11-20"); len(got) != 0 {
		t.Errorf("after 402 days there is still %v", got)
	}
	if got := toolPairs(t, u); len(got) != 1 || got[0].Other != "c" || got[0].Count != 2 {
		t.Errorf("got pairs %v, want the pair that did not occur since last year removed", got)
	}
}

func pairsAreBounded(t *testing.T, open Opener) {
	u := open(time.Now).Usage("ann")
	many := []store.ToolPair{}
	for i := range store.MaxUsagePairs + 50 {
		many = append(many, store.ToolPair{Tool: "a", Other: fmt.Sprintf("b%05d", i), Count: int64(i + 1)})
	}
	addUsage(t, u, "2026-11-20", nil, many...)
	got := toolPairs(t, u)
	if len(got) != store.MaxUsagePairs || got[0].Count != store.MaxUsagePairs+50 || got[len(got)-1].Count != 51 {
		t.Errorf("got %d pairs, %v to %v", len(got), got[0], got[len(got)-1])
	}
}

func usageIsCleared(t *testing.T, open Opener) {
	db := open(time.Now)
	for _, owner := range []string{"ann", "bob"} {
		addUsage(t, db.Usage(owner), "2026-11-20", []store.UsageCount{{Day: "2026-11-20", Tool: "x", Channel: "read", Count: 1}}, store.ToolPair{Tool: "x", Other: "y", Count: 1})
	}
	if err := db.Usage("ann").Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	for owner, want := range map[string]int{"ann": 0, "bob": 1} {
		u := db.Usage(owner)
		if used, pairs := usageBetween(t, u, firstDay, afterLastDay), toolPairs(t, u); len(used) != want || len(pairs) != want {
			t.Errorf("%s has %v and %v, want %d of each", owner, used, pairs, want)
		}
	}
}
