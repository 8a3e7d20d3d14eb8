package web

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kota/entrypoint/wiretest"
)

// serve serves an endpoint within a bubble. It returns the listener for clients and a
// function that ends the server.
func serve(t *testing.T, s *Server) (l *wiretest.Listener, end func() error) {
	t.Helper()
	s.Path, s.Log = "/mcp", slog.New(slog.DiscardHandler)
	s.Admit = func(ctx context.Context, token string) (context.Context, error) {
		if token != "good" {
			return nil, errors.New("not the token")
		}
		return ctx, nil
	}
	if s.Drain == nil {
		s.Drain = func() {}
	}
	l = wiretest.Listen()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l, nil) }()
	return l, func() error { cancel(); return <-served }
}

const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n"

// The server closes slow connections and keeps nothing of them.
func TestSlowClientsAreDisconnected(t *testing.T) {
	for name, c := range map[string]struct {
		says string        // sent at once
		then string        // sent every second
		most time.Duration // until the connection is closed
	}{
		"before a word":        {"", "", headerTimeout},
		"within the first":     {"PO", "", headerTimeout},
		"a header a second":    {head, "X-Slow: yes\r\n", headerTimeout},
		"after a whole answer": {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "", idleTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, end := serve(t, &Server{Ready: func(context.Context) error { return nil }})
			client, start := l.Dial(), time.Now()
			go func() {
				_, err := io.WriteString(client, c.says)
				for c.then != "" && err == nil {
					time.Sleep(time.Second)
					_, err = io.WriteString(client, c.then)
				}
			}()
			_, _ = io.Copy(io.Discard, client) // it ends when the connection does
			if took := time.Since(start); took > c.most {
				t.Errorf("%s: it was let go after %v, want %v", name, took, c.most)
			}
			if err := end(); err != nil {
				t.Error(err)
			}
			client.Close()
			time.Sleep(time.Minute) // until the writer has noticed
		})
	}
}

func TestHeaderSizeIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, end := serve(t, &Server{})
		client := l.Dial()
		go io.WriteString(client, head+"X: "+strings.Repeat("x", 1<<20)+"\r\n\r\n")
		answer, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil || answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("got %v, %v; want 431", answer, err)
		}
		client.Close()
		end()
	})
}

// A thousand idle connections delay others only until the limit for idle connections.
func TestConnectionsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, end := serve(t, &Server{})
		start := time.Now()
		for range 3 * maxConns {
			client := l.Dial() // waits while the server is full
			go io.Copy(io.Discard, client)
		}
		if took := time.Since(start); took > 3*headerTimeout {
			t.Errorf("the last got in after %v", took)
		}
		end()
	})
}

func TestShutdownWaitsForRunningRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, drained := make(chan struct{}), make(chan struct{})
		l, end := serve(t, &Server{
			Endpoint: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(begun)
				<-drained
				io.WriteString(w, "at last")
			}),
			Drain: func() { time.Sleep(time.Second); close(drained) },
		})
		client := l.Dial()
		go io.WriteString(client, head+"Content-Length: 0\r\n\r\n")
		answered := make(chan string)
		go func() {
			answer, err := http.ReadResponse(bufio.NewReader(client), nil)
			if err != nil {
				answered <- err.Error()
				return
			}
			body, _ := io.ReadAll(answer.Body)
			answered <- string(body)
		}()
		<-begun
		ended := make(chan error)
		go func() { ended <- end() }()
		if got := <-answered; got != "at last" {
			t.Errorf("got %q, want the answer", got)
		}
		client.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestShutdownInterruptsHangingRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, end := serve(t, &Server{Endpoint: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })})
		client, start := l.Dial(), time.Now()
		go io.WriteString(client, head+"Content-Length: 0\r\n\r\n")
		synctest.Wait()
		if err := end(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > shutdownTimeout+time.Second {
			t.Errorf("it took %v", took)
		}
		client.Close()
	})
}

func TestRemoteAddressesNeedTLS(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0"} {
		if l, err := Listen(address, nil); err == nil || !strings.Contains(err.Error(), "--tls-cert") {
			t.Errorf("%s: got %v, %v; want the reason", address, l, err)
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
			t.Errorf("%s listens on %v", address, ip)
		}
		l.Close()
	}
}

func TestHostNames(t *testing.T) {
	names := hostNames{loopback: true, more: []string{"kota.example.com"}}
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:8321": true, "127.0.0.1:1": true, "127.9.9.9": true, "[::1]:8321": true, "[::1]": true,
		"localhost.": true, "kota.example.com": true, "Kota.Example.Com:443": true,
		"": false, ":8321": false, "evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false,
		"127.0.0.1@evil.example": false, "evil.example:127.0.0.1": false, "0.0.0.0": false, "192.168.1.5": false,
		"x.kota.example.com": false, "[::ffff:192.168.1.5]": false, "2130706433": false, "0x7f.1": false,
	} {
		if got := names.include(host); got != want {
			t.Errorf("%q: got %v", host, got)
		}
	}
}

func TestListenNamesPortInUse(t *testing.T) {
	l, err := Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = Listen(l.Addr().String(), nil)
	if err == nil || strings.Count(err.Error(), "listen") != 1 || !strings.Contains(err.Error(), "another program uses this port") {
		t.Errorf("got %v", err)
	}
}

// A load balancer needs time to see that /readyz fails. Until then its requests are served.
func TestServerServesOnWhileItIsNotReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drained atomic.Bool
		l, end := serve(t, &Server{
			Endpoint: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "answer") }),
			Ready:    func(context.Context) error { return nil }, Notice: 10 * time.Second, Drain: func() { drained.Store(true) },
		})
		ask := func(path string) (status int, closes bool) {
			client := l.Dial()
			defer client.Close()
			if _, err := io.WriteString(client, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n"); err != nil {
				return 0, true
			}
			answer, err := http.ReadResponse(bufio.NewReader(client), nil)
			if err != nil {
				return 0, true
			}
			defer answer.Body.Close()
			return answer.StatusCode, answer.Close
		}
		if status, closes := ask("/readyz"); status != http.StatusOK || closes {
			t.Errorf("at first: got %d, closes %v", status, closes)
		}
		ended := make(chan error)
		go func() { ended <- end() }()
		time.Sleep(9 * time.Second)
		if status, closes := ask("/readyz"); status != http.StatusServiceUnavailable || !closes {
			t.Errorf("after the signal: got %d, closes %v", status, closes)
		}
		if status, closes := ask("/mcp"); status != http.StatusOK || !closes || drained.Load() {
			t.Errorf("a call after the signal: got %d, closes %v, drained %v", status, closes, drained.Load())
		}
		if err := <-ended; err != nil || !drained.Load() {
			t.Errorf("it ended with %v, drained %v", err, drained.Load())
		}
	})
}
