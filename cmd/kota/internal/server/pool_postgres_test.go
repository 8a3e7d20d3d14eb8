package server

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/tenant"
	"kota/cmd/kota/internal/term"
	"kota/store"
	"kota/store/postgres/pgtest"
)

// newReplica returns a pool with a home of its own that uses the database of the URL. owners are the
// names that its bundles.yaml gives to people.
func newReplica(t *testing.T, url string, owners map[string]string) (pool *Pool, of func(subject string) tenant.Identity) {
	t.Helper()
	variables := map[string]string{"KOTA_HOME": filepath.Join(t.TempDir(), "home"), "KOTA_DATABASE_URL": url}
	a := &app.App{Env: func(name string) string { return variables[name] }, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.HTTP.OAuth.Owners = owners
	pool = NewPool(t.Context(), a, router)
	t.Cleanup(func() {
		pool.Drain()
		pool.Close(context.Background())
		if err := a.Finish(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return pool, func(subject string) tenant.Identity {
		p := issuer.Person{Issuer: "https://login.example.com", Subject: subject}
		f, _ := a.Registry().FolderOf(p)
		return tenant.Identity{Folder: f, Person: p}
	}
}

// enqueue stores a pending call of an app.
func enqueue(t *testing.T, a *app.App, call string) {
	t.Helper()
	rows, err := a.Approvals(t.Context())
	if err == nil {
		_, err = rows.Enqueue(t.Context(), store.Approval{Call: call, Digest: call, Tool: "gmail_send", Effect: "sends", Args: []byte("{}"), Shown: []byte("{}")})
	}
	if err != nil {
		t.Fatal(call, ": ", err)
	}
}

// pending returns the pending calls of an app.
func pending(t *testing.T, a *app.App) string {
	t.Helper()
	found, err := a.Pending(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	calls := []string{}
	for _, p := range found {
		calls = append(calls, p.Call)
	}
	return strings.Join(calls, ",")
}

// visit calls a function with the app of a tenant.
func (pool *Pool) visit(t *testing.T, who tenant.Identity, run func(*app.App)) {
	t.Helper()
	e, err := pool.acquire(t.Context(), who)
	if err != nil {
		t.Fatal(who.Person.Subject, ": ", err)
	}
	defer pool.release(e)
	run(e.instance.app)
}

// More people than a server with files may have open use two replicas. Each finds the own data on
// both, and no data of others, whatever the folders are called on a replica.
func TestReplicasServeAnyNumberOfPeople(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.URL("", server.Database(t))
	owners := [2]map[string]string{{}, {}}
	const people = 60
	for n := range people {
		subject := fmt.Sprint("person", n)
		owners[0][subject] = subject
		owners[1][subject] = fmt.Sprint("person", (n+1)%people) // the name of another person
	}
	owners[0]["eve"], owners[1]["eve"] = "local", "local" // the name of the operator in the database
	first, ofFirst := newReplica(t, url, owners[0])
	second, ofSecond := newReplica(t, url, owners[1])
	enqueue(t, first.operator.app, "of the operator")
	before := heap()
	for n := range people {
		subject := fmt.Sprint("person", n)
		first.visit(t, ofFirst(subject), func(a *app.App) { enqueue(t, a, "of "+subject) })
	}
	if open := len(first.entries); open != people {
		t.Errorf("%d people are open, want %d", open, people)
	}
	t.Logf("%d KB of heap a person", (heap()-before)/people>>10)
	for n := range people {
		subject := fmt.Sprint("person", n)
		second.visit(t, ofSecond(subject), func(a *app.App) {
			if got := pending(t, a); got != "of "+subject {
				t.Errorf("%s sees %q", subject, got)
			}
		})
	}
	second.visit(t, ofSecond("eve"), func(a *app.App) {
		if got := pending(t, a); got != "" {
			t.Errorf("eve sees %q", got)
		}
	})
	if got := pending(t, second.operator.app); got != "of the operator" {
		t.Errorf("the operator sees %q", got)
	}
}

func heap() int64 {
	runtime.GC()
	stats := runtime.MemStats{}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// A tenant that was closed opens again, while the server stays open for others.
func TestClosedTenantOpensAgain(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	pool, of := newReplica(t, server.URL("", server.Database(t)), nil)
	for n := range 3 {
		pool.visit(t, of("bob"), func(a *app.App) { enqueue(t, a, fmt.Sprint("call", n)) })
		pool.mu.Lock()
		pool.closeTenant(of("bob").Folder.Name)
		pool.mu.Unlock()
	}
	pool.closing.Wait()
	enqueue(t, pool.operator.app, "of the operator")
	pool.visit(t, of("bob"), func(a *app.App) {
		if got := pending(t, a); len(strings.Split(got, ",")) != 3 {
			t.Errorf("bob sees %q", got)
		}
	})
}

// The server is not ready while the database accepts no writes or no connections, and is ready again
// later.
func TestReadinessFollowsTheDatabase(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	name := server.Database(t)
	pool, _ := newReplica(t, server.URL("", name), nil)
	a := pool.operator.app
	enqueue(t, a, "before")
	administrate := func(statement string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), server.URL("", "postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		for _, statement := range []string{statement, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'"} {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	becomes := func(want string) {
		t.Helper()
		until(t, fmt.Sprintf("says %q", want), func() bool {
			got := a.DatabaseProblem()
			return got == want || want != "" && strings.Contains(got, want)
		})
	}
	becomes("")
	administrate("ALTER DATABASE " + name + " SET default_transaction_read_only = on")
	becomes("accepts no writes")
	administrate("ALTER DATABASE " + name + " SET default_transaction_read_only = off")
	becomes("")
	administrate("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	becomes("Run `kota doctor`")
	administrate("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true")
	becomes("")
	enqueue(t, a, "after")
	if got := pending(t, a); !strings.Contains(got, "before") || !strings.Contains(got, "after") {
		t.Errorf("pending: %s", got)
	}
}

// A subscriber at one replica hears of a write at another one, and of none of other people.
func TestWatchHearsOfOtherReplicas(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.URL("", server.Database(t))
	first, of := newReplica(t, url, nil)
	second, ofSecond := newReplica(t, url, nil)
	changed := make(chan bool, 100)
	first.visit(t, of("ann"), func(a *app.App) {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		go a.Watch(ctx, func() { changed <- true })
		time.Sleep(300 * time.Millisecond) // for LISTEN
	})
	hears := func(what string, want bool) {
		t.Helper()
		wait := 10 * time.Second
		if !want {
			wait = 300 * time.Millisecond
		}
		select {
		case <-changed:
			if !want {
				t.Errorf("it hears of %s", what)
			}
		case <-time.After(wait):
			if want {
				t.Errorf("it does not hear of %s", what)
			}
		}
	}
	enqueue(t, second.operator.app, "of the operator")
	second.visit(t, ofSecond("bob"), func(a *app.App) { enqueue(t, a, "of bob") })
	hears("a write of others", false)
	second.visit(t, ofSecond("ann"), func(a *app.App) { enqueue(t, a, "of ann") })
	hears("her write", true)
}
