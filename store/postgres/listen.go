package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres/convert"
	"kota/store/postgres/failure"
)

// changesChannel is where a group of writes announces the people whose rows it has changed, as
// numbers with commas between them.
const changesChannel = "kota_changes"

const (
	pingEvery     = 5 * time.Second  // a connection that stalls delivers nothing and reports nothing
	compareEvery  = 30 * time.Second // how often the counters of changes replace a lost announcement
	reconnectFast = 100 * time.Millisecond
	reconnectSlow = 5 * time.Second
)

// A Watch detects changes of the rows of one person by any process, until Close.
type Watch struct {
	listener *listener
	db       *DB
	changed  chan struct{} // has a token after a change
	closed   chan struct{}
}

// Watch starts watching the rows of the person. It returns an error if the server cannot be
// reached now. Later, the Watch outlives a lost connection.
func (db *DB) Watch(ctx context.Context) (*Watch, error) {
	l := db.listener
	w := &Watch{listener: l, db: db, changed: make(chan struct{}, 1), closed: make(chan struct{})}
	l.add(w)
	if err := l.waitUntilListening(ctx); err != nil {
		w.Close()
		return nil, err
	}
	if err := l.remember(ctx, db); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Wait returns nil once a write was committed since the last Wait or since Watch. It may also return
// nil without one. It returns store.ErrClosed after the Server was closed.
func (w *Watch) Wait(ctx context.Context) error {
	select {
	case <-w.changed:
		return nil
	default:
	}
	select {
	case <-w.changed:
		return nil
	case <-w.closed:
		return store.ErrClosed
	case <-w.db.running.Done():
		return store.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close stops watching.
func (w *Watch) Close() error {
	w.listener.remove(w)
	return nil
}

func (w *Watch) signal() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// A listener receives the announcements for all Watches of a Server, over one connection outside of
// the pool. It connects for the first Watch.
type listener struct {
	server *Server
	ping   time.Duration // pingEvery; tests shorten it

	mu        sync.Mutex
	watched   map[int64]*watched // by the number of the person
	started   bool
	listening bool
	failed    error         // of the last attempt to connect
	attempt   chan struct{} // closed when the current attempt has ended
}

// A watched is a person with Watches.
type watched struct {
	watches   map[*Watch]bool
	changes   int64 // the counter of changes in the head, when it was last compared
	known     bool  // changes was read
	announced bool  // a change was announced since then
}

func newListener(s *Server) *listener {
	return &listener{server: s, ping: pingEvery, watched: map[int64]*watched{}, attempt: make(chan struct{})}
}

func (l *listener) add(w *Watch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	person := l.watched[w.db.tenant]
	if person == nil {
		person = &watched{watches: map[*Watch]bool{}}
		l.watched[w.db.tenant] = person
	}
	person.watches[w] = true
	if !l.started {
		l.started = true
		go l.run(l.server.running)
	}
}

func (l *listener) remove(w *Watch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	person := l.watched[w.db.tenant]
	if person == nil || !person.watches[w] {
		return
	}
	close(w.closed)
	delete(person.watches, w)
	if len(person.watches) == 0 {
		delete(l.watched, w.db.tenant)
	}
}

// waitUntilListening returns nil once announcements arrive. It returns the error of the attempt that
// is under way.
func (l *listener) waitUntilListening(ctx context.Context) error {
	l.mu.Lock()
	listening, attempt := l.listening, l.attempt
	l.mu.Unlock()
	if listening {
		return nil
	}
	select {
	case <-attempt:
	case <-ctx.Done():
		return ctx.Err()
	case <-l.server.running.Done():
		return store.ErrClosed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// remember reads the counter of a person, for later comparisons.
func (l *listener) remember(ctx context.Context, db *DB) error {
	changes := int64(0)
	if err := db.Read(ctx).Row(selectChanges, db.tenant).Scan(&changes); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if person := l.watched[db.tenant]; person != nil && !person.known {
		person.changes, person.known = changes, true
	}
	return nil
}

const selectChanges = "SELECT changes FROM heads WHERE owner = ?"

// run listens until ctx ends. It connects again after each loss.
func (l *listener) run(ctx context.Context) {
	for pause := reconnectFast; ctx.Err() == nil; pause = min(2*pause, reconnectSlow) {
		listened, err := l.listen(ctx)
		l.endAttempt(err)
		if ctx.Err() != nil {
			return
		}
		l.server.log.Warn("announcements of changes do not arrive", "err", err)
		if listened {
			pause = reconnectFast
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// endAttempt tells those who wait how the attempt to connect has ended.
func (l *listener) endAttempt(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listening, l.failed = err == nil, err
	close(l.attempt)
	l.attempt = make(chan struct{})
}

// listen connects and receives announcements until the connection fails. It reports whether it had
// been connected.
func (l *listener) listen(ctx context.Context) (listened bool, err error) {
	conn, err := l.server.Connect(ctx)
	if err != nil {
		return false, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		conn.Close(closing)
	}()
	if err := within(ctx, l.ping, func(ctx context.Context) error {
		_, err := conn.Exec(ctx, "LISTEN "+changesChannel)
		return err
	}); err != nil {
		return false, err
	}
	// What was committed before LISTEN was not announced to this connection.
	if err := l.compare(ctx, true); err != nil {
		return false, err
	}
	l.endAttempt(nil)
	compared := time.Now()
	for {
		err := l.receive(ctx, conn)
		if err == nil && time.Since(compared) > compareEvery {
			err = l.compare(ctx, false)
			compared = time.Now()
		}
		if err != nil {
			return true, err
		}
	}
}

// receive waits for an announcement. Without one it checks that the server answers.
func (l *listener) receive(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, l.ping)
	announcement, err := conn.WaitForNotification(waiting)
	quiet := waiting.Err() != nil
	cancel()
	switch {
	case err == nil:
		l.announce(announcement.Payload)
		return nil
	case quiet && ctx.Err() == nil && !conn.IsClosed():
		return within(ctx, l.ping, conn.Ping)
	}
	return failure.Classify(err)
}

// within calls a function with a limit of time.
func within(ctx context.Context, limit time.Duration, run func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return failure.Classify(run(ctx))
}

// announce signals the Watches of the people in an announcement.
func (l *listener) announce(payload string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for text := range strings.SplitSeq(payload, ",") {
		number, err := strconv.ParseInt(text, 10, 64)
		if person := l.watched[number]; err == nil && person != nil {
			person.announced = true
			person.signal()
		}
	}
}

func (p *watched) signal() {
	for w := range p.watches {
		w.signal()
	}
}

// compare signals the Watches of people whose counter of changes has moved without an announcement,
// or, after a lost connection, has moved at all.
func (l *listener) compare(ctx context.Context, lost bool) error {
	l.mu.Lock()
	numbers := slices.Collect(maps.Keys(l.watched))
	l.mu.Unlock()
	for chunk := range slices.Chunk(numbers, 500) {
		found, err := l.server.readChanges(ctx, chunk)
		if err != nil {
			return err
		}
		l.mu.Lock()
		for number, changes := range found {
			person := l.watched[number]
			if person == nil {
				continue
			}
			if person.known && person.changes != changes && (lost || !person.announced) {
				person.signal()
			}
			person.changes, person.known, person.announced = changes, true, false
		}
		l.mu.Unlock()
	}
	return nil
}

// readChanges reads the counters of changes of people in one trip.
func (s *Server) readChanges(ctx context.Context, numbers []int64) (map[int64]int64, error) {
	found := map[int64]int64{}
	err := within(ctx, tripTimeout, func(ctx context.Context) error {
		batch := &pgx.Batch{}
		for _, number := range numbers {
			batch.Queue(selectTenant, strconv.FormatInt(number, 10))
			batch.Queue(convert.Statement(selectChanges), number).QueryRow(func(row pgx.Row) error {
				changes := int64(0)
				err := row.Scan(&changes)
				if errors.Is(err, pgx.ErrNoRows) {
					return nil
				}
				found[number] = changes
				return err
			})
		}
		return s.reads.SendBatch(ctx, batch).Close()
	})
	return found, err
}
