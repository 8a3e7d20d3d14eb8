package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"kota/cmd/kota/internal/tenant"
)

func TestHousesCloseWhenNobodyComesForLong(t *testing.T) {
	t.Parallel()
	all, of := lodging(t)
	now := time.Now()
	all.now = func() time.Time { return now }
	tick := make(chan time.Time)
	go all.sweep(t.Context(), tick)
	sweep := func() { tick <- now; tick <- now } // the second is taken when the first is done with
	ann, bob := of("ann"), of("bob")
	all.calls(t, ann, "memory_set", object{"key": "theme", "value": "dark"})
	now = now.Add(houseIdle / 2)
	all.calls(t, bob, "memory_set", object{"key": "theme", "value": "light"})
	now = now.Add(houseIdle/2 + time.Second)
	sweep()
	if all.isOpen(ann) || !all.isOpen(bob) {
		t.Errorf("open: ann's %v, bob's %v; want bob's alone", all.isOpen(ann), all.isOpen(bob))
	}
	visit, err := all.enter(t.Context(), bob)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * houseIdle)
	if sweep(); !all.isOpen(bob) {
		t.Error("a house with a visitor is closed")
	}
	all.exit(visit)
	if _, said := all.calls(t, ann, "memory_get", object{"query": "theme"}); !strings.Contains(said, "dark") {
		t.Errorf("ann finds %s when she comes again", said)
	}
}

// Of more people than there is room for, whoever was away for the longest makes
// room; where all are there, the next is told to come again.
func TestHousesAreBounded(t *testing.T) {
	t.Parallel()
	all, of := lodging(t)
	all.most = 10
	var inside []*tenancy
	for n := range all.most {
		visit, err := all.enter(t.Context(), of(fmt.Sprint("person", n)))
		if err != nil {
			t.Fatal(err)
		}
		inside = append(inside, visit)
	}
	late := of("late")
	if status, said := all.calls(t, late, "memory_list", object{}); status != 503 || !strings.Contains(said, "come again") {
		t.Errorf("the next: %d %s; want 503", status, said)
	}
	if status, _ := all.calls(t, of("person3"), "memory_list", object{}); status != 200 {
		t.Errorf("who is there already: %d", status)
	}
	for _, n := range []int{7, 5} {
		all.calls(t, of(fmt.Sprint("person", n)), "memory_list", object{})
		all.exit(inside[n])
	}
	if status, said := all.calls(t, late, "memory_list", object{}); status != 200 {
		t.Errorf("with room: %d %s", status, said)
	}
	if all.isOpen(of("person7")) || !all.isOpen(of("person5")) || len(all.of) != all.most {
		t.Errorf("of %d houses that of who was away for the longest is still open", len(all.of))
	}
	for n, visit := range inside {
		if n != 5 && n != 7 {
			all.exit(visit)
		}
	}
}

// listens has that person listen as a client of 2026-07-28 does, until ctx is done or
// the house is closed.
func (all *houses) listens(ctx context.Context, who tenant.Identity) *httptest.ResponseRecorder {
	body, headers := modern("subscriptions/listen", object{"notifications": object{"resourceSubscriptions": []string{"memory://theme"}}})
	return all.posts(ctx, who, body, headers)
}

// As many as there is room for would keep out everybody else by listening.
func TestWhoOnlyListensMakesRoom(t *testing.T) {
	t.Parallel()
	for era, listen := range map[string]func(context.Context, *houses, tenant.Identity) *httptest.ResponseRecorder{
		"2025-11-25": func(ctx context.Context, all *houses, who tenant.Identity) *httptest.ResponseRecorder {
			session := all.posts(ctx, who, sayHello, func(*http.Request) {}).Header().Get("Mcp-Session-Id")
			return all.sends(ctx, who, http.MethodGet, "", header("Mcp-Session-Id", session))
		},
		"2026-07-28": func(ctx context.Context, all *houses, who tenant.Identity) *httptest.ResponseRecorder {
			return all.listens(ctx, who)
		},
	} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			all, of := lodging(t)
			now := time.Now()
			all.most, all.now = 1, func() time.Time { return now }
			ended := make(chan *httptest.ResponseRecorder, 1)
			go func() { ended <- listen(t.Context(), all, of("ann")) }()
			until(t, "is listened to", func() bool { return all.isListenedTo(of("ann")) })
			if status, said := all.calls(t, of("bob"), "memory_list", object{}); status != 503 {
				t.Errorf("while she has only just come: %d %s; want 503", status, said)
			}
			now = now.Add(houseQuiet)
			if status, said := all.calls(t, of("bob"), "memory_list", object{}); status != 200 {
				t.Fatalf("when she only listens: %d %s", status, said)
			}
			if stream := <-ended; stream.Code != 200 || all.isOpen(of("ann")) {
				t.Errorf("her stream was %d, and her house is open: %v", stream.Code, all.isOpen(of("ann")))
			}
		})
	}
}

// A client that asks now and then whether the server is there, or whose streams a proxy
// cuts, only listens too.
func TestWhoOnlyListensAndPingsMakesRoom(t *testing.T) {
	t.Parallel()
	all, of := lodging(t)
	now := time.Now()
	all.most, all.now = 1, func() time.Time { return now }
	ann := of("ann")
	in := header("Mcp-Session-Id", all.posts(t.Context(), ann, sayHello, func(*http.Request) {}).Header().Get("Mcp-Session-Id"))
	listen := func() (end func()) {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); all.sends(ctx, ann, http.MethodGet, "", in) }()
		until(t, "is listened to", func() bool { return all.isListenedTo(ann) })
		return func() { leave(); <-ended }
	}
	for _, c := range []struct {
		does string
		ask  func()
		bobs int
	}{
		{"works", func() { all.posts(t.Context(), ann, toolCall(7, "memory_list", object{}), in) }, 503},
		{"pings", func() { all.posts(t.Context(), ann, `{"jsonrpc":"2.0","id":8,"method":"ping"}`, in) }, 200},
	} {
		now = now.Add(houseQuiet)
		listen()() // as a proxy does
		end := listen()
		c.ask()
		if status, said := all.calls(t, of("bob"), "memory_list", object{}); status != c.bobs {
			t.Errorf("while she %s: %d %s; want %d", c.does, status, said, c.bobs)
		}
		end()
	}
}

// A house is not closed over a call, however long it takes, though its owner listens
// too; and who does not even listen makes room before who does.
func TestWhoIsAwayMakesRoomBeforeWhoListens(t *testing.T) {
	t.Parallel()
	all, of := lodging(t)
	now := time.Now()
	all.most, all.now = 2, func() time.Time { return now }
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		all.listens(ctx, of("ann"))
	}()
	until(t, "is listened to", func() bool { return all.isListenedTo(of("ann")) })
	now = now.Add(houseQuiet)
	all.calls(t, of("bob"), "memory_list", object{})
	if status, _ := all.calls(t, of("carl"), "memory_list", object{}); status != 200 || all.isOpen(of("bob")) || !all.isOpen(of("ann")) {
		t.Errorf("carl has %d; open: bob's %v, ann's %v", status, all.isOpen(of("bob")), all.isOpen(of("ann")))
	}
	visit, err := all.enter(t.Context(), of("ann"))
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(houseQuiet)
	carls, err := all.enter(t.Context(), of("carl"))
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := all.calls(t, of("bob"), "memory_list", object{}); status != 503 {
		t.Errorf("while both have calls beside: %d; want 503", status)
	}
	all.exit(carls)
	all.exit(visit)
	leave()
	<-ended
}

// What others could have put there is not opened, nor anything in it made; and nobody
// has it tried again without end.
func TestAFolderThatOthersMayWriteIsNotOpened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access rules decide on Windows, not modes")
	}
	t.Parallel()
	all, of := lodging(t)
	now, tried, open := time.Now(), 0, all.open
	all.now = func() time.Time { return now }
	all.open = func(ctx context.Context, who tenant.Identity) (*house, error) { tried++; return open(ctx, who) }
	ann := of("ann")
	for _, loose := range []string{ann.Folder.Path, all.own.app.Registry().Path()} {
		if err := os.MkdirAll(ann.Folder.Path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(loose, 0o770); err != nil {
			t.Fatal(err)
		}
		before := tried
		for range 5 {
			if status, said := all.calls(t, ann, "memory_list", object{}); status != 503 || !strings.Contains(said, "finds the reason in its log") {
				t.Errorf("with %s open to others: %d %s", loose, status, said)
			}
		}
		if tried != before+1 {
			t.Errorf("it is tried %d times at once", tried-before)
		}
		if inside, err := os.ReadDir(ann.Folder.Path); err != nil || len(inside) > 0 {
			t.Errorf("it has %v: %v", inside, err)
		}
		if err := os.Chmod(loose, 0o700); err != nil {
			t.Fatal(err)
		}
		now = now.Add(comeAgain)
	}
	if status, said := all.calls(t, ann, "memory_list", object{}); status != 200 {
		t.Errorf("when it is hers alone: %d %s", status, said)
	}
}

func (all *houses) isListenedTo(who tenant.Identity) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	t := all.of[who.Folder.Name]
	if t == nil {
		return false
	}
	free, heard := t.free()
	return free && heard
}
