package vault_test

import (
	"errors"
	"fmt"
	"testing"

	"kota/auth/vault"
	"kota/auth/vault/vaulttest"
)

var errTest = errors.New("a fault of the test's")

// A rotation that ends at any access to the database loses nothing, whichever order of the keys a
// server has, and the next one completes it.
func TestInterruptedRotationLosesNothing(t *testing.T) {
	for accesses := range 40 {
		rows := &vaulttest.Rows{Name: "1"}
		old := open(t, rows, first)
		for n := range 5 {
			put(t, old, "account", fmt.Sprint("a", n), fmt.Sprint("secret ", n))
		}
		left := accesses
		rows.Before = func(string) error {
			if left--; left < 0 {
				return errTest
			}
			return nil
		}
		_, err := open(t, rows, second+","+first).Rotate(t.Context())
		rows.Before = nil
		if err != nil && !errors.Is(err, errTest) {
			t.Fatalf("after %d accesses: %v", accesses, err)
		}
		for _, keys := range []string{first + "," + second, second + "," + first} {
			for n := range 5 {
				reads(t, open(t, rows, keys), "account", fmt.Sprint("a", n), fmt.Sprint("secret ", n))
			}
		}
		if err == nil {
			if accesses < 5 {
				t.Errorf("it ended after %d accesses", accesses)
			}
			return
		}
		rotated := open(t, rows, second+","+first)
		if _, err := rotated.Rotate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again, err := rotated.Rotate(t.Context()); again != 0 || err != nil {
			t.Errorf("the second time %d were encrypted: %v", again, err)
		}
		for n := range 5 {
			reads(t, open(t, rows, second), "account", fmt.Sprint("a", n), fmt.Sprint("secret ", n))
		}
	}
	t.Error("no rotation ended without an error")
}

// Secrets of a third key and damaged ones stay, and do not stop the others. Locks are no secrets.
func TestRotationLeavesWhatItCannotOpen(t *testing.T) {
	rows := &vaulttest.Rows{}
	put(t, open(t, rows, third), "account", "a foreign", "x")
	put(t, open(t, rows, first), "account", "b damaged", "x")
	damaged, _ := rows.Get(t.Context(), "account", "b damaged")
	damaged.Sealed[9] ^= 1
	rows.Put("account", "b damaged", damaged)
	rows.Put("account.bad", "c aside", damaged)
	put(t, open(t, rows, first), "account", "d fine", "x")
	rows.Put("lock", "account d fine", &vault.Row{Sealed: []byte("holder")})
	v := open(t, rows, second+","+first)
	n, err := v.Rotate(t.Context())
	if n != 1 || !errors.Is(err, vault.ErrDamaged) || !isMissingKey(err) {
		t.Errorf("%d were encrypted: %v", n, err)
	}
	reads(t, open(t, rows, second), "account", "d fine", "x")
	found, err := v.Status(t.Context())
	if err != nil || len(found) != 3 {
		t.Fatalf("the secrets are %+v, %v", found, err)
	}
	for i, s := range found {
		if fine := i == 2; s.Current != fine || (s.Problem == "") != fine {
			t.Errorf("%+v", s)
		}
	}
}

// Discard removes what no key opens, and nothing that is damaged: the key exists.
func TestDiscardRemovesOnlySecretsOfLostKeys(t *testing.T) {
	rows := &vaulttest.Rows{}
	put(t, open(t, rows, first), "account", "lost", "x")
	put(t, open(t, rows, second), "account", "kept", "x")
	rows.Put("lock", "x", &vault.Row{Sealed: []byte("holder")})
	if _, err := vault.New(vault.Keys{}, rows).Discard(t.Context()); !isMissingKey(err) {
		t.Errorf("without a key: %v", err)
	}
	if n, err := open(t, rows, second+","+third).Discard(t.Context()); n != 1 || err != nil {
		t.Errorf("%d were removed: %v", n, err)
	}
	reads(t, open(t, rows, second), "account", "kept", "x")
	if list, _ := rows.List(t.Context()); len(list) != 2 {
		t.Errorf("the rows are %+v", list)
	}
}
