package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// peer is an MCP server process that is measured over its pipes. Requests are
// prepared lines, so that no client library is measured with it.
type peer struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

// startPeer starts a server whose environment is envWithoutKota(more...).
func startPeer(ctx context.Context, more []string, binary string, args ...string) (*peer, error) {
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = envWithoutKota(more...)
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &peer{command: command, stdin: in, stdout: bufio.NewReaderSize(out, 1<<20)}, nil
}

// envWithoutKota returns this process's environment without KOTA's variables,
// and with the variables in more.
func envWithoutKota(more ...string) []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "KOTA_") {
			env = append(env, variable)
		}
	}
	return append(env, more...)
}

var (
	initialize  = request("initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "bench", "version": "1"}})
	initialized = []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	toolsList   = request("tools/list", object{})
)

// object is a JSON object.
type object = map[string]any

// request returns the line of a request with the id 1. Requests under way at
// the same time need different ids, see askConcurrently.
func request(method string, params any) []byte {
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err) // the parameters marshal
	}
	return append(line, '\n')
}

// call returns the line that calls a tool.
func call(tool string, args any) []byte {
	return request("tools/call", object{"name": tool, "arguments": args})
}

// handshake initializes the session.
func (p *peer) handshake() error {
	if _, err := p.ask(initialize); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	_, err := p.stdin.Write(initialized)
	return err
}

// ask sends a line and returns its answer, valid until the next call. It
// returns an error for a protocol or tool error.
func (p *peer) ask(line []byte) ([]byte, error) {
	if _, err := p.stdin.Write(line); err != nil {
		return nil, err
	}
	return p.answer()
}

// answer returns the next line from the server, valid until the next call. Its
// errors are those of ask.
func (p *peer) answer() ([]byte, error) {
	answer, err := p.stdout.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	if !bytes.Contains(answer, []byte(`"result":`)) || bytes.Contains(answer, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("answered %.300s", answer)
	}
	return answer, nil
}

// timeAsk returns how long ask takes.
func (p *peer) timeAsk(line []byte) (time.Duration, error) {
	start := time.Now()
	_, err := p.ask(line)
	return time.Since(start), err
}

// askConcurrently sends line as often as times says, without waiting for an answer
// in between. It gives each request its own id, and returns the time per call.
func (p *peer) askConcurrently(line []byte, times int) (time.Duration, error) {
	var lines []byte
	for id := range times {
		lines = append(lines, bytes.Replace(line, []byte(`"id":1`), fmt.Appendf(nil, `"id":%d`, id+1), 1)...)
	}
	start := time.Now()
	written := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(lines)
		written <- err
	}()
	for range times {
		if _, err := p.answer(); err != nil {
			return 0, err
		}
	}
	return time.Since(start) / time.Duration(times), <-written
}

// stop ends the server by closing its input, as a client does.
func (p *peer) stop() error {
	return errors.Join(p.stdin.Close(), p.command.Wait())
}
