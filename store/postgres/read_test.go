package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
)

var _ engine.Reader = Reader{}

const mark = "\uf8ff" // the character with which package convert escapes others

func TestNamesOfPeopleAreKept(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	url := d.role(t, "CREATEROLE", true)
	names := []string{
		"local", "Ann", "ann", "ann ", "O'Hara", `a"b`, `'; DROP TABLE kota.tenants; --`, "$1", `\`, "%", "_", "a\x00b", "\x00", "\x00\x00", "\xff", mark, mark + "0",
		"日本語", "🏠", "auth0|1", strings.Repeat("x", maxName),
	}
	numbers := map[int64]string{}
	first := mustOpen(t, url)
	for _, name := range names {
		db := mustTenant(t, first, name)
		if other, taken := numbers[db.tenant]; taken {
			t.Errorf("%q and %q are the same person", name, other)
		}
		numbers[db.tenant] = name
		if mustTenant(t, first, name).tenant != db.tenant {
			t.Errorf("%q has two numbers", name)
		}
	}
	second := mustOpen(t, url)
	for _, name := range names {
		if db := mustTenant(t, second, name); numbers[db.tenant] != name {
			t.Errorf("%q is %q for another opener", name, numbers[db.tenant])
		}
	}
	for _, name := range []string{"", " ", strings.Repeat("x", maxName+1), strings.Repeat("\x00", 10<<10)} {
		if _, err := first.Tenant(t.Context(), name); !errors.Is(err, store.ErrInvalid) || len(err.Error()) > 200 {
			t.Errorf("a name of %d bytes gave %v", len(name), err)
		}
	}
	_, err := first.Tenant(t.Context(), strings.Repeat("\x00", 400)) // escaped it is longer
	if _, after, _ := strings.Cut(fmt.Sprint(err), "this one has "); len(after) < 4 {
		t.Errorf("the message is %v", err)
	}
	d.exec(t, "UPDATE kota.tenants SET removed = 1 WHERE name = 'ann'")
	if _, err := mustOpen(t, url).Tenant(t.Context(), "ann"); !errors.Is(err, store.ErrUnusable) {
		t.Errorf("a removed person gave %v", err)
	}
}

func TestEveryValueComesBack(t *testing.T) {
	t.Parallel()
	db := mustTenant(t, mustOpen(t, newDatabase(t).asSuperuser()), "ann")
	for _, text := range []string{"", "a", "a\x00b", "\xff\x00", mark + "0", "'; --", strings.Repeat("é", 1<<20)} {
		got, equal := "", false
		if err := db.Read(t.Context()).Row("SELECT ?::text, ?1 = (SELECT ?1 ORDER BY 1)", text).Scan(&got, &equal); err != nil || got != text || !equal {
			t.Errorf("%.20q came back as %.20q, %v", text, got, err)
		}
	}
	type row struct {
		Small bool
		Big   int64
		Real  float64
		Bytes []byte
		Null  sql.NullInt64
		Sum   int64
		Text  sql.NullString
		Flag  bool
	}
	got := row{}
	err := db.Read(t.Context()).Row("SELECT ?::smallint, ?::bigint, ?::float8, ?::bytea, ?::bigint, (SELECT sum(x) FROM (VALUES (1::bigint), (2)) AS v (x)), NULL::text, 1 = ?",
		true, int64(1)<<62, 0.1, []byte{0, 255}, nil, 1).Scan(&got.Small, &got.Big, &got.Real, &got.Bytes, &got.Null, &got.Sum, &got.Text, &got.Flag)
	want := row{true, 1 << 62, 0.1, []byte{0, 255}, sql.NullInt64{}, 3, sql.NullString{}, true}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v: %v", got, want, err)
	}
	for _, among := range []struct {
		list any
		want int
	}{{engine.List[int64]{1, 3}, 2}, {engine.List[int64](nil), 0}, {engine.List[int64]{}, 0}} {
		n := 0
		if err := db.Read(t.Context()).Row("SELECT count(*) FROM generate_series(1, 4) AS s (x) WHERE "+engine.Postgres.Among("x::bigint", "?"), among.list).Scan(&n); err != nil || n != among.want {
			t.Errorf("%v matched %d rows, want %d: %v", among.list, n, among.want, err)
		}
	}
}

func TestReadersReturnRowsAndErrors(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newDatabase(t).asSuperuser())
	db := mustTenant(t, s, "ann")
	r := db.Read(t.Context())
	n := 0
	if err := r.Row("SELECT 1 WHERE false").Scan(&n); err != sql.ErrNoRows {
		t.Errorf("no row gave %v", err)
	}
	rows, err := r.Query("SELECT x FROM generate_series(1, ?) AS s (x)", 5000)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if rows.Err() != nil || rows.Close() != nil || sum != 5000*5001/2 {
		t.Errorf("the sum is %d, %v", sum, rows.Err())
	}
	if err := r.Row("SELECT nothing FROM memories").Scan(&n); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("an unknown column gave %v", err)
	}
	for _, err := range []error{
		r.Row("SELECT ?::bigint", canary).Scan(&n),
		r.Row("SELECT (?::text)::bigint", canary).Scan(&n),
		r.Row("SELECT ?::bytea", 3.5).Scan(&n),
		r.Row("SELECT ?::text", canary).Scan(&n),
	} {
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("a wrong type gave %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Read(ctx).Row("SELECT 1").Scan(&n); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gave %v", err)
	}
	if err := r.Row("SELECT 1").Scan(&n); err != nil {
		t.Errorf("after the errors: %v", err)
	}
}

func TestPeopleAreNotMixedUpOnSharedConnections(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	people := []*DB{}
	for i := range 50 {
		people = append(people, mustTenant(t, s, fmt.Sprint("person ", i)))
	}
	wait := sync.WaitGroup{}
	for worker := range 16 {
		wait.Go(func() {
			for i := range 100 {
				db := people[(worker*37+i*11)%len(people)]
				owner, rows := int64(0), 0
				if err := db.Read(t.Context()).Row("SELECT min(owner), count(*) FROM heads").Scan(&owner, &rows); err != nil || owner != db.tenant || rows != 1 {
					t.Errorf("%d read %d rows of %d: %v", db.tenant, rows, owner, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestReadsSurviveEndedConnections(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	db := mustTenant(t, mustOpen(t, d.role(t, "CREATEROLE", true)), "ann")
	for range 5 {
		d.exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		wait := sync.WaitGroup{}
		for range 8 {
			wait.Go(func() {
				n := 0
				if err := db.Read(t.Context()).Row("SELECT count(*) FROM heads").Scan(&n); err != nil || n != 1 {
					t.Errorf("read %d, %v", n, err)
				}
			})
		}
		wait.Wait()
	}
}

// A stallingProxy passes bytes between a TCP port and the Unix socket of a server, until it stalls.
type stallingProxy struct {
	address string
	stalled atomic.Bool
}

func newProxy(t *testing.T, target string) *stallingProxy {
	t.Helper()
	p := &stallingProxy{}
	parsed, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	socket := parsed.Query().Get("host")
	port := parsed.Query().Get("port")
	if port == "" {
		port = "5432"
	}
	if !strings.HasPrefix(socket, "/") {
		t.Skip("not checked here: the server has no Unix socket")
	}
	pass := func(to, from net.Conn) {
		defer to.Close()
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			for p.stalled.Load() {
				time.Sleep(time.Millisecond)
			}
			if n > 0 {
				if _, err := to.Write(buffer[:n]); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
	p.address = fakeServer(t, func(client net.Conn) {
		server, err := net.Dial("unix", filepath.Join(socket, ".s.PGSQL."+port))
		if err != nil {
			io.WriteString(client, "")
			return
		}
		go pass(client, server)
		pass(server, client)
	})
	t.Cleanup(func() { p.stalled.Store(false) })
	return p
}

func TestReadsEndWhenTheServerDoesNotAnswer(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	given := d.role(t, "CREATEROLE", true)
	p := newProxy(t, given)
	user := strings.Replace(d.name, "kota_test", "login", 1)
	db := mustTenant(t, mustOpen(t, "postgres://"+user+"@"+p.address+"/"+d.name+"?sslmode=disable&connect_timeout=2"), "ann")
	n := 0
	read := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		return db.Read(ctx).Row("SELECT count(*) FROM heads").Scan(&n)
	}
	if err := read(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	p.stalled.Store(true)
	began := time.Now()
	err := read(300 * time.Millisecond)
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, store.ErrUnreachable) || took > 1500*time.Millisecond {
		t.Errorf("a read of a stalled server gave %v after %v", err, took)
	}
	p.stalled.Store(false)
	if err := read(5 * time.Second); err != nil || n != 1 {
		t.Errorf("after the stall: %d, %v", n, err)
	}
}

func TestFunctionsOfTheSchema(t *testing.T) {
	t.Parallel()
	r := mustTenant(t, mustOpen(t, newDatabase(t).asSuperuser()), "ann").Read(t.Context())
	for array, want := range map[string][]string{
		`[]`: {}, `["a","b"]`: {"a", "b"}, `["a\u0000b"]`: {"a\x00b"}, `["\\u0000"]`: {`\u0000`}, `["\\\u0000"]`: {"\\\x00"},
		`["\u0000\u0000"]`: {"\x00\x00"}, `["` + mark + `0"]`: {mark + "0"}, `["é","\ud83c\udfe0"]`: {"é", "🏠"},
	} {
		got, err := engine.Strings(r, "SELECT x FROM kota_elements(?) AS e (x)", array)
		if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%s has the elements %q, want %q: %v", array, got, want, err)
		}
	}
	for date := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC); date.Year() < 10000; date = date.AddDate(0, 7, 17) {
		got := int64(0)
		if err := r.Row("SELECT kota_day(?)", date.Format(time.DateOnly)).Scan(&got); err != nil || got*86400 != date.Unix() {
			t.Fatalf("%s is day %d, want %d: %v", date.Format(time.DateOnly), got, date.Unix()/86400, err)
		}
		if date.Year() > 3 && date.Year() < 1890 || date.Year() > 2110 && date.Year() < 9990 {
			date = date.AddDate(97, 0, 0)
		}
	}
	metrics := `{"weight":80.5,"slept":true,"ran":false,"n":3}`
	for name, want := range map[string]sql.NullFloat64{"weight": {Float64: 80.5, Valid: true}, "slept": {Float64: 1, Valid: true}, "ran": {Valid: true}, "n": {Float64: 3, Valid: true}, "none": {}} {
		got := sql.NullFloat64{}
		if err := r.Row("SELECT kota_metric(?, ?)", metrics, name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %v, want %v: %v", name, got, want, err)
		}
	}
}
