package auth_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kota/auth"
)

// TestMain acts as a second KOTA if the environment says so.
func TestMain(m *testing.M) {
	if home := os.Getenv("AUTH_TEST_HOME"); home != "" {
		os.Exit(anotherProcess(home, os.Getenv("AUTH_TEST_URL")))
	}
	if home := os.Getenv("AUTH_TEST_SEAL"); home != "" {
		os.Exit(sealInAnotherProcess(home))
	}
	if home := os.Getenv("AUTH_TEST_LOGOUT"); home != "" {
		fmt.Println(auth.Open(auth.Options{Home: home, Keyring: auth.NoKeyring}).Logout(context.Background(), "ann"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// anotherProcess calls the API once for every line it reads.
func anotherProcess(home, url string) int {
	a := auth.Open(auth.Options{Home: home, Keyring: auth.NoKeyring})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		client, _, err := a.HTTPClient(context.Background(), lines.Text())
		if err != nil {
			fmt.Println("error", err)
			continue
		}
		resp, err := client.Get(url)
		if err != nil {
			fmt.Println("error", err)
			continue
		}
		resp.Body.Close()
		fmt.Println("status", resp.StatusCode)
	}
	return 0
}

// A process is another KOTA on the same home.
type process struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

func (w *machine) process() *process {
	w.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "AUTH_TEST_HOME="+w.home, "AUTH_TEST_URL="+w.URL+"/api/x")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			w.t.Error(err)
		}
	})
	return &process{in: in, out: bufio.NewScanner(out)}
}

func (p *process) get(name string) error {
	if _, err := fmt.Fprintln(p.in, name); err != nil {
		return err
	}
	if !p.out.Scan() {
		return fmt.Errorf("it has ended: %v", p.out.Err())
	}
	if p.out.Text() != "status 200" {
		return fmt.Errorf("it got %s", p.out.Text())
	}
	return nil
}

// Google forgets the old refresh token at every renewal. A process that did not read what
// another one has stored would be signed out.
func TestTwoProcessesRenewOnce(t *testing.T) {
	w := newMachine(t)
	w.rotate = true
	w.time = time.Now() // the clock of the other processes
	w.signInAs("ann")
	w.expire()
	first, second := w.process(), w.process()
	pass := gate(3)
	w.before = func(*http.Request) { pass() } // all three are refused before any of them renews
	w.fault = func(http.ResponseWriter, *http.Request) bool {
		time.Sleep(100 * time.Millisecond) // time for a second renewal, which must not happen
		return false
	}
	outcomes := make(chan error, 3)
	for _, get := range []func(string) error{first.get, second.get, func(name string) error { _, err := w.get(name); return err }} {
		go func() { outcomes <- get("ann") }()
	}
	for range 3 {
		if err := <-outcomes; err != nil {
			t.Error(err)
		}
	}
	if renewals, calls := w.count("refresh_token"), w.count("api GET"); renewals != 1 || calls != 6 {
		t.Errorf("%d renewals and %d calls", renewals, calls)
	}
	t.Run("and see each other's sign-ins and sign-outs", func(t *testing.T) {
		w.fault = nil
		w.before = nil
		if err := w.Logout(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		if err := first.get("ann"); err == nil || !strings.Contains(err.Error(), "nobody is signed in") {
			t.Errorf("after the sign-out: %v", err)
		}
		w.signInAs("ann")
		if err := first.get("ann"); err != nil {
			t.Errorf("after the sign-in: %v", err)
		}
	})
}

// A process that was killed during a write leaves a file with a token.
func TestFilesOfKilledProcessAreRemoved(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.signInAs("ann+1")
	left := w.home + "/tokens/.ann.json.123.tmp"
	other := w.home + "/tokens/.ann+1.json.123.tmp"
	write(t, left, "CANARY")
	write(t, other, "CANARY")
	w.advance(time.Hour)
	if _, err := w.get("ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("it is still there")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("another account's has gone, which may be in use")
	}
}
