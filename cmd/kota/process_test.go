package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// initializeLine is the first message of a client of 2025-06-18.
const initializeLine = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// process is a `kota serve` that runs as a process, with its client.
type process struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Scanner
	stderr bytes.Buffer
}

// message is an answer of the server, or a question.
type message struct {
	ID     any
	Method string          // of a question
	Params json.RawMessage // likewise
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// callResult is the result of tools/call.
type callResult struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

func (m message) call(t testing.TB) callResult {
	t.Helper()
	var result callResult
	if m.Error != nil {
		t.Fatalf("%v: error %d %s", m.ID, m.Error.Code, m.Error.Message)
	}
	if err := json.Unmarshal(m.Result, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

func (r callResult) text() string {
	var all strings.Builder
	for _, content := range r.Content {
		all.WriteString(content.Text)
	}
	return all.String()
}

// serveIn starts `kota serve` on that home and sends it the MCP initialize
// request. If the program still runs when the test ends, it is killed.
func serveIn(t testing.TB, home string, args ...string) *process {
	t.Helper()
	return start(t, exec.Command("kota", append([]string{"serve"}, args...)...), home)
}

func start(t testing.TB, cmd *exec.Cmd, home string) *process {
	t.Helper()
	p := launch(t, cmd, home)
	p.send(initializeLine)
	return p
}

// launch starts a program that serves and sends nothing to it. cmd.Env
// overrides the environment of the tests.
func launch(t testing.TB, cmd *exec.Cmd, home string) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd}
	cmd.Env = append(append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=", "KOTA_NOW="+testTime), cmd.Env...)
	cmd.Stderr = &p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	p.stdin, p.stdout = in, bufio.NewScanner(out)
	p.stdout.Buffer(nil, 1<<24)
	return p
}

func (p *process) send(lines string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, lines); err != nil {
		p.t.Fatalf("%v; stderr: %s", err, p.stderr.String())
	}
}

// next returns the next answer; false if there are no more.
func (p *process) next() (message, bool) {
	p.t.Helper()
	if !p.stdout.Scan() {
		return message{}, false
	}
	var m message
	if err := json.Unmarshal(p.stdout.Bytes(), &m); err != nil {
		p.t.Fatalf("stdout has %q: %v", p.stdout.Text(), err)
	}
	return m, true
}

// end closes stdin, checks for exit status 0, and returns the unread answers by
// their ids.
func (p *process) end() map[any]message {
	p.t.Helper()
	p.stdin.Close()
	answers := map[any]message{}
	for {
		m, more := p.next()
		if !more {
			break
		}
		if _, twice := answers[m.ID]; twice {
			p.t.Errorf("%v is answered twice", m.ID)
		}
		answers[m.ID] = m
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("%v; stderr: %s", err, p.stderr.String())
	}
	return answers
}

// toolCall returns the line that calls a tool.
func toolCall(id any, tool string, args any) string {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		panic(fmt.Sprintf("marshal a call: %v", err))
	}
	return string(line) + "\n"
}

// object is a JSON object.
type object = map[string]any

// ask sends a call and returns the answer to it.
func (p *process) ask(line string) message {
	p.t.Helper()
	p.send(line)
	for {
		answer, more := p.next()
		if !more {
			p.t.Fatalf("it stopped: %s", p.stderr.String())
		}
		if answer.ID != "hello" && answer.ID != nil { // not a notification
			return answer
		}
	}
}

// environment returns an env func over these variables. It sets KOTA_HOME
// unless they do.
func environment(t *testing.T, variables map[string]string) func(string) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	return func(name string) string {
		if value, ok := variables[name]; ok {
			return value
		}
		if name == "KOTA_HOME" {
			return home
		}
		return ""
	}
}
