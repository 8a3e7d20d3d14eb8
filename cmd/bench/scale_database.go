package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"os/exec"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres"
	"kota/store/postgres/pgtest"
	"kota/store/storetest"
	memorystore "kota/store/tables/memory"
)

const (
	fewPeople   = 10
	replicas    = 2
	bareClients = 64
	template    = "template" // the person whose memories everybody else gets
	rich        = "rich"     // the person with the most memories
)

// scale is a PostgreSQL server with two databases, replicas of KOTA, and people who use them.
type scale struct {
	bench      *bench
	absence    string // why there is no server; then the rest is empty
	server     *pgtest.Server
	url        string // of the database of all people
	secretsKey string
	issuer     *issuer
	client     *http.Client
	replicas   []*exec.Cmd
	people     []*person
	rich       *person
	few        []*session // of the people of a database with few
	bare       []*session
	most       int      // how many memories the person rich has
	keys       []string // of the memories that everybody has
	richKeys   []string
	questions  []string
}

func (s *scale) stop() { s.server.Stop() }

// startScale starts the servers and fills the databases.
func (b *bench) startScale(ctx context.Context, people, most int) (s *scale, err error) {
	server, absence, err := pgtest.Launch("fsync=on", "shared_buffers=512MB", "max_wal_size=8GB", "checkpoint_timeout=30min")
	if err != nil || server == nil {
		return &scale{absence: absence}, err
	}
	defer func() {
		if err != nil {
			server.Stop()
		}
	}()
	key := make([]byte, 32)
	rand.Read(key)
	s = &scale{
		bench: b, server: server, most: most, secretsKey: base64.StdEncoding.EncodeToString(key), questions: storetest.NewTextGenerator(7).Questions(questionCount),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}},
	}
	if s.issuer, err = startIssuer(ctx); err != nil {
		return nil, err
	}
	few, err := s.fillDatabase(ctx, "few", fewPeople)
	if err != nil {
		return nil, fmt.Errorf("fill the database of few people: %w", err)
	}
	for _, p := range few {
		s.few = append(s.few, p.sessions[0])
	}
	if s.people, err = s.fillDatabase(ctx, "many", people); err != nil {
		return nil, fmt.Errorf("fill the database of %d people: %w", people, err)
	}
	if err := s.addRich(ctx); err != nil {
		return nil, fmt.Errorf("fill %d memories: %w", most, err)
	}
	for range replicas - 1 {
		url, err := s.startReplica(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.connect(ctx, url, s.people); err != nil {
			return nil, err
		}
	}
	s.replicas = s.replicas[1:] // without that of the few
	return s, s.startBare(ctx)
}

// fillDatabase creates a database, starts a replica, and lets people begin a session there. Then it
// fills the memories of one person through the store, and copies the rows to the people.
func (s *scale) fillDatabase(ctx context.Context, name string, n int) ([]*person, error) {
	if err := s.server.Create(name); err != nil {
		return nil, err
	}
	s.url = s.server.URL("", name)
	if err := s.fill(ctx, template, memoriesEach, &s.keys); err != nil {
		return nil, err
	}
	db, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return nil, err
	}
	defer db.Close(ctx)
	people, err := s.newPeople(name, n)
	if err != nil {
		return nil, err
	}
	if err := s.introduce(ctx, db, people); err != nil {
		return nil, err
	}
	start := time.Now()
	if _, err := db.Exec(ctx, copyRows); err != nil {
		return nil, fmt.Errorf("copy the rows: %w", err)
	}
	if _, err := db.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
		return nil, err
	}
	if _, err := db.Exec(ctx, "CHECKPOINT"); err != nil {
		return nil, err
	}
	fmt.Fprintf(s.bench.log, "bench: copied the memories of %d people in %v\n", n, time.Since(start).Round(time.Second))
	return people, nil
}

// introduce lets each person begin a session at a new replica and call a tool, which creates the
// tenant.
func (s *scale) introduce(ctx context.Context, db *pgx.Conn, people []*person) error {
	url, err := s.startReplica(ctx)
	if err != nil {
		return err
	}
	for _, p := range people {
		if err := s.connect(ctx, url, []*person{p}); err != nil {
			return err
		}
		if _, err := p.sessions[0].ask(ctx, call("memory_get", object{"query": "nothing"})); err != nil {
			return err
		}
		if err := db.QueryRow(ctx, "SELECT max(id) FROM kota.tenants").Scan(&p.number); err != nil {
			return err
		}
	}
	return nil
}

// copyRows gives everybody the memories and the index of the first tenant, the template.
const copyRows = `
DO $$
DECLARE
	name text;
	columns text;
BEGIN
	FOREACH name IN ARRAY ARRAY['memories', 'indexes', 'docs', 'terms', 'blocks'] LOOP
		SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
			WHERE attrelid = ('kota.' || name)::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'owner';
		EXECUTE format('INSERT INTO kota.%I (owner, %s) SELECT t.id, %s FROM kota.%I s, (SELECT id FROM kota.tenants WHERE id > 1 ORDER BY id) t WHERE s.owner = 1 ON CONFLICT DO NOTHING',
			name, columns, (SELECT string_agg('s.' || c, ', ') FROM unnest(string_to_array(columns, ', ')) c), name);
	END LOOP;
	UPDATE kota.heads h SET memory = s.memory FROM kota.heads s WHERE s.owner = 1 AND h.owner > 1;
END $$`

// addRich adds the person with the most memories, who has a session at the last replica.
func (s *scale) addRich(ctx context.Context) error {
	people, err := s.newPeople(rich, 1)
	if err != nil {
		return err
	}
	db, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	if err := s.introduce(ctx, db, people); err != nil {
		return err
	}
	s.rich = people[0]
	var name string
	if err := db.QueryRow(ctx, "SELECT name FROM kota.tenants WHERE id = $1", s.rich.number).Scan(&name); err != nil {
		return err
	}
	if err := s.fill(ctx, name, s.most, &s.richKeys); err != nil {
		return err
	}
	_, err = db.Exec(ctx, "VACUUM (ANALYZE)")
	return err
}

// fill stores and indexes n memories of a tenant, and reads some of their keys.
func (s *scale) fill(ctx context.Context, name string, n int, keys *[]string) error {
	server, err := postgres.Open(ctx, s.url, postgres.Options{Version: "bench"})
	if err != nil {
		return err
	}
	defer server.Close()
	db, err := server.Tenant(ctx, name)
	if err != nil {
		return err
	}
	memories := memorystore.New(db, name)
	start := time.Now()
	if err := storetest.Fill(ctx, memories, n); err != nil {
		return err
	}
	if err := memories.Index(ctx); err != nil {
		return err
	}
	fmt.Fprintf(s.bench.log, "bench: stored and indexed %d memories in PostgreSQL in %v\n", n, time.Since(start).Round(time.Second))
	listed, _, err := memories.List(ctx, store.Filter{}, store.Page{Limit: memoriesEach})
	*keys = nil
	for _, m := range listed {
		*keys = append(*keys, m.Key)
	}
	return err
}

func (s *scale) startBare(ctx context.Context) error {
	binary, err := s.bench.buildPeer(ctx, "pgrows")
	if err != nil {
		return err
	}
	_, address, err := s.bench.listen(func(address string) *exec.Cmd { return exec.CommandContext(ctx, binary, s.url, address) })
	if err != nil {
		return fmt.Errorf("start the bare server: %w", err)
	}
	for range bareClients {
		session, err := newSession(ctx, s.client, "http://"+address+"/mcp", "")
		if err != nil {
			return err
		}
		s.bare = append(s.bare, session)
	}
	return nil
}
