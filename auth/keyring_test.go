package auth_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/auth"

	"github.com/zalando/go-keyring"
)

// A memoryKeyring is a keyring in memory.
type memoryKeyring struct {
	mu        sync.Mutex
	items     map[string]string
	err       error         // the error of every call
	hang      chan struct{} // calls wait for it to be closed
	maxSecret int           // maximum bytes of a secret; 0: no limit
	deletes   int           // the number of deleted secrets
	panics    bool          // every call panics
}

func (s *memoryKeyring) lock(service string) error {
	if s.hang != nil {
		<-s.hang
	}
	s.mu.Lock()
	if s.panics {
		panic("CANARY")
	}
	if service != "kota" {
		return fmt.Errorf("the service is %q", service)
	}
	return s.err
}

func (s *memoryKeyring) Set(service, user, secret string) error {
	defer s.mu.Unlock()
	if err := s.lock(service); err != nil {
		return fmt.Errorf("%w: %s", err, secret) // the worst error of a keyring
	}
	if s.maxSecret > 0 && len(secret) > s.maxSecret {
		return keyring.ErrSetDataTooBig
	}
	s.items[user] = secret
	return nil
}

func (s *memoryKeyring) Get(service, user string) (string, error) {
	defer s.mu.Unlock()
	if err := s.lock(service); err != nil {
		return "", err
	}
	secret, ok := s.items[user]
	if !ok {
		return "", auth.ErrNotInKeyring
	}
	return secret, nil
}

func (s *memoryKeyring) Delete(service, user string) error {
	defer s.mu.Unlock()
	if err := s.lock(service); err != nil {
		return err
	}
	if _, ok := s.items[user]; !ok {
		return auth.ErrNotInKeyring
	}
	delete(s.items, user)
	s.deletes++
	return nil
}

func (s *memoryKeyring) deleted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deletes
}

func newMachineWithKeyring(t *testing.T) (*machine, *memoryKeyring) {
	w := newMachine(t)
	s := &memoryKeyring{items: map[string]string{}}
	w.options.Keyring = s
	w.restart()
	return w, s
}

func (s *memoryKeyring) contents() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.items)
}

func TestTokensAreStoredInKeyring(t *testing.T) {
	w, s := newMachineWithKeyring(t)
	w.rotate = true
	file := filepath.Join(w.home, "tokens", "ann.json")
	ann := w.signInAs("ann")
	if !ann.Keyring || strings.Contains(read(t, file), "CANARY") || !strings.Contains(s.contents(), "CANARY-refresh") {
		t.Errorf("got %+v, the file has %s", ann, read(t, file))
	}
	w.advance(time.Hour)
	for range 2 {
		if body, err := w.get("ann"); body != "hello" || err != nil {
			t.Errorf("got %q, %v", body, err)
		}
		w.restart()
	}
	if strings.Contains(read(t, file), "CANARY") || w.count("refresh_token") != 1 {
		t.Errorf("after a renewal the file has %s", read(t, file))
	}
	w.signInAs("ann")
	if len(s.items) != 1 {
		t.Errorf("after a second sign-in the keyring has %s", s.contents())
	}
	if err := w.Logout(t.Context(), "ann"); err != nil || len(s.items) != 0 || w.count("revoke") != 1 {
		t.Errorf("after signing out: %v, and the keyring has %s", err, s.contents())
	}
}

func TestListDoesNotUseKeyring(t *testing.T) {
	w, s := newMachineWithKeyring(t)
	w.signInAs("ann")
	s.err = errTest
	w.restart()
	if accounts, err := w.List(); err != nil || len(accounts) != 1 || accounts[0].Problem != nil {
		t.Errorf("got %+v, %v", accounts, err)
	}
	t.Run("and a call that needs it says so", func(t *testing.T) {
		if _, err := w.get("ann"); !isA[*auth.KeyringError](err) || !strings.Contains(err.Error(), "unlock") {
			t.Errorf("got %v", err)
		}
		s.err = nil
		if body, err := w.get("ann"); body != "hello" || err != nil {
			t.Errorf("unlocked: got %q, %v", body, err)
		}
	})
	t.Run("or that the token has gone", func(t *testing.T) {
		clear(s.items)
		w.restart()
		_, err := w.get("ann")
		if ended, ok := errors.AsType[*auth.ExpiredError](err); !ok || ended.Cause != auth.Lost {
			t.Errorf("got %v", err)
		}
		err = w.Logout(t.Context(), "ann")
		if _, findErr := w.Find(""); !isA[*auth.RevokeError](err) || !isError(auth.ErrSignedOut)(findErr) {
			t.Errorf("signing out: got %v, %v", err, findErr)
		}
	})
}

func TestTokenIsInFileWithoutKeyring(t *testing.T) {
	for name, spoil := range map[string]func(*machine, *memoryKeyring){
		"it fails":  func(_ *machine, s *memoryKeyring) { s.err = errTest },
		"it panics": func(_ *machine, s *memoryKeyring) { s.panics = true },
		"it hangs": func(w *machine, s *memoryKeyring) {
			s.hang = make(chan struct{})
			w.SetKeyringTimeout(time.Millisecond)
		},
	} {
		w, s := newMachineWithKeyring(t)
		spoil(w, s)
		ann := w.signInAs("ann")
		if ann.Keyring || !strings.Contains(read(t, filepath.Join(w.home, "tokens", "ann.json")), "CANARY-refresh") {
			t.Errorf("%s: got %+v", name, ann)
		}
		if body, err := w.get("ann"); body != "hello" || err != nil {
			t.Errorf("%s: got %q, %v", name, body, err)
		}
		if s.hang == nil {
			continue
		}
		close(s.hang) // the keyring must not keep what it stores too late
		for deadline := time.Now().Add(10 * time.Second); s.deleted() == 0; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("the keyring keeps %s", s.contents())
			}
		}
	}
}

func TestTokenIsInFileWhenKeyringFailsAtRenewal(t *testing.T) {
	w, s := newMachineWithKeyring(t)
	w.rotate = true
	w.signInAs("ann")
	w.advance(time.Hour)
	w.fault = func(http.ResponseWriter, *http.Request) bool { s.err = errTest; return false }
	if body, err := w.get("ann"); body != "hello" || err != nil {
		t.Fatalf("got %q, %v", body, err)
	}
	w.fault, s.err = nil, nil
	w.restart()
	w.advance(time.Hour)
	if ann, err := w.Find("ann"); err != nil || ann.Keyring {
		t.Errorf("got %+v, %v", ann, err)
	}
	if body, err := w.get("ann"); body != "hello" || err != nil {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestSmallKeyringStoresOnlyRefreshToken(t *testing.T) {
	w, s := newMachineWithKeyring(t)
	s.maxSecret = 60
	ann := w.signInAs("ann")
	if !ann.Keyring || strings.Contains(s.contents(), "access") {
		t.Errorf("got %+v, and the keyring has %s", ann, s.contents())
	}
	if body, err := w.get("ann"); body != "hello" || err != nil || w.count("refresh_token") != 1 {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestKeyringStartsNoSessionBus(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "dbus-launch"), []byte("#!/bin/sh\ntouch "+bin+"/launched\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	w := newMachine(t)
	w.options.Keyring = nil
	keyring.MockInit() // never use the developer's own keyring
	w.restart()
	ann := w.signInAs("ann")
	if body, err := w.get("ann"); body != "hello" || err != nil {
		t.Errorf("got %q, %v", body, err)
	}
	if err := w.Logout(t.Context(), "ann"); err != nil {
		t.Errorf("%+v: %v", ann, err)
	}
	if _, err := os.Stat(filepath.Join(bin, "launched")); err == nil {
		t.Error("a session bus was launched")
	}
}
