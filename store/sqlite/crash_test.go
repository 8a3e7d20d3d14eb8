package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// The test binary is also the other process. With this variable it runs the command in it instead
// of the tests.
const childCommand = "KOTA_STORE_CHILD"

func TestMain(m *testing.M) {
	command := strings.Fields(os.Getenv(childCommand))
	if len(command) == 0 {
		os.Exit(m.Run())
	}
	run := runWriter
	switch command[1] {
	case "reader":
		run = runReader
	case "logger":
		run = runLogger
	case "opener":
		run = runOpener
	case "actor":
		run = runAuditedWriter
	case "passer":
		run = runLimited
	case "taker":
		run = runHolder
	}
	if err := run(command[0], command[1], command[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runReader is a process that can read the file at path but not write it.
func runReader(path, _, _ string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	m := memory.New(db, "ann")
	if _, err := m.Get(ctx, "k"); err != nil {
		return err
	}
	if _, err := m.Set(ctx, store.Entry{Key: "k", Value: jsonText("changed")}); !errors.Is(err, store.ErrReadOnly) {
		return fmt.Errorf("set: got %v, want ErrReadOnly", err)
	}
	for name, run := range map[string]func() (int, error){
		"delete": func() (int, error) {
			would, err := m.Delete(ctx, store.Target{Key: "k"}, true)
			return len(would.Keys), err
		},
		"erase": func() (int, error) {
			would, err := m.Erase(ctx, store.Target{Key: "k"}, true)
			return len(would.Keys), err
		},
	} {
		if n, err := run(); err != nil || n != 1 {
			return fmt.Errorf("dry run of %s: %d memories, %w", name, n, err)
		}
	}
	if _, err := m.Get(ctx, "k"); err != nil {
		return fmt.Errorf("get after a failed set: %w", err)
	}
	return nil
}

// runWriter writes to the file at path from 8 goroutines, count times each or without end. It
// prints the key of every acknowledged write.
func runWriter(path, name, count string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	most, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	failures := make(chan error, 8)
	for w := range cap(failures) {
		all.Go(func() {
			for i := 0; most == 0 || i < most; i++ {
				key := fmt.Sprintf("%s.%d.%d", name, w, i)
				if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: key, Value: jsonText(strings.Repeat(key, 20))}); err != nil {
					failures <- err
					return
				}
				os.Stdout.WriteString(key + "\n") // one system call, so that every line is complete
			}
		})
	}
	all.Wait()
	close(failures)
	for err := range failures {
		return err
	}
	return db.Close()
}

// child starts this binary as another process that writes.
func child(t *testing.T, path, name string, count int) (*exec.Cmd, io.Reader) {
	t.Helper()
	command, _, stdout := childWithStdin(t, path, name, count)
	return command, stdout
}

// childWithStdin is child with access to the standard input of the process.
func childWithStdin(t *testing.T, path, name string, count int) (*exec.Cmd, io.Writer, io.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", childCommand, path, name, count))
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, stdin, stdout
}

// KOTA_CRASH_LOOPS sets how often the writer is killed.
func TestAKilledWriterLosesNoAcknowledgedWrite(t *testing.T) {
	loops := 5
	if text := os.Getenv("KOTA_CRASH_LOOPS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		loops = n
	}
	path := filepath.Join(t.TempDir(), "kota.db")
	acknowledged := []string{}
	for loop := range loops {
		command, stdout := child(t, path, fmt.Sprint("loop", loop), 0)
		lines := bufio.NewScanner(stdout)
		for n := 0; lines.Scan(); n++ {
			acknowledged = append(acknowledged, lines.Text())
			if n == 30+loop*97%900 { // it continues to write until the kill arrives
				if err := command.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := command.Wait(); err == nil {
			t.Fatal("the writer ended by itself")
		}
	}
	db := openAt(t, path, sqlite.Options{})
	for _, key := range acknowledged {
		if got, err := memory.New(db, "ann").Get(t.Context(), key); err != nil || string(got.Value) != string(jsonText(strings.Repeat(key, 20))) {
			t.Errorf("%s was acknowledged: %v", key, err)
		}
	}
	if problems, err := db.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("check says %q, %v", problems, err)
	}
	t.Logf("killed %d times, %d writes acknowledged", loops, len(acknowledged))
}

func TestTwoProcessesWithEightWritersEachLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	const each = 50
	commands := []*exec.Cmd{}
	for _, name := range []string{"one", "two"} {
		command, stdout := child(t, path, name, each)
		go io.Copy(io.Discard, stdout)
		commands = append(commands, command)
	}
	for _, command := range commands {
		if err := command.Wait(); err != nil {
			t.Errorf("a writer failed: %v", err)
		}
	}
	stats, err := memory.New(openAt(t, path, sqlite.Options{}), "ann").Stats(t.Context())
	if err != nil || stats.Memories != 2*8*each {
		t.Errorf("kept %d of %d, %v", stats.Memories, 2*8*each, err)
	}
}

// A countingContext counts the calls of Done: one at first, and one each time that the file was
// busy.
type countingContext struct {
	context.Context
	doneCalls atomic.Int32
}

func (p *countingContext) Done() <-chan struct{} {
	p.doneCalls.Add(1)
	return p.Context.Done()
}

// A write waits for another process that has locked the file, longer than SQLite's own busy
// timeout.
func TestWriteWaitsForALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	sqlite.WithoutBusyTimeout(t, db)
	other := openAt(t, path, sqlite.Options{})
	locked, unlock := make(chan bool), make(chan bool)
	go other.Write(t.Context(), func(tx engine.Tx) error {
		close(locked)
		<-unlock
		return nil
	})
	<-locked
	ctx := &countingContext{Context: t.Context()}
	outcome := make(chan error, 1)
	go func() { outcome <- db.Write(ctx, insertName("patient")) }()
	for ctx.doneCalls.Load() < 4 && len(outcome) == 0 {
		runtime.Gosched()
	}
	if len(outcome) != 0 {
		t.Error("it did not wait")
	}
	close(unlock)
	if err := <-outcome; err != nil {
		t.Error(err)
	}
}

func TestWriteGivenUpWhileTheFileIsLockedIsNotRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db, other := openAt(t, path, sqlite.Options{}), openAt(t, path, sqlite.Options{})
	locked, unlock := make(chan bool), make(chan bool)
	held := make(chan error)
	go func() {
		held <- other.Write(t.Context(), func(engine.Tx) error {
			close(locked)
			<-unlock
			return nil
		})
	}()
	<-locked
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error)
	go func() { outcome <- db.Write(ctx, insertName("given up")) }()
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(unlock)
	if err := <-held; err != nil {
		t.Error(err)
	}
	if insertedNames(t, db)["given up"] {
		t.Error("it was run")
	}
}
