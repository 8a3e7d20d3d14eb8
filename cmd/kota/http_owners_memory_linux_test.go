package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Half as many people again as there may be houses open, each of whom does some of
// everything: they take no more memory than one person may, hostile ones included.
func TestManyPeopleTakeNoMoreMemoryThanOneMay(t *testing.T) {
	if underRace {
		t.Skip("the race detector takes memory of its own: run it without -race")
	}
	h := newDesk(t)
	i := newIssuer(t)
	i.configure(h.home, "", "bundles: {memory: on, daily: on, gmail: on, calendar: on}\n")
	w := serveWeb(t, h.home)
	long := strings.Repeat("She likes tea. ", 4000)
	visit := func(n int) {
		g := &guest{website: w.as(i.token(fmt.Sprint("person", n))), name: fmt.Sprint("person", n)}
		list, modernly := modern("tools/list", object{})
		for g.ask(http.MethodPost, list, modernly).status == http.StatusServiceUnavailable { // there is no room yet
		}
		g.session = g.begin()
		g.ask(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, g.session)
		for round := range 2 {
			for _, call := range []struct {
				tool string
				args object
			}{
				{"memory_set", object{"key": fmt.Sprint("key", round), "value": long}},
				{"memory_set", object{"key": fmt.Sprint("yek", round), "value": long}},
				{"memory_get", object{"key": fmt.Sprint("key", round)}},
				{"memory_get", object{"query": "who likes tea"}},
				{"kota_discover_bundles", object{"query": fmt.Sprint("send a mail to person", n)}},
				{"daily_log", object{"text": "had tea"}},
				{"daily_get", object{}},
				{"gmail_search_messages", object{"query": "tea"}},
			} {
				g.calls(round, call.tool, call.args)
			}
		}
	}
	var all sync.WaitGroup
	people := make(chan int)
	for range 8 {
		all.Go(func() {
			for n := range people {
				visit(n)
			}
		})
	}
	for n := range mostHouses + mostHouses/2 {
		people <- n
	}
	close(people)
	all.Wait()
	t.Logf("%d MB", memoryOf(t, w.cmd.Process.Pid, "VmHWM:")>>20)
	session, keys := w.begin(), manyKeys()
	for n := range 6 { // with the houses full
		all.Go(func() {
			body := strings.Replace(keys, `"id":1,`, fmt.Sprintf(`"id":%d,`, 10+n), 1)
			if got := w.ask(http.MethodPost, body, session); got.status != http.StatusOK {
				t.Errorf("got %d %.200s", got.status, got.body)
			}
		})
	}
	all.Wait()
	peak := memoryOf(t, w.cmd.Process.Pid, "VmHWM:")
	t.Logf("%d MB", peak>>20)
	if peak > mostMemory {
		t.Errorf("it took %d MB, want at most %d", peak>>20, mostMemory>>20)
	}
	w.end()
}
