//go:build unix

package pgtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// superuser is the role that initdb creates.
const superuser = "postgres"

// watch is the shell program that runs the server. It stops the server and removes the folder when
// its input ends. The test process holds the other end of the input, so this happens whatever ends
// that process, on every Unix. QUIT stops the server at once, without a checkpoint.
const watch = `
folder=$1; shift
"$@" >"$folder/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$folder"
`

// start creates a data folder and starts a server in it. It returns the reason if the machine has
// no programs for it.
func start(given string, settings ...string) (server *Server, absence string, err error) {
	programs, err := findPrograms(given)
	if err != nil {
		return nil, "", err
	}
	if programs == "" {
		return nil, "no PostgreSQL server", nil
	}
	account, err := unprivileged()
	if err != nil {
		return nil, "", err
	}
	folder, err := newFolder("", account)
	if err != nil {
		return nil, "", err
	}
	s, err := startIn(folder, programs, account, settings)
	if err != nil {
		os.RemoveAll(folder)
		return nil, "", err
	}
	return s, "", nil
}

func startIn(folder, programs string, account *syscall.SysProcAttr, settings []string) (*Server, error) {
	data := filepath.Join(folder, "data")
	initdb := exec.Command(filepath.Join(programs, "initdb"), "-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = account, "/"
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	arguments := []string{"-c", watch, "sh", folder, filepath.Join(programs, "postgres"), "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "max_connections=200"}
	for _, setting := range settings {
		arguments = append(arguments, "-c", setting)
	}
	shell := exec.Command("/bin/sh", arguments...)
	shell.SysProcAttr, shell.Dir = account, "/"
	input, err := shell.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := shell.Start(); err != nil {
		return nil, err
	}
	s := &Server{
		url:    url.URL{Scheme: "postgres", User: url.User(superuser), RawQuery: url.Values{"host": {folder}}.Encode()},
		folder: folder,
		bin:    programs,
		stop: sync.OnceFunc(func() {
			input.Close()
			shell.Wait()
		}),
	}
	if err := s.await(nil); err != nil {
		log, _ := os.ReadFile(filepath.Join(folder, "log"))
		s.stop()
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(log))
	}
	return s, nil
}

// await returns when the server accepts connections, or an error if it has ended.
func (s *Server) await(ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL("", "postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ended:
			return errors.New("the server has ended")
		case <-ctx.Done():
			return errors.New("the server does not answer")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// unprivileged returns how to start a process that is not root: the server refuses root. The
// process has a group of its own, so that an interrupt from the terminal reaches only the test,
// and the server stops after it.
func unprivileged() (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() != 0 {
		return attributes, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(account.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(account.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return attributes, nil
	}
	return nil, errors.New("root has neither the user postgres nor nobody to run it")
}

// newFolder creates a folder for the server's user in parent. Without one it is in /tmp: the path of
// a socket has at most 103 bytes, and the server's user may not enter TMPDIR.
func newFolder(parent string, account *syscall.SysProcAttr) (string, error) {
	folder, err := os.MkdirTemp(cmp.Or(parent, "/tmp"), "kota-postgres-")
	if err != nil {
		return "", err
	}
	if account.Credential == nil {
		return folder, nil
	}
	if err := os.Chown(folder, int(account.Credential.Uid), int(account.Credential.Gid)); err != nil {
		os.RemoveAll(folder)
		return "", err
	}
	return folder, nil
}
