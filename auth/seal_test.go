package auth_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/auth"
)

// A sealerHome is a home without a sign-in.
type sealerHome struct {
	*auth.Accounts
	t       *testing.T
	options auth.Options
	file    string // the key's file
}

func newSealerHome(t *testing.T, ring auth.Keyring) *sealerHome {
	home := filepath.Join(t.TempDir(), "home")
	c := &sealerHome{t: t, options: auth.Options{Home: home, Keyring: ring}, file: filepath.Join(home, "tokens", "sealing.key")}
	c.restart()
	return c
}

func (c *sealerHome) restart() { c.Accounts = auth.Open(c.options) }

// seal encrypts a text for the purpose "memory" and the context "ann".
func (c *sealerHome) seal(text string) []byte {
	c.t.Helper()
	sealed, err := c.Sealer("memory").Seal([]byte(text), []byte("ann"))
	if err != nil {
		c.t.Fatal(err)
	}
	return sealed
}

func (c *sealerHome) open(sealed []byte) (string, error) {
	plain, err := c.Sealer("memory").Open(sealed, []byte("ann"))
	return string(plain), err
}

// mustOpen fails the test unless the sealed text opens as want.
func (c *sealerHome) mustOpen(sealed []byte, want string) {
	c.t.Helper()
	if got, err := c.open(sealed); got != want || err != nil {
		c.t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestOpenRefusesOtherData(t *testing.T) {
	c := newSealerHome(t, auth.NoKeyring)
	sealed := c.seal("CANARY")
	refused := func(what string, plain []byte, err error) {
		t.Helper()
		if lost, ok := errors.AsType[*auth.KeyError](err); plain != nil || !errors.Is(err, auth.ErrSealed) && !(ok && lost.Lost) {
			t.Errorf("%s: got %q, %v", what, plain, err)
		}
	}
	memory := c.Sealer("memory")
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		plain, err := memory.Open(changed, []byte("ann"))
		refused(fmt.Sprintf("byte %d was changed", i), plain, err)
		plain, err = memory.Open(sealed[:i], []byte("ann"))
		refused(fmt.Sprintf("%d bytes are left", i), plain, err)
	}
	plain, err := memory.Open(append(bytes.Clone(sealed), 0), []byte("ann"))
	refused("a byte more", plain, err)
	plain, err = memory.Open(sealed, []byte("bob"))
	refused("another context", plain, err)
	plain, err = c.Sealer("approval").Open(sealed, []byte("ann"))
	refused("another purpose", plain, err)
	other := newSealerHome(t, auth.NoKeyring)
	other.seal("")
	plain, err = other.Sealer("memory").Open(sealed, []byte("ann"))
	refused("another home", plain, err)
	c.mustOpen(sealed, "CANARY")
}

func TestKeyIsCreatedOnce(t *testing.T) {
	c := newSealerHome(t, auth.NoKeyring)
	sealed := c.seal("the code of the door")
	if again := c.seal("the code of the door"); bytes.Equal(sealed, again) || bytes.Contains(sealed, []byte("door")) {
		t.Error("sealing tells what was sealed")
	}
	c.restart()
	c.mustOpen(sealed, "the code of the door")
	c.mustOpen(c.seal(""), "")
	info, err := os.Stat(c.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if accounts, err := c.List(); len(accounts) != 0 || err != nil {
		t.Errorf("it counts as an account: %+v, %v", accounts, err)
	}
	if left, err := os.ReadDir(filepath.Dir(c.file)); len(left) != 1 || err != nil {
		t.Errorf("beside it lie %v, %v", left, err)
	}
}

func TestOpenCreatesNoKey(t *testing.T) {
	sealed := newSealerHome(t, auth.NoKeyring).seal("x")
	c := newSealerHome(t, auth.NoKeyring)
	c.options.NoNewKey = true
	c.restart()
	if _, err := c.open(sealed); !isA[*auth.KeyError](err) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Sealer("memory").Seal([]byte("x"), nil); !errors.Is(err, auth.ErrNoNewKey) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(c.options.Home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}

func TestKeyIsStoredInKeyring(t *testing.T) {
	ring := &memoryKeyring{items: map[string]string{}}
	c := newSealerHome(t, ring)
	sealed := c.seal("CANARY")
	if strings.Contains(read(t, c.file), `"key"`) || len(ring.items) != 1 {
		t.Errorf("the file has %s, the keyring %s", read(t, c.file), ring.contents())
	}
	c.restart()
	c.mustOpen(sealed, "CANARY")

	before := read(t, c.file)
	refuses := func(what string, lost bool) {
		t.Helper()
		c.restart()
		_, err := c.open(sealed)
		if e, ok := errors.AsType[*auth.KeyError](err); !ok || e.Lost != lost {
			t.Errorf("%s: opening got %v", what, err)
		}
		_, err = c.Sealer("memory").Seal([]byte("new"), nil)
		if !isA[*auth.KeyError](err) || read(t, c.file) != before {
			t.Errorf("%s: sealing got %v", what, err)
		}
	}
	ring.err = errTest
	refuses("a locked keyring", false)
	ring.err = nil
	for item, secret := range ring.items {
		ring.items[item] = "x" + secret[1:] + "="
		refuses("something else in its place", true)
		delete(ring.items, item)
		refuses("a keyring that lost it", true)
		ring.items[item] = secret
	}
	c.restart()
	c.mustOpen(sealed, "CANARY")
}

func TestKeyIsInFileWithoutKeyring(t *testing.T) {
	for name, ring := range map[string]*memoryKeyring{
		"it fails": {err: errTest}, "it hangs": {items: map[string]string{}, hang: make(chan struct{})},
	} {
		c := newSealerHome(t, ring)
		c.SetKeyringTimeout(time.Millisecond)
		sealed := c.seal(name)
		if !strings.Contains(read(t, c.file), `"key"`) {
			t.Errorf("%s: the file has %s", name, read(t, c.file))
		}
		c.mustOpen(sealed, name)
		if ring.hang != nil {
			close(ring.hang) // ends the calls that wait for it
		}
	}
}

func TestUnsafeKeyIsNotReplaced(t *testing.T) {
	spoils := map[string]func(t *testing.T, file string){
		"cut short":   func(t *testing.T, file string) { write(t, file, read(t, file)[:40]) },
		"a short key": func(t *testing.T, file string) { write(t, file, `{"version":1,"key":"Q0FOQVJZ"}`) },
		"no key":      func(t *testing.T, file string) { write(t, file, `{"version":1}`) },
		"a newer form": func(t *testing.T, file string) {
			write(t, file, strings.Replace(read(t, file), `"version":1`, `"version":2`, 1))
		},
	}
	for _, same := range []string{"empty", "zeros", "HTML", "huge", "read by others", "written by others", "a link"} {
		spoils[same] = damages[same]
	}
	for name, spoil := range spoils {
		c := newSealerHome(t, auth.NoKeyring)
		sealed := c.seal("CANARY")
		spoil(t, c.file)
		before, err := os.Lstat(c.file)
		if err != nil {
			t.Fatal(err)
		}
		_, openErr := c.open(sealed)
		_, sealErr := c.Sealer("memory").Seal([]byte("new"), nil)
		for _, err := range []error{openErr, sealErr} {
			if !isA[*auth.KeyError](err) && !isA[*auth.UnsafeError](err) || strings.Contains(err.Error(), "CANARY") {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if after, err := os.Lstat(c.file); err != nil || !os.SameFile(before, after) || after.Size() != before.Size() {
			t.Errorf("%s: the file was replaced: %v", name, err)
		}
	}
}

func TestKeyOfNewerVersionIsNotLost(t *testing.T) {
	c := newSealerHome(t, auth.NoKeyring)
	sealed := c.seal("CANARY")
	write(t, c.file, strings.Replace(read(t, c.file), `"version":1`, `"version":2`, 1))
	_, err := c.open(sealed)
	if e, ok := errors.AsType[*auth.KeyError](err); !ok || e.Lost || !e.Newer {
		t.Errorf("got %v", err)
	}
}

func TestLostKeyIsReported(t *testing.T) {
	c := newSealerHome(t, auth.NoKeyring)
	sealed := c.seal("CANARY")
	kept := read(t, c.file)
	if err := os.Remove(c.file); err != nil {
		t.Fatal(err)
	}
	lost := func(why string) {
		t.Helper()
		_, err := c.open(sealed)
		if e, ok := errors.AsType[*auth.KeyError](err); !ok || !e.Lost || !strings.Contains(err.Error(), why) {
			t.Errorf("got %v", err)
		}
	}
	lost("no such file")
	c.seal("with a new key")
	lost("another key")
	write(t, c.file, kept)
	c.mustOpen(sealed, "CANARY")
}

func TestConcurrentSealersGetOneKey(t *testing.T) {
	c := newSealerHome(t, auth.NoKeyring)
	sealed := make([][]byte, 12)
	var all sync.WaitGroup
	for i := range sealed {
		if i%4 == 0 { // another process
			all.Go(func() {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "AUTH_TEST_SEAL="+c.options.Home)
				out, err := cmd.Output()
				if err != nil {
					t.Error(err)
				}
				sealed[i] = out
			})
			continue
		}
		all.Go(func() { sealed[i], _ = auth.Open(c.options).Sealer("memory").Seal([]byte("x"), []byte("ann")) })
	}
	all.Wait()
	for _, one := range sealed {
		c.mustOpen(one, "x")
	}
}

// sealInAnotherProcess seals "x" in that home and prints it.
func sealInAnotherProcess(home string) int {
	sealed, err := auth.Open(auth.Options{Home: home, Keyring: auth.NoKeyring}).Sealer("memory").Seal([]byte("x"), []byte("ann"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Stdout.Write(sealed)
	return 0
}
