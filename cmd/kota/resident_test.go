package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"kota/bundles/gmail"
)

// kotaCommand is one run of the program. A resident process runs one after
// another, because a process takes longer to start than most commands take to
// run. Tests of the process itself start their own.
type kotaCommand struct {
	Dir       string
	Env, Args []string
}

// kotaOutcome is what a command printed and returned.
type kotaOutcome struct {
	Status         int
	Stdout, Stderr []byte
}

// runResident runs the command in a resident process.
func runResident(command kotaCommand) (kotaOutcome, error) {
	process, err := residents.take()
	if err != nil {
		return kotaOutcome{}, fmt.Errorf("start kota: %w", err)
	}
	var outcome kotaOutcome
	if err := errors.Join(process.requests.Encode(command), process.outcomes.Decode(&outcome)); err != nil {
		return kotaOutcome{}, fmt.Errorf("kota %v ended its process: %w", command.Args, err)
	}
	residents.release(process)
	return outcome, nil
}

// runHere runs a command in the folder of the tests. env overrides their
// environment.
func runHere(t testing.TB, env []string, args ...string) kotaOutcome {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := runResident(kotaCommand{Dir: dir, Env: append(os.Environ(), env...), Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// residents are the processes that wait for a command.
var residents idleResidents

type idleResidents struct {
	mu   sync.Mutex
	idle []*resident
}

type resident struct {
	cmd      *exec.Cmd
	stdin    io.Closer
	requests *json.Encoder
	outcomes *json.Decoder
}

// take returns a process that waits, or starts one. Its program is kota, as
// install records it. TestMain knows what to run by the first argument.
func (r *idleResidents) take() (*resident, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := len(r.idle) - 1; last >= 0 {
		process := r.idle[last]
		r.idle = r.idle[:last]
		return process, nil
	}
	cmd := exec.Command("kota")
	cmd.Args = []string{"kota-resident"}
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &resident{cmd: cmd, stdin: stdin, requests: json.NewEncoder(stdin), outcomes: json.NewDecoder(stdout)}, cmd.Start()
}

func (r *idleResidents) release(process *resident) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, process)
}

// testsWithResidents ends the resident processes after the tests.
type testsWithResidents struct{ *testing.M }

func (m testsWithResidents) Run() int {
	status := m.M.Run()
	for _, process := range residents.idle {
		process.stdin.Close()
		_ = process.cmd.Wait() // the tests have their answers
	}
	return status
}

// serveCommands is the resident process: it reads commands from stdin and
// writes their outcomes to stdout.
func serveCommands() {
	requests, outcomes := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var command kotaCommand
		if err := requests.Decode(&command); err != nil {
			return // the tests have ended
		}
		outcome, err := command.run()
		if err == nil {
			err = outcomes.Encode(outcome)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "kota-resident:", err)
			os.Exit(1)
		}
	}
}

// run gives the process what a new process would have, and runs the program.
func (c kotaCommand) run() (outcome kotaOutcome, err error) {
	if err := os.Chdir(c.Dir); err != nil {
		return outcome, err
	}
	defer func() { err = errors.Join(err, os.Chdir(os.TempDir())) }() // the test may remove its folder
	os.Clearenv()
	for _, variable := range append(c.Env, "PWD="+c.Dir) {
		name, value, _ := strings.Cut(variable, "=")
		if err := os.Setenv(name, value); err != nil {
			return outcome, err
		}
	}
	os.Args = append([]string{"kota"}, c.Args...)
	stdin, writer, err := os.Pipe()
	if err != nil {
		return outcome, err
	}
	writer.Close()
	defer stdin.Close()
	os.Stdin = stdin
	var stdout, stderr bytes.Buffer
	finishOut, err := capture(&os.Stdout, &stdout)
	if err != nil {
		return outcome, err
	}
	finishErr, err := capture(&os.Stderr, &stderr)
	if err != nil {
		return outcome, err
	}
	outcome.Status = runProcess(gmail.Poster{})
	finishOut()
	finishErr()
	outcome.Stdout, outcome.Stderr = stdout.Bytes(), stderr.Bytes()
	return outcome, nil
}

// capture replaces a standard stream by a pipe into to. finish restores the
// stream after everything has arrived.
func capture(stream **os.File, to *bytes.Buffer) (finish func(), err error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	usual := *stream
	*stream = writer
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = to.ReadFrom(reader) // until writer is closed
		reader.Close()
	}()
	return func() {
		writer.Close()
		<-done
		*stream = usual
	}, nil
}
