package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// databaseProxy is between one replica and the database server. It sees each commit. It can lose the
// network: then it keeps all connections and accepts new ones, but it delivers nothing.
type databaseProxy struct {
	listener net.Listener
	to       string // the Unix socket of the server
	partly   bool   // a trip to the server may be delivered in part; otherwise as a whole or not at all

	mu       sync.Mutex
	restored chan struct{} // closed while bytes are delivered
	commits  int
	onCommit func(number int, done bool) // is called right before and right after a commit of the server; nil for none
	conns    map[net.Conn]bool
}

// newDatabaseProxy starts a proxy for the server whose socket is in that folder. It ends with the test.
func newDatabaseProxy(t testing.TB, folder string, partly bool) *databaseProxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &databaseProxy{listener: listener, to: folder + "/.s.PGSQL.5432", partly: partly, restored: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(p.restored)
	t.Cleanup(p.close)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	return p
}

// url returns the URL of a database through the proxy.
func (p *databaseProxy) url(t testing.TB, direct string) string {
	t.Helper()
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	u.Host, u.RawQuery = p.listener.Addr().String(), "sslmode=disable"
	return u.String()
}

// stall stops delivering bytes until restore.
func (p *databaseProxy) stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.restored:
		p.restored = make(chan struct{})
	default:
	}
}

// restore delivers what was held back, and everything after it.
func (p *databaseProxy) restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.restored:
	default:
		close(p.restored)
	}
}

// watchCommits calls onCommit for each further commit, with its number from 1.
func (p *databaseProxy) watchCommits(onCommit func(number int, done bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commits, p.onCommit = 0, onCommit
}

func (p *databaseProxy) close() {
	p.listener.Close()
	p.restore()
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		conn.Close()
	}
}

// await returns when bytes may be delivered.
func (p *databaseProxy) await() {
	for {
		p.mu.Lock()
		restored := p.restored
		p.mu.Unlock()
		select {
		case <-restored:
			return
		default:
			<-restored
		}
	}
}

func (p *databaseProxy) commit(number int, done bool) int {
	p.mu.Lock()
	if !done {
		p.commits++
		number = p.commits
	}
	call := p.onCommit
	p.mu.Unlock()
	if call != nil {
		call(number, done)
	}
	return number
}

func (p *databaseProxy) serve(client net.Conn) {
	p.await()
	server, err := net.Dial("unix", p.to)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	done := sync.OnceFunc(func() {
		client.Close()
		server.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, client)
		delete(p.conns, server)
	})
	defer done()
	w := &wire{proxy: p, names: map[string]bool{}}
	go func() {
		defer done()
		p.copyFrames(server, client, true, w.request)
	}()
	p.copyFrames(client, server, false, w.answer)
}

// copyFrames passes messages on, to the server as trips. The first message of a client has no type.
// pass is called before a message is delivered.
func (p *databaseProxy) copyFrames(to io.Writer, from io.Reader, trip bool, pass func(kind byte, body []byte)) {
	header, held := [5]byte{}, []byte{}
	for typed := !trip; ; typed = true {
		start := 0
		if !typed {
			start = 1
		}
		if _, err := io.ReadFull(from, header[start:]); err != nil {
			return
		}
		size := binary.BigEndian.Uint32(header[1:])
		if size < 4 || size > 1<<26 {
			return
		}
		frame := make([]byte, int(size)+1)
		copy(frame, header[:])
		if _, err := io.ReadFull(from, frame[5:]); err != nil {
			return
		}
		if typed {
			pass(frame[0], frame[5:])
		}
		held = append(held, frame[start:]...)
		if trip && typed && !p.partly && frame[0] != 'S' && frame[0] != 'Q' && frame[0] != 'X' {
			continue // a later message ends the trip
		}
		p.await()
		if _, err := to.Write(held); err != nil {
			return
		}
		held = held[:0]
	}
}

// wire follows the extended protocol of one connection as far as it has commits.
type wire struct {
	proxy *databaseProxy

	mu     sync.Mutex
	names  map[string]bool // the prepared statements that are COMMIT
	bound  bool            // the next execution is a COMMIT
	number int             // of the commit that the server executes; 0 for none
}

// request sees a message of the client.
func (w *wire) request(kind byte, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch kind {
	case 'P': // parse: name, text
		name, rest, _ := bytes.Cut(body, []byte{0})
		text, _, _ := bytes.Cut(rest, []byte{0})
		w.names[string(name)] = bytes.EqualFold(text, []byte("commit"))
	case 'B': // bind: portal, name
		_, rest, _ := bytes.Cut(body, []byte{0})
		name, _, _ := bytes.Cut(rest, []byte{0})
		w.bound = w.names[string(name)]
	case 'E':
		if w.bound {
			w.bound = false
			w.number = w.proxy.commit(0, false)
		}
	}
}

// answer sees a message of the server. ReadyForQuery comes after the commit.
func (w *wire) answer(kind byte, body []byte) {
	w.mu.Lock()
	number := w.number
	commit := kind == 'C' && bytes.HasPrefix(body, []byte("COMMIT\x00"))
	if commit {
		w.number = 0
	}
	w.mu.Unlock()
	if commit && number > 0 {
		w.proxy.commit(number, true)
	}
}
