package auth_test

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/auth"
	"kota/auth/vault"
	"kota/auth/vault/vaulttest"
)

// newVaultHome returns a home whose keys are in a vault.
func newVaultHome(t *testing.T, rows *vaulttest.Rows, home string) *sealerHome {
	t.Helper()
	keys, err := vault.ParseKeys(strings.Repeat("k", 40))
	if err != nil {
		t.Fatal(err)
	}
	c := &sealerHome{t: t, options: auth.Options{Home: home, Vault: vault.New(keys, rows)}}
	c.restart()
	return c
}

// copies copies from one home to another.
func copies(t *testing.T, to, from *sealerHome, want string) {
	t.Helper()
	copied, err := to.Import(t.Context(), from.Accounts)
	if err != nil || copied.String() != want || len(copied.Problems) > 0 {
		t.Errorf("copied %s, %v, %v; want %s", copied, copied.Problems, err, want)
	}
}

// The vault has made its own key before the key of the files is copied. Texts of both keys stay
// readable, there and after the way back to another home.
func TestKeysOfBothSidesDecrypt(t *testing.T) {
	files := newSealerHome(t, auth.NoKeyring)
	early := files.seal("from the file")
	rows := &vaulttest.Rows{Name: "1"}
	other := newVaultHome(t, rows, t.TempDir())
	late := other.seal("from the vault")
	if _, err := other.open(early); !isLostKey(err) {
		t.Errorf("before the copy: %v", err)
	}

	copies(t, other, files, "the key of secret memories")
	for _, c := range []*sealerHome{other, newVaultHome(t, rows, files.options.Home)} { // a running server, and a new one
		c.mustOpen(early, "from the file")
		c.mustOpen(late, "from the vault")
		c.mustOpen(c.seal("a third"), "a third")
	}
	copies(t, other, files, "nothing")

	back := newSealerHome(t, auth.NoKeyring)
	copied, err := back.Import(t.Context(), other.Accounts)
	if err != nil || copied.Keys != 2 {
		t.Errorf("copied %d keys back: %v", copied.Keys, err)
	}
	back.restart()
	back.mustOpen(early, "from the file")
	back.mustOpen(late, "from the vault")
	copies(t, back, other, "nothing")

	t.Log("a home that has made a third key meanwhile")
	third := newSealerHome(t, &memoryKeyring{items: map[string]string{}})
	own := third.seal("of the third")
	if copied, err := third.Import(t.Context(), other.Accounts); err != nil || copied.Keys != 2 {
		t.Errorf("copied %d keys: %v", copied.Keys, err)
	}
	third.restart()
	for text, sealed := range map[string][]byte{"of the third": own, "from the file": early, "from the vault": late} {
		third.mustOpen(sealed, text)
	}
	if err := os.Remove(filepath.Join(third.options.Home, "tokens", "sealing-"+hex.EncodeToString(early[1:9])+".key")); err != nil {
		t.Fatal(err)
	}
	third.restart()
	third.mustOpen(own, "of the third")
	if _, err := third.open(early); !isLostKey(err) {
		t.Errorf("without the file of a key: %v", err)
	}
}

func isLostKey(err error) bool {
	lost := (*auth.KeyError)(nil)
	return errors.As(err, &lost) && lost.Lost
}

// A key in the folder is not copied: the vault must not get another one.
func TestVaultMakesNoKeyBesideOneInFiles(t *testing.T) {
	files := newSealerHome(t, auth.NoKeyring)
	sealed := files.seal("x")
	c := newVaultHome(t, &vaulttest.Rows{}, files.options.Home)
	local := (*auth.KeyError)(nil)
	if _, err := c.Sealer("memory").Seal([]byte("y"), nil); !errors.As(err, &local) || !local.Local {
		t.Errorf("it gave %v", err)
	}
	copies(t, c, files, "the key of secret memories")
	c.mustOpen(sealed, "x")
}

func TestImportWithoutKeyChangesNothing(t *testing.T) {
	files := newSealerHome(t, auth.NoKeyring)
	files.seal("x")
	rows := &vaulttest.Rows{}
	c := auth.Open(auth.Options{Home: t.TempDir(), Vault: vault.New(vault.Keys{}, rows)})
	missing := (*vault.KeyError)(nil)
	if _, err := c.Import(t.Context(), files.Accounts); !errors.As(err, &missing) {
		t.Errorf("it gave %v, want a KeyError", err)
	}
	if found, _ := rows.List(t.Context()); len(found) > 0 {
		t.Errorf("the vault has %v", found)
	}
}

// A database that fails at any access leaves nothing half done: the next run completes it.
func TestInterruptedImportIsCompleted(t *testing.T) {
	files := newSealerHome(t, auth.NoKeyring)
	sealed := files.seal("x")
	for fails := range 20 {
		rows := &vaulttest.Rows{}
		other := newVaultHome(t, rows, t.TempDir())
		late := other.seal("y")
		n := 0
		rows.Before = func(string) error {
			if n++; n > fails {
				return errTest
			}
			return nil
		}
		_, err := other.Import(t.Context(), files.Accounts)
		rows.Before = nil
		if err == nil {
			if fails == 0 {
				t.Error("no access failed")
			}
			return
		}
		other.restart()
		other.mustOpen(late, "y")
		if _, err := other.Import(t.Context(), files.Accounts); err != nil {
			t.Fatal(err)
		}
		other.mustOpen(sealed, "x")
		other.mustOpen(late, "y")
	}
	t.Error("it never ended without an error")
}

// Both sides have the account. The later sign-in stays, in both directions, also in the keyring.
func TestLaterSignInStays(t *testing.T) {
	w := newMachine(t)
	keyring := &memoryKeyring{items: map[string]string{}}
	w.options.Keyring = keyring
	w.restart()
	w.signInAs("ann")
	rows := &vaulttest.Rows{}
	inVault := newVaultHome(t, rows, t.TempDir())
	copied, err := inVault.Import(t.Context(), w.Accounts)
	if err != nil || !slices.Equal(copied.Accounts, []string{"ann"}) || !copied.Client {
		t.Fatalf("copied %v, %v", copied, err)
	}
	if _, err := inVault.Find("ann"); err != nil {
		t.Fatal(err)
	}
	w.advance(1)
	w.signInAs("ann")
	for _, want := range []string{"1 sign-in", "nothing"} {
		copies(t, inVault, &sealerHome{Accounts: w.Accounts}, want)
	}

	t.Log("back to a home that has nothing, and to one with an older sign-in")
	back := auth.Open(auth.Options{Home: t.TempDir(), Keyring: keyring})
	if copied, err := back.Import(t.Context(), inVault.Accounts); err != nil || copied.String() != "1 sign-in and the OAuth client" {
		t.Errorf("copied %s, %v", copied, err)
	}
	if account, err := back.Find("ann"); err != nil || !account.Keyring {
		t.Errorf("the account is %+v, %v", account, err)
	}
}

func TestAccountsThatWereNotImportedAreNamed(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	c := newVaultHome(t, &vaulttest.Rows{}, w.home)
	if _, err := c.Find(""); !errors.Is(err, auth.ErrNotImported) || !errors.Is(err, auth.ErrSignedOut) {
		t.Errorf("it gave %v", err)
	}
}

// One damaged account does not stop the others.
func TestDamagedAccountIsReportedAndOthersAreCopied(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.signInAs("bob")
	file := filepath.Join(w.home, "tokens", "ann.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newVaultHome(t, &vaulttest.Rows{}, t.TempDir())
	copied, err := c.Import(t.Context(), w.Accounts)
	if err != nil || len(copied.Problems) != 1 || !slices.Equal(copied.Accounts, []string{"bob"}) {
		t.Errorf("copied %+v, %v", copied, err)
	}
}
