package postgres

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/engine"
)

// A cutter is a proxy before the server that ends a connection at a message of the client.
type cutter struct {
	folder string // of its socket
	server string // path of the server's socket

	mu       sync.Mutex
	seen     int  // messages of clients since arm
	at       int  // the message to cut at; 0 for none
	before   bool // the server does not get that message
	unplug   bool // the cutter refuses connections after the cut
	isCut    bool
	listener net.Listener
}

func newCutter(t *testing.T, server string) *cutter {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "kota-cutter-") // a short path, as sockets need
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	c := &cutter{folder: folder, server: server}
	c.listener, err = net.Listen("unix", filepath.Join(folder, filepath.Base(server)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.listener.Close() })
	go func() {
		for {
			client, err := c.listener.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	return c
}

// arm cuts at the n-th message from now.
func (c *cutter) arm(n int, before, unplug bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen, c.at, c.before, c.unplug, c.isCut = 0, n, before, unplug, false
}

// count returns the number of messages since arm.
func (c *cutter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

func (c *cutter) serve(client net.Conn) {
	defer client.Close()
	c.mu.Lock()
	refuse := c.unplug && c.isCut
	c.mu.Unlock()
	if refuse {
		return
	}
	server, err := net.Dial("unix", c.server)
	if err != nil {
		return
	}
	defer server.Close()
	var answers sync.WaitGroup
	deaf := make(chan struct{}) // closed when the client gets no answers any more
	answers.Go(func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			select {
			case <-deaf:
			default:
				client.Write(buffer[:n])
			}
			if err != nil {
				client.Close()
				return
			}
		}
	})
	header := make([]byte, 5)
	if _, err := io.ReadFull(client, header[:4]); err != nil { // the startup message has no type
		return
	}
	startup := make([]byte, binary.BigEndian.Uint32(header)-4)
	if _, err := io.ReadFull(client, startup); err != nil {
		return
	}
	server.Write(append(append([]byte{}, header[:4]...), startup...))
	for {
		if _, err := io.ReadFull(client, header); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(header[1:])-4)
		if _, err := io.ReadFull(client, body); err != nil {
			return
		}
		cut, before := c.next()
		if cut && before {
			return
		}
		if cut {
			close(deaf)
		}
		server.Write(append(append([]byte{}, header...), body...))
		if cut {
			time.Sleep(30 * time.Millisecond) // the server executes what it has
			return
		}
	}
}

// next counts a message and reports whether to cut at it.
func (c *cutter) next() (cut, before bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen++
	if c.seen != c.at {
		return false, false
	}
	c.isCut = true
	return true, c.before
}

// through lets a lane connect through the cutter.
func (c *cutter) through() func(*pgx.ConnConfig) {
	return func(config *pgx.ConnConfig) {
		config.Host = c.folder
		config.Fallbacks = nil
	}
}

// changeTwice is a write with two trips of its own, and a change that is sent with the commit.
func (db *DB) changeTwice() namedWrite {
	return namedWrite{db: db, run: func(tx engine.Tx) error {
		n := int64(0)
		if err := tx.Row(readNumber, db.tenant, "n").Scan(&n); err != nil {
			return err
		}
		if _, err := tx.Change(setNumber, db.tenant, "n", n+1); err != nil {
			return err
		}
		return tx.Exec("UPDATE mail_state SET history = history + 1 WHERE owner = ? AND account = 'm'", db.tenant)
	}}
}

// Whatever message the connection ends at, an acknowledged write is stored once, and a failed one
// not at all.
func TestAConnectionThatEndsAtAnyMessage(t *testing.T) {
	t.Parallel()
	for _, people := range []int{1, 4} { // a write in a group may run again because of others, a lone one only because of itself
		for _, unplug := range []bool{false, true} {
			for _, before := range []bool{true, false} {
				t.Run(fmt.Sprintf("people=%d,unplug=%v,before=%v", people, unplug, before), func(t *testing.T) {
					t.Parallel()
					testCuts(t, people, before, unplug)
				})
			}
		}
	}
}

func testCuts(t *testing.T, people int, before, unplug bool) {
	h := newHousehold(t, people)
	proxy := newCutter(t, filepath.Join(h.Server.config.Host, ".s.PGSQL.5432"))
	h.oneLane(t, proxy.through())
	for _, db := range h.people {
		if err := errors.Join(db.Write(t.Context(), db.put("n", 0).run), db.Write(t.Context(), db.put("m", 0).run)); err != nil {
			t.Fatal(err)
		}
	}
	stored := make([]int, len(h.people)) // what must be stored
	tally := map[string]int{}
	messages := 0 // of a group; 0 until the first one has ended
	for at := 1 << 30; at > 0; at = previousCut(at, messages) {
		proxy.arm(0, false, false)
		h.people[0].WriteUnaudited(t.Context(), func(engine.Tx) error { return nil }) // connects again
		arm := sync.OnceFunc(func() { proxy.arm(at, before, unplug) })
		writes := []namedWrite{}
		for _, db := range h.people {
			change := db.changeTwice()
			writes = append(writes, namedWrite{db: db, run: func(tx engine.Tx) error { arm(); return change.run(tx) }})
		}
		failures := h.writeGroup(t, writes...)
		if messages == 0 {
			messages = proxy.count()
		}
		for i, err := range failures {
			got := h.stored(t, h.people[i])
			with, without := fmt.Sprintf("m=%d n=%d", stored[i]+1, stored[i]+1), fmt.Sprintf("m=%d n=%d", stored[i], stored[i])
			switch {
			case err == nil && got == with:
				stored[i]++
				tally["stored"]++
			case errors.Is(err, store.ErrUnreachable) && !errors.Is(err, store.ErrOutcomeUnknown) && got == without:
				tally["failed"]++
			case errors.Is(err, store.ErrOutcomeUnknown) && got == with:
				stored[i]++
				tally["unknown, stored"]++
			case errors.Is(err, store.ErrOutcomeUnknown) && got == without:
				tally["unknown, not stored"]++
			default:
				t.Fatalf("message %d, person %d: %v, and %s is stored, before it was %s", at, i, err, got, without)
			}
		}
		if !unplug && tally["failed"] > 0 {
			t.Fatalf("message %d: a write failed although the server was there: %v", at, failures)
		}
	}
	t.Log(tally)
	if unplug && (tally["failed"] == 0 || tally["unknown, stored"]+tally["unknown, not stored"] == 0) {
		t.Errorf("got only %v", tally)
	}
}

// previousCut returns the message to cut at next: each of the last ten of a group, and some of the
// others, or all of them if KOTA_TORTURE is full. It returns 0 after the first message.
func previousCut(at, messages int) int {
	switch {
	case at > messages:
		return messages
	case at > messages-10 || at <= 2 || os.Getenv("KOTA_TORTURE") == "full":
		return at - 1
	}
	return max(1, at-7)
}

// The write ends the connection each time it runs. Others must not fail with it.
func TestAWriteThatEndsItsConnection(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 2)
	h.oneLane(t)
	ann, ben := h.people[0], h.people[1]
	bad := namedWrite{db: ben, run: func(tx engine.Tx) error {
		pid := 0
		if err := tx.Row("SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		h.exec(t, "SELECT pg_terminate_backend($1)", pid)
		return tx.Row("SELECT 1").Scan(&pid)
	}}
	failures := h.writeGroup(t, ann.put("a", 1), bad, ben.put("b", 1))
	if failures[0] != nil || !errors.Is(failures[1], store.ErrUnreachable) || failures[2] != nil {
		t.Errorf("got %v", failures)
	}
	if got := h.stored(t, ann) + ", " + h.stored(t, ben); got != "a=1, b=1" {
		t.Errorf("stored %s", got)
	}
}
