package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/transport"
	"kota/entrypoint/web"
	"kota/entrypoint/wiretest"
)

// serveGuarded serves an endpoint behind its guard, within a synctest bubble.
func serveGuarded(t *testing.T, test func(l *wiretest.Listener)) {
	synctest.Test(t, func(t *testing.T) {
		router, err := pipeline.New(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		endpoint := mcpserver.New(router, mcpserver.Options{}).NewEndpoint(t.Context(), log)
		guard := &web.Server{
			Endpoint: endpoint, Path: "/mcp", Drain: func() { endpoint.Drain(transport.EndGrace) }, Log: log,
			Admit: func(ctx context.Context, token string) (context.Context, error) {
				if token != "good" {
					return nil, errors.New("not the token")
				}
				return ctx, nil
			},
		}
		l := wiretest.Listen()
		ctx, end := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- guard.Serve(ctx, l, nil) }()
		test(l)
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

const bodyTime = 10 * time.Second // in which a body must arrive

// A request that announces a body but sends none is refused without waiting if
// it would be refused anyway. Its connection is closed, however many there are.
func TestNoAnswerWaitsForMissingBody(t *testing.T) {
	const good = "Host: localhost\r\nAuthorization: Bearer good\r\n"
	for name, c := range map[string]struct {
		head string
		want int
		most time.Duration
	}{
		"without a token":   {"Host: localhost\r\n", 401, 0},
		"with a bad token":  {"Host: localhost\r\nAuthorization: Bearer bad\r\n", 401, 0},
		"by another's name": {"Host: evil.example\r\n", 403, 0},
		"of another type":   {good + "Content-Type: text/plain\r\n", 415, 0},
		"with all it needs": {good + "Content-Type: application/json\r\n", 408, bodyTime},
	} {
		for _, length := range []string{"Content-Length: 10", "Content-Length: 1000", "Transfer-Encoding: chunked"} {
			t.Run(name+", "+length, func(t *testing.T) {
				serveGuarded(t, func(l *wiretest.Listener) {
					start, ended := time.Now(), make(chan error)
					for range 100 {
						client := l.Dial()
						go func() {
							defer client.Close()
							io.WriteString(client, "POST /mcp HTTP/1.1\r\n"+c.head+length+"\r\n\r\n")
							answer, err := http.ReadResponse(bufio.NewReader(client), nil)
							switch took := time.Since(start); {
							case err != nil:
							case answer.StatusCode != c.want || took > c.most:
								err = fmt.Errorf("answered %d after %v, want %d after %v", answer.StatusCode, took, c.want, c.most)
							default:
								_, err = io.Copy(io.Discard, client) // until the connection is closed
							}
							ended <- err
						}()
					}
					health := l.Dial()
					io.WriteString(health, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
					if answer, err := http.ReadResponse(bufio.NewReader(health), nil); err != nil || answer.StatusCode != 200 || time.Since(start) > 0 {
						t.Errorf("meanwhile /healthz says %v, %v after %v", answer, err, time.Since(start))
					}
					health.Close()
					for range 100 {
						if err := <-ended; err != nil {
							t.Fatal(err)
						}
					}
					if took := time.Since(start); took > 2*bodyTime {
						t.Errorf("the last was let go after %v", took)
					}
				})
			})
		}
	}
}

// The deadline applies only to the request's body, not to its call or its
// connection.
func TestCallMayOutlastBodyDeadline(t *testing.T) {
	serveGuarded(t, func(l *wiretest.Listener) {
		client := l.Dial()
		defer client.Close()
		read := bufio.NewReader(client)
		say := func(method, session, body string) *http.Response {
			go fmt.Fprintf(client, "%s /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nMcp-Session-Id: %s\r\nContent-Length: %d\r\n\r\n%s", method, session, len(body), body)
			answer, err := http.ReadResponse(read, nil)
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		begun := say("POST", "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
		io.Copy(io.Discard, begun.Body)
		session := begun.Header.Get("Mcp-Session-Id")
		io.Copy(io.Discard, say("POST", session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`).Body)
		listening := say("GET", session, "")
		time.AfterFunc(10*time.Minute, func() {
			other := l.Dial()
			defer other.Close()
			fmt.Fprintf(other, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nMcp-Session-Id: %s\r\n\r\n", session)
			http.ReadResponse(bufio.NewReader(other), nil)
		})
		start := time.Now()
		beats, err := io.ReadAll(listening.Body)
		if took := time.Since(start); err != nil || took < 10*time.Minute || len(beats) == 0 {
			t.Errorf("the stream ended after %v with %v; want it to last", took, err)
		}
	})
}
