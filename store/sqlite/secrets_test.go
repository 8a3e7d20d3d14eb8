package sqlite_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// A sealer encrypts with a test key. It returns fault if that is set.
type sealer struct {
	fault error
	asked int
}

func (s *sealer) gcm() (cipher.AEAD, error) {
	s.asked++
	block, err := aes.NewCipher(bytes.Repeat([]byte("k"), 32))
	if err != nil || s.fault != nil {
		return nil, errors.Join(err, s.fault)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (s *sealer) Seal(plain, context []byte) ([]byte, error) {
	gcm, err := s.gcm()
	if err != nil {
		return nil, err
	}
	return gcm.Seal(nil, nil, plain, context), nil
}

func (s *sealer) Open(sealed, context []byte) ([]byte, error) {
	gcm, err := s.gcm()
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, nil, sealed, context)
}

const canary = "xyzzyplugh"

var errKey = errors.New("the key is lost")

// A secretDB is a database with secrets of ann.
type secretDB struct {
	*memory.Store
	t      *testing.T
	db     *sqlite.DB
	path   string
	sealer sealer
	clock  *clock
}

func newSecretDB(t *testing.T) *secretDB {
	v := &secretDB{t: t, path: filepath.Join(t.TempDir(), "kota.db"), clock: newClock()}
	v.db = openAt(t, v.path, sqlite.Options{Sealer: &v.sealer, Now: v.clock.now})
	v.Store = memory.New(v.db, "ann")
	return v
}

func (v *secretDB) setSecret(key, value string) store.WriteResult {
	return set(v.t, v.Store, store.Entry{Key: key, Value: jsonText(value), Secret: new(true)})
}

// checkReveals fails the test unless the memory is a secret with that value, and only Reveal returns
// it.
func (v *secretDB) checkReveals(key, want string) {
	v.t.Helper()
	found := get(v.t, v.Store, key)
	value, err := v.Reveal(found)
	if !found.Secret || string(found.Value) != `""` || err != nil || string(value) != want {
		v.t.Errorf("%s: got %+v, revealed %s, %v; want %s", key, found, value, err, want)
	}
}

// checkNoCanary fails the test if a file in the folder contains the canary.
func (v *secretDB) checkNoCanary(when string) {
	v.t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(v.path), "*"))
	if err != nil || len(files) == 0 {
		v.t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			v.t.Fatal(err)
		}
		if bytes.Contains(raw, []byte(canary)) {
			v.t.Errorf("%s: %s contains the value", when, filepath.Base(file))
		}
	}
}

func TestSecretIsNeverStoredInPlainText(t *testing.T) {
	v := newSecretDB(t)
	v.setSecret("bank pin", canary+" one")
	v.checkNoCanary("after the first")
	v.setSecret("bank pin", canary+" two")
	edits := []store.Edit{
		{Key: "bank pin", Addition: jsonText(canary)}, {Key: "bank pin", AddTags: []string{"bank"}}, {Key: "bank pin", RenameTo: "pin"},
	}
	for _, e := range edits {
		if _, err := v.Update(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	v.checkReveals("pin", `"`+canary+` two\n`+canary+`"`)
	if err := v.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	history, err := v.History(t.Context(), "pin", 9)
	if err != nil || len(history) != 5 {
		t.Fatalf("got %+v, %v", history, err)
	}
	for _, e := range history {
		if e.Before != nil && (!e.Before.Secret || string(e.Before.Value) != `""`) {
			t.Errorf("the history contains %+v", e.Before)
		}
	}
	for _, words := range []string{canary, "one", "null"} {
		if found, err := v.Recall(t.Context(), store.RecallQuery{Text: words, Limit: 5}); err != nil || len(found.Hits) > 0 {
			t.Errorf("%s: found %+v, %v", words, found, err)
		}
	}
	if found, err := v.Recall(t.Context(), store.RecallQuery{Text: "pin", Limit: 5}); err != nil || len(found.Hits) != 1 || found.Hits[0].Snippet != "" {
		t.Errorf("by its key: got %+v, %v", found, err)
	}
	if _, err := v.Delete(t.Context(), store.Target{Key: "pin"}, false); err != nil {
		t.Fatal(err)
	}
	if err := v.db.Backup(t.Context(), filepath.Join(filepath.Dir(v.path), "backup.db"), nil); err != nil {
		t.Fatal(err)
	}
	v.checkNoCanary("in the end")
	if missing, err := v.Vectors().Missing(t.Context(), "m", 3, 0, 9); err != nil || len(missing) > 0 {
		t.Errorf("an embedding is made of %+v, %v", missing, err)
	}
}

func TestPlaintextOfANewSecretLeavesTheFile(t *testing.T) {
	v := newSecretDB(t)
	set(t, v.Store, store.Entry{Key: "wifi", Value: jsonText(canary + " one")})
	set(t, v.Store, store.Entry{Key: "wifi", Value: jsonText(canary + " two")})
	if err := v.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	written, err := v.Update(t.Context(), store.Edit{Key: "wifi", Secret: new(true)})
	if err != nil || written.PlaintextErase == nil || !written.PlaintextErase.Complete {
		t.Fatalf("got %+v, %v", written, err)
	}
	v.checkNoCanary("as a secret")
	v.checkReveals("wifi", `"`+canary+` two"`)
	if found, err := v.Recall(t.Context(), store.RecallQuery{Text: canary, Limit: 5}); err != nil || len(found.Hits) > 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	t.Run("and its versions are restored as secrets", func(t *testing.T) {
		if _, err := v.RestoreVersion(t.Context(), "wifi", 1); err != nil {
			t.Fatal(err)
		}
		v.checkReveals("wifi", `"`+canary+` one"`)
		v.checkNoCanary("after a restore")
	})
	t.Run("until it is unsealed", func(t *testing.T) {
		open, err := v.Update(t.Context(), store.Edit{Key: "wifi", Unseal: true})
		if found := get(t, v.Store, "wifi"); err != nil || found.Secret || string(found.Value) != `"`+canary+` one"` {
			t.Errorf("got %+v, %v", found, err)
		}
		if _, err := v.Restore(t.Context(), open.Undo); err != nil {
			t.Fatal(err)
		}
		v.checkReveals("wifi", `"`+canary+` one"`)
		v.checkNoCanary("taken back")
	})
}

func TestSecretsDoNotChangeWithoutTheKey(t *testing.T) {
	v := newSecretDB(t)
	v.setSecret("pin", "1234")
	set(t, v.Store, store.Entry{Key: "plain", Value: jsonText("x")})
	v.db.Close()
	v.sealer.fault = errKey
	v.db = openAt(t, v.path, sqlite.Options{Sealer: &v.sealer, Now: v.clock.now})
	v.Store = memory.New(v.db, "ann")
	before := get(t, v.Store, "pin")
	for name, operation := range map[string]func() error{
		"replace": func() error {
			_, err := v.Set(t.Context(), store.Entry{Key: "pin", Value: jsonText("5678")})
			return err
		},
		"make plain": func() error { _, err := v.Update(t.Context(), store.Edit{Key: "pin", Unseal: true}); return err },
		"rename":     func() error { _, err := v.Update(t.Context(), store.Edit{Key: "pin", RenameTo: "code"}); return err },
		"a new one": func() error {
			_, err := v.Set(t.Context(), store.Entry{Key: "new", Value: jsonText("x"), Secret: new(true)})
			return err
		},
		"make secret": func() error { _, err := v.Update(t.Context(), store.Edit{Key: "plain", Secret: new(true)}); return err },
		"reveal":      func() error { _, err := v.Reveal(before); return err },
		"several at once": func() error {
			_, err := v.SetMany(t.Context(), []store.Entry{{Key: "pin", Value: jsonText("5678")}})
			return err
		},
	} {
		if err := operation(); !errors.Is(err, errKey) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if after := get(t, v.Store, "pin"); after.Version != 1 || !bytes.Equal(after.Sealed, before.Sealed) {
		t.Errorf("after the failures: %+v", after)
	}
	t.Run("but writes that need no value succeed", func(t *testing.T) {
		if _, err := v.Update(t.Context(), store.Edit{Key: "pin", AddTags: []string{"bank"}}); err != nil {
			t.Error(err)
		}
		deleted, err := v.Delete(t.Context(), store.Target{Key: "pin"}, false)
		if err != nil {
			t.Error(err)
		}
		if _, err := v.Restore(t.Context(), deleted.Undo); err != nil {
			t.Error(err)
		}
		v.sealer.fault = nil
		v.checkReveals("pin", `"1234"`)
	})
}

func TestPlainMemoriesNeedNoKey(t *testing.T) {
	v := newSecretDB(t)
	set(t, v.Store, store.Entry{Key: "city", Value: jsonText("Bern")})
	set(t, v.Store, store.Entry{Key: "city", Value: jsonText("Basel")})
	if _, err := v.Update(t.Context(), store.Edit{Key: "city", RenameTo: "town", Addition: jsonText("x")}); err != nil || v.sealer.asked > 0 {
		t.Errorf("asked %d times, %v", v.sealer.asked, err)
	}
	_, err := memory.New(open(t), "ann").Set(t.Context(), store.Entry{Key: "pin", Value: jsonText("x"), Secret: new(true)})
	if !errors.Is(err, store.ErrNoSealer) || strings.Contains(err.Error(), "x\"") {
		t.Errorf("without a sealer: %v", err)
	}
}
