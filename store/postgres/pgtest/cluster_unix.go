//go:build unix

package pgtest

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A Cluster is a server that a test stops and starts again. Its folder stays until the end of the
// test. It syncs its files.
type Cluster struct {
	Server
	tb       testing.TB
	programs string
	account  *syscall.SysProcAttr
	settings []string

	mu   sync.Mutex
	stop func(signal string) // ends the running server; nil if none runs
}

// StartCluster creates a cluster and starts its server. parent is the folder for its data, such as a
// small disk, or "" for one in /tmp.
func StartCluster(tb testing.TB, parent string, settings ...string) *Cluster {
	tb.Helper()
	c := newCluster(tb, parent, settings)
	initdb := exec.Command(filepath.Join(c.programs, "initdb"), "-D", c.data(), "-U", superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=1")
	c.run(initdb)
	c.Start()
	return c
}

// Standby creates and starts a standby of the running server by streaming replication. name is its
// name in synchronous_standby_names.
func (c *Cluster) Standby(name string, settings ...string) *Cluster {
	c.tb.Helper()
	s := newCluster(c.tb, "", settings)
	copying := exec.Command(filepath.Join(c.programs, "pg_basebackup"), "-D", s.data(), "-h", c.folder, "-U", superuser, "-X", "stream", "-c", "fast", "--no-sync")
	c.run(copying)
	lines := fmt.Sprintf("primary_conninfo = 'host=%s user=%s application_name=%s'\n", c.folder, superuser, name)
	for path, text := range map[string]string{"postgresql.auto.conf": lines, "standby.signal": ""} {
		path = filepath.Join(s.data(), path)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			c.tb.Fatal(err)
		}
		if s.account.Credential != nil {
			if err := os.Chown(path, int(s.account.Credential.Uid), int(s.account.Credential.Gid)); err != nil {
				c.tb.Fatal(err)
			}
		}
	}
	s.Start()
	return s
}

func newCluster(tb testing.TB, parent string, settings []string) *Cluster {
	tb.Helper()
	given := os.Getenv(variable)
	if isURL(given) {
		given = ""
	}
	programs, err := findPrograms(given)
	if err != nil {
		tb.Fatal(err)
	}
	if programs == "" {
		tb.Skip("not checked here: no PostgreSQL server")
	}
	account, err := unprivileged()
	if err != nil {
		tb.Fatal(err)
	}
	folder, err := newFolder(parent, account)
	if err != nil {
		tb.Fatal(err)
	}
	c := &Cluster{tb: tb, programs: programs, account: account, settings: settings}
	c.folder = folder
	c.url = url.URL{Scheme: "postgres", User: url.User(superuser), RawQuery: url.Values{"host": {folder}}.Encode()}
	tb.Cleanup(func() {
		c.Stop("QUIT")
		os.RemoveAll(folder)
	})
	return c
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// run runs a program of PostgreSQL to its end.
func (c *Cluster) run(cmd *exec.Cmd) {
	c.tb.Helper()
	cmd.SysProcAttr, cmd.Dir = c.account, "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		c.tb.Fatalf("%s: %v: %s", filepath.Base(cmd.Path), err, out)
	}
}

// Start starts the server, which must not run, and returns when it accepts connections.
func (c *Cluster) Start() {
	c.tb.Helper()
	if err := c.start(); err != nil {
		c.tb.Fatal("start PostgreSQL: ", err)
	}
}

func (c *Cluster) start() error {
	// A server that was killed leaves processes, which end a moment later. Until then the next one
	// does not start.
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := c.tryStart()
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

func (c *Cluster) tryStart() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	arguments := []string{"-c", run, "sh", c.folder, filepath.Join(c.programs, "postgres"), "-D", c.data(), "-k", c.folder, "-c", "listen_addresses=", "-c", "max_connections=100"}
	for _, setting := range c.settings {
		arguments = append(arguments, "-c", setting)
	}
	shell := exec.Command("/bin/sh", arguments...)
	shell.SysProcAttr, shell.Dir = c.account, "/"
	input, err := shell.StdinPipe()
	if err != nil {
		return err
	}
	if err := shell.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		shell.Wait()
		close(ended)
	}()
	stop := func(signal string) {
		fmt.Fprintln(input, signal)
		input.Close()
		<-ended
	}
	if err := c.await(ended); err != nil {
		stop("QUIT")
		log, _ := os.ReadFile(filepath.Join(c.folder, "log"))
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(log))
	}
	c.stop = stop
	return nil
}

// run is the shell program that becomes the server of a Cluster. Its child reads the signal that
// ends the server. QUIT ends the server if the test process ends.
const run = `
folder=$1; shift
exec 3<&0
(read signal <&3 || signal=QUIT; kill -$signal $$) &
exec "$@" >>"$folder/log" 2>&1 </dev/null 3<&-
`

// Stop ends the server by that signal, and returns when it has ended: INT ends all connections, QUIT
// is an immediate stop, and KILL is kill -9.
func (c *Cluster) Stop(signal string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		c.stop(signal)
		c.stop = nil
	}
}

// StartAgain starts the server if it has ended by itself.
func (c *Cluster) StartAgain() {
	c.tb.Helper()
	if c.await(nil) != nil {
		c.Stop("QUIT")
		c.Start()
	}
}

// Exec runs a statement as the superuser.
func (c *Cluster) Exec(statement string) {
	c.tb.Helper()
	if err := c.exec(statement); err != nil {
		c.tb.Fatal(statement, ": ", err)
	}
}
