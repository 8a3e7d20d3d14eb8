package server

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

func TestIdleTenantsAreClosed(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	now := time.Now()
	pool.now = func() time.Time { return now }
	tick := make(chan time.Time)
	go pool.Sweep(t.Context(), tick)
	sweep := func() { tick <- now; tick <- now } // the second tick is received once the first is handled
	ann, bob := of("ann"), of("bob")
	pool.callTool(t, ann, "memory_set", object{"key": "theme", "value": "dark"})
	now = now.Add(idleAfter / 2)
	pool.callTool(t, bob, "memory_set", object{"key": "theme", "value": "light"})
	now = now.Add(idleAfter/2 + time.Second)
	sweep()
	if pool.isOpen(ann) || !pool.isOpen(bob) {
		t.Errorf("open: ann's %v, bob's %v; want bob's alone", pool.isOpen(ann), pool.isOpen(bob))
	}
	visit, err := pool.acquire(t.Context(), bob)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * idleAfter)
	if sweep(); !pool.isOpen(bob) {
		t.Error("a tenant with a request is closed")
	}
	pool.release(visit)
	if _, output := pool.callTool(t, ann, "memory_get", object{"query": "theme"}); !strings.Contains(output, "dark") {
		t.Errorf("ann finds %s when she comes again", output)
	}
}

// The pool closes the tenant idle for the longest when another needs the slot.
// While all have requests, the next tenant must retry.
func TestOpenTenantsAreBounded(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	pool.Max = 10
	var inside []*entry
	for n := range pool.Max {
		visit, err := pool.acquire(t.Context(), of(fmt.Sprint("person", n)))
		if err != nil {
			t.Fatal(err)
		}
		inside = append(inside, visit)
	}
	late := of("late")
	if status, output := pool.callTool(t, late, "memory_list", object{}); status != 503 || !strings.Contains(output, "too many people use this server now; try again") {
		t.Errorf("the next: %d %s; want 503", status, output)
	}
	if status, _ := pool.callTool(t, of("person3"), "memory_list", object{}); status != 200 {
		t.Errorf("who is there already: %d", status)
	}
	for _, n := range []int{7, 5} {
		pool.callTool(t, of(fmt.Sprint("person", n)), "memory_list", object{})
		pool.release(inside[n])
	}
	if status, output := pool.callTool(t, late, "memory_list", object{}); status != 200 {
		t.Errorf("with room: %d %s", status, output)
	}
	if pool.isOpen(of("person7")) || !pool.isOpen(of("person5")) || len(pool.entries) != pool.Max {
		t.Errorf("of %d tenants the one idle for the longest is still open", len(pool.entries))
	}
	for n, visit := range inside {
		if n != 5 && n != 7 {
			pool.release(visit)
		}
	}
}

// listen makes a tenant listen as a client of 2026-07-28 does, until ctx is
// done or the tenant is closed.
func (pool *Pool) listen(ctx context.Context, who tenant.Identity) *httptest.ResponseRecorder {
	body, headers := modernRequest("subscriptions/listen", object{"notifications": object{"resourceSubscriptions": []string{"memory://theme"}}})
	return pool.post(ctx, who, body, headers)
}

// Otherwise as many listeners as there are slots would keep out all others.
func TestListeningTenantIsEvicted(t *testing.T) {
	t.Parallel()
	for era, listen := range map[string]func(context.Context, *Pool, tenant.Identity) *httptest.ResponseRecorder{
		"2025-11-25": func(ctx context.Context, pool *Pool, who tenant.Identity) *httptest.ResponseRecorder {
			session := pool.post(ctx, who, initializeRequest, func(*http.Request) {}).Header().Get("Mcp-Session-Id")
			return pool.send(ctx, who, http.MethodGet, "", header("Mcp-Session-Id", session))
		},
		"2026-07-28": func(ctx context.Context, pool *Pool, who tenant.Identity) *httptest.ResponseRecorder {
			return pool.listen(ctx, who)
		},
	} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			pool, of := newTestPool(t)
			now := time.Now()
			pool.Max, pool.now = 1, func() time.Time { return now }
			ended := make(chan *httptest.ResponseRecorder, 1)
			go func() { ended <- listen(t.Context(), pool, of("ann")) }()
			until(t, "is listened to", func() bool { return pool.isListening(of("ann")) })
			if status, output := pool.callTool(t, of("bob"), "memory_list", object{}); status != 503 {
				t.Errorf("while she has only just come: %d %s; want 503", status, output)
			}
			now = now.Add(listenerIdleAfter)
			if status, output := pool.callTool(t, of("bob"), "memory_list", object{}); status != 200 {
				t.Fatalf("when she only listens: %d %s", status, output)
			}
			if stream := <-ended; stream.Code != 200 || pool.isOpen(of("ann")) {
				t.Errorf("her stream was %d, and she is open: %v", stream.Code, pool.isOpen(of("ann")))
			}
		})
	}
}

// A client counts as only listening if it pings, or if a proxy cuts its
// streams.
func TestPingsDoNotPreventEviction(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	now := time.Now()
	pool.Max, pool.now = 1, func() time.Time { return now }
	ann := of("ann")
	in := header("Mcp-Session-Id", pool.post(t.Context(), ann, initializeRequest, func(*http.Request) {}).Header().Get("Mcp-Session-Id"))
	listen := func() (end func()) {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); pool.send(ctx, ann, http.MethodGet, "", in) }()
		until(t, "is listened to", func() bool { return pool.isListening(ann) })
		return func() { leave(); <-ended }
	}
	for _, c := range []struct {
		does string
		ask  func()
		bobs int
	}{
		{"works", func() {
			pool.post(t.Context(), ann, request("tools/call", object{"name": "memory_list", "arguments": object{}}), in)
		}, 503},
		{"pings", func() { pool.post(t.Context(), ann, `{"jsonrpc":"2.0","id":8,"method":"ping"}`, in) }, 200},
	} {
		now = now.Add(listenerIdleAfter)
		listen()() // as a proxy does
		end := listen()
		c.ask()
		if status, output := pool.callTool(t, of("bob"), "memory_list", object{}); status != c.bobs {
			t.Errorf("while she %s: %d %s; want %d", c.does, status, output, c.bobs)
		}
		end()
	}
}

// A tenant with a call is not closed, however long the call takes and even if
// the tenant also listens.
func TestIdleTenantsAreEvictedBeforeListeners(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	now := time.Now()
	pool.Max, pool.now = 2, func() time.Time { return now }
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		pool.listen(ctx, of("ann"))
	}()
	until(t, "is listened to", func() bool { return pool.isListening(of("ann")) })
	now = now.Add(listenerIdleAfter)
	pool.callTool(t, of("bob"), "memory_list", object{})
	if status, _ := pool.callTool(t, of("carl"), "memory_list", object{}); status != 200 || pool.isOpen(of("bob")) || !pool.isOpen(of("ann")) {
		t.Errorf("carl has %d; open: bob's %v, ann's %v", status, pool.isOpen(of("bob")), pool.isOpen(of("ann")))
	}
	visit, err := pool.acquire(t.Context(), of("ann"))
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(listenerIdleAfter)
	carls, err := pool.acquire(t.Context(), of("carl"))
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := pool.callTool(t, of("bob"), "memory_list", object{}); status != 503 {
		t.Errorf("while both have calls beside: %d; want 503", status)
	}
	pool.release(carls)
	pool.release(visit)
	leave()
	<-ended
}

// Others could have put files there. The next requests do not retry at once.
func TestFolderWritableByOthersIsNotOpened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access rules decide on Windows, not modes")
	}
	t.Parallel()
	pool, of := newTestPool(t)
	now, tried, open := time.Now(), 0, pool.open
	pool.now = func() time.Time { return now }
	pool.open = func(ctx context.Context, who tenant.Identity) (*instance, error) { tried++; return open(ctx, who) }
	ann := of("ann")
	for _, loose := range []string{ann.Folder.Path, pool.operator.app.Registry().Path()} {
		if err := os.MkdirAll(ann.Folder.Path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(loose, 0o770); err != nil {
			t.Fatal(err)
		}
		before := tried
		for range 5 {
			if status, output := pool.callTool(t, ann, "memory_list", object{}); status != 503 || !strings.Contains(output, "ask the operator of this server; its log has the reason") {
				t.Errorf("with %s open to others: %d %s", loose, status, output)
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
		now = now.Add(retryAfter)
	}
	if status, output := pool.callTool(t, ann, "memory_list", object{}); status != 200 {
		t.Errorf("when it is hers alone: %d %s", status, output)
	}
}

func (pool *Pool) isListening(who tenant.Identity) bool {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	t := pool.entries[who.Folder.Name]
	if t == nil {
		return false
	}
	free, listening := t.isClosable()
	return free && listening
}
