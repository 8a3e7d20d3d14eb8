package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"kota/cmd/bench/internal/report"
)

const (
	singleClientCalls = 2000 // calls of one client, to measure their duration
	httpRounds        = 25   // rounds of many clients
	httpClients       = 32   // concurrent clients
	callsPerClient    = 20   // mean requests of a client in a round
)

// httpServer is an MCP server process over HTTP, with a session for each client.
type httpServer struct {
	command  *exec.Cmd
	sessions []*session // one for each of the httpClients clients
}

// session is the session of one client, in MCP 2025-06-18.
type session struct {
	url      string
	headers  http.Header
	client   *http.Client
	requests atomic.Int64 // the number of requests; gives each a different id, as a session requires
}

// measureHTTP measures calls per second and the time of a call. It compares
// memory_get by key with a bare echo of the same text, and with a bare server
// that reads the same row.
func measureHTTP(ctx context.Context, b *bench) ([]report.Row, error) {
	ctx, stop := context.WithCancel(ctx) // ends all servers
	defer stop()
	binary, err := b.buildPeer(ctx, "bare")
	if err != nil {
		return nil, err
	}
	echo, err := b.startServer(ctx, "", func(address string) *exec.Cmd { return exec.CommandContext(ctx, binary, address) })
	if err != nil {
		return nil, fmt.Errorf("start the bare server: %w", err)
	}
	home := filepath.Join(b.scratch, "http")
	reader, err := b.buildPeer(ctx, "rows")
	if err != nil {
		return nil, err
	}
	kota, err := b.startKota(ctx, home)
	if err != nil {
		return nil, err
	}
	text := strings.Repeat("a word or two ", 14)
	if _, err := kota.ask(ctx, call("memory_set", object{"key": "coffee order", "value": text})); err != nil {
		return nil, err
	}
	echoCall, got := call("echo", object{"text": text}), call("memory_get", object{"query": "coffee order"})
	reads, err := b.startServer(ctx, "", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, reader, "get", filepath.Join(home, "kota.db"), address)
	})
	if err != nil {
		return nil, fmt.Errorf("start the bare server that reads: %w", err)
	}
	read := call("get", object{"key": "coffee order"})
	many := []report.Contender{
		echo.manyClients(ctx, "echo by 32", constantLine(echoCall)), reads.manyClients(ctx, "read by 32", constantLine(read)), kota.manyClients(ctx, "memory_get by 32", constantLine(got)),
	}
	if _, err := report.InTurns(2, many); err != nil { // warm up
		return nil, err
	}
	alone, err := report.InTurns(singleClientCalls, []report.Contender{
		echo.singleClient(ctx, "echo", echoCall), reads.singleClient(ctx, "read", read), kota.singleClient(ctx, "memory_get", got),
	})
	if err != nil {
		return nil, err
	}
	together, err := report.InTurns(httpRounds, many)
	if err != nil {
		return nil, err
	}
	return httpRows(alone, together), nil
}

// httpRows returns the rows of the table. Each argument has the times of the
// echo, the read and memory_get, in this order.
func httpRows(alone, together [][]time.Duration) []report.Row {
	var rows []report.Row
	for _, q := range []struct {
		name  string
		share float64
	}{{"p50", .5}, {"p99", .99}} {
		echo, read, got := report.Quantile(alone[0], q.share), report.Quantile(alone[1], q.share), report.Quantile(alone[2], q.share)
		rows = append(rows, report.Info("memory_get over HTTP, one client, "+q.name, "%.2f × a bare echo, %.2f × a bare server that reads the same row (%.0f, %.0f and %.0f µs)",
			report.Ratio(got, echo), report.Ratio(got, read), report.Us(got), report.Us(echo), report.Us(read)))
	}
	for i, against := range []struct {
		server string
		target float64
	}{{"the bare server's echo", .65}, {"a bare server that reads the same row", .85}} {
		faster := report.MedianRatio(together[i], together[2])
		rows = append(rows, report.AtLeast("memory_get over HTTP, calls a second of 32 clients", fmt.Sprintf("≥ %.2f × %s", against.target, against.server), faster, against.target,
			"%.2f × (%.0f/s against %.0f/s; medians of %d rounds)", faster, 1/report.Median(together[2]).Seconds(), 1/report.Median(together[i]).Seconds(), httpRounds))
	}
	return rows
}

// kotaCommand returns a kota command that uses the home.
func (b *bench) kotaCommand(ctx context.Context, home string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, b.kota, args...)
	command.Env = envWithoutKota("KOTA_HOME=" + home)
	return command
}

// startKota starts KOTA over HTTP in that home.
func (b *bench) startKota(ctx context.Context, home string) (*httpServer, error) {
	token, err := b.kotaCommand(ctx, home, "http", "token").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the token: %w", err)
	}
	s, err := b.startServer(ctx, strings.TrimSpace(string(token)), func(address string) *exec.Cmd { return b.kotaCommand(ctx, home, "serve", "--http", address) })
	if err != nil {
		return nil, fmt.Errorf("start kota: %w", err)
	}
	return s, nil
}

// listen starts the server that command returns for a free address, and returns once it accepts
// connections.
func (b *bench) listen(command func(address string) *exec.Cmd) (*exec.Cmd, string, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	address := free.Addr().String()
	free.Close()
	server := command(address)
	if err := server.Start(); err != nil {
		return nil, "", err
	}
	for until := time.Now().Add(10 * time.Second); ; {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return server, address, nil
		} else if time.Now().After(until) {
			return nil, "", err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// startServer starts the server that command returns for a free address, and
// begins the sessions.
func (b *bench) startServer(ctx context.Context, token string, command func(address string) *exec.Cmd) (*httpServer, error) {
	server, address, err := b.listen(command)
	if err != nil {
		return nil, err
	}
	s := &httpServer{command: server}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: httpClients}}
	for range httpClients {
		session, err := newSession(ctx, client, "http://"+address+"/mcp", token)
		if err != nil {
			return nil, err
		}
		s.sessions = append(s.sessions, session)
	}
	return s, nil
}

// newSession begins a session at url. token is "" for a server without tokens.
func newSession(ctx context.Context, client *http.Client, url, token string) (*session, error) {
	s := &session{url: url, headers: http.Header{}, client: client}
	s.headers.Set("Content-Type", "application/json")
	s.headers.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		s.headers.Set("Authorization", "Bearer "+token)
	}
	response, err := s.post(ctx, initialize)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	if session := response.Header.Get("Mcp-Session-Id"); session != "" {
		s.headers.Set("Mcp-Session-Id", session)
	}
	s.headers.Set("Mcp-Protocol-Version", "2025-06-18")
	done, err := s.post(ctx, initialized)
	if err != nil {
		return nil, err
	}
	return s, done.Body.Close()
}

func (s *session) post(ctx context.Context, line []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(line))
	if err != nil {
		return nil, err
	}
	request.Header = s.headers
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		body, err := io.ReadAll(io.LimitReader(response.Body, 300))
		return nil, errors.Join(fmt.Errorf("answered %s: %s", response.Status, body), err)
	}
	return response, nil
}

// ask sends a request and returns its answer. An error answer becomes an error.
func (s *session) ask(ctx context.Context, line []byte) ([]byte, error) {
	id := strconv.AppendInt([]byte(`"id":`), s.requests.Add(1)+1, 10)
	response, err := s.post(ctx, bytes.Replace(line, []byte(`"id":1`), id, 1))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && (!bytes.Contains(answer, []byte(`"result":`)) || bytes.Contains(answer, []byte(`"isError":true`))) {
		err = fmt.Errorf("answered %.300s", answer)
	}
	return answer, err
}

// ask sends a request in the first session.
func (s *httpServer) ask(ctx context.Context, line []byte) ([]byte, error) {
	return s.sessions[0].ask(ctx, line)
}

// singleClient returns a contender that sends one request.
func (s *httpServer) singleClient(ctx context.Context, name string, line []byte) report.Contender {
	return report.Contender{Name: name, Measure: func() (time.Duration, error) {
		start := time.Now()
		_, err := s.ask(ctx, line)
		return time.Since(start), err
	}}
}

// manyClients returns a contender in which many clients send requests concurrently.
// It measures the time per call.
func (s *httpServer) manyClients(ctx context.Context, name string, line func() []byte) report.Contender {
	const all = int64(httpClients * callsPerClient)
	return report.Contender{Name: name, Measure: func() (time.Duration, error) {
		left := atomic.Int64{}
		left.Store(all)
		start := time.Now()
		asking, ctx := errgroup.WithContext(ctx)
		for _, session := range s.sessions {
			asking.Go(func() error {
				for left.Add(-1) >= 0 {
					if _, err := session.ask(ctx, line()); err != nil {
						return err
					}
				}
				return nil
			})
		}
		err := asking.Wait()
		return time.Since(start) / time.Duration(all), err
	}}
}
