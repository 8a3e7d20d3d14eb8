package vault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"kota/auth/vault"
	"kota/auth/vault/vaulttest"
)

const (
	first  = "canary-first-0123456789-abcdefghijkl"
	second = "canary-second-0123456789-abcdefghijk"
	third  = "canary-third-0123456789-abcdefghijkl"
)

func parse(t testing.TB, text string) vault.Keys {
	t.Helper()
	keys, err := vault.ParseKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// open returns a vault with these keys, as a process that starts has it.
func open(t testing.TB, rows vault.Rows, keys string) *vault.Vault {
	t.Helper()
	return vault.New(parse(t, keys), rows)
}

func put(t testing.TB, v *vault.Vault, kind, name, secret string) {
	t.Helper()
	if err := v.Put(t.Context(), kind, name, []byte(secret)); err != nil {
		t.Fatal(err)
	}
}

// reads fails the test unless the vault has that secret.
func reads(t testing.TB, v *vault.Vault, kind, name, want string) {
	t.Helper()
	if got, err := v.Get(t.Context(), kind, name); err != nil || string(got) != want {
		t.Errorf("%s %s: got %q, %v; want %q", kind, name, got, err, want)
	}
}

// refuses fails the test unless reading and replacing the secret fail with that error, and leave the
// row as it is.
func refuses(t testing.TB, v *vault.Vault, rows vault.Rows, kind, name string, isWanted func(error) bool) {
	t.Helper()
	before, _ := rows.Get(t.Context(), kind, name)
	got, err := v.Get(t.Context(), kind, name)
	if got != nil || !isWanted(err) || strings.Contains(fmt.Sprintf("%+v", err), "canary") {
		t.Errorf("%s %s: got %q, %v", kind, name, got, err)
	}
	if err := v.Put(t.Context(), kind, name, []byte("mine")); !isWanted(err) {
		t.Errorf("%s %s was replaced: %v", kind, name, err)
	}
	if after, _ := rows.Get(t.Context(), kind, name); string(after.Sealed) != string(before.Sealed) || after.Key != before.Key {
		t.Errorf("%s %s has changed", kind, name)
	}
}

func isDamage(err error) bool { return errors.Is(err, vault.ErrDamaged) }

func isMissingKey(err error) bool { return errors.As(err, new(*vault.KeyError)) }

func TestWrongKeyOpensAndReplacesNothing(t *testing.T) {
	rows := &vaulttest.Rows{Name: "1"}
	put(t, open(t, rows, first), "account", "ann", "canary secret")
	refuses(t, open(t, rows, second), rows, "account", "ann", isMissingKey)
	refuses(t, open(t, rows, second+","+third), rows, "account", "ann", isMissingKey)
	refuses(t, vault.New(vault.Keys{}, rows), rows, "account", "ann", isMissingKey)
	reads(t, open(t, rows, second+" "+first), "account", "ann", "canary secret")

	needed := (*vault.KeyError)(nil)
	_, err := open(t, rows, second).Get(t.Context(), "account", "ann")
	if want := parse(t, first).IDs()[0]; !errors.As(err, &needed) || needed.Need != want || !strings.Contains(err.Error(), fmt.Sprint(want)) {
		t.Errorf("the error is %v, want one that names the key %d", err, want)
	}
}

// Another key that claims the id of the right one: a row whose key_id was changed.
func TestKeyWithTheIDOfAnotherOpensNothing(t *testing.T) {
	rows := &vaulttest.Rows{}
	put(t, open(t, rows, first), "account", "ann", "x")
	row, _ := rows.Get(t.Context(), "account", "ann")
	row.Key = parse(t, second).IDs()[0]
	rows.Put("account", "ann", row)
	refuses(t, open(t, rows, first+","+second), rows, "account", "ann", isDamage)
}

// Whoever writes to the database moves a row to another person, kind or name.
func TestSwappedRowsDoNotOpen(t *testing.T) {
	rows := &vaulttest.Rows{Name: "1"}
	v := open(t, rows, first)
	put(t, v, "account", "ann", "of ann")
	put(t, v, "account", "bob", "of bob")
	put(t, v, "oauth client", "", "the client")
	put(t, v, "a", "bc", "parts of names")
	get := func(kind, name string) *vault.Row {
		row, err := rows.Get(t.Context(), kind, name)
		if err != nil || row == nil {
			t.Fatalf("%s %s: %v", kind, name, err)
		}
		return row
	}
	ann := get("account", "ann")
	for _, place := range [][2]string{{"account", "bob"}, {"account", ""}, {"oauth client", ""}, {"sealing key", ""}, {"accountann", ""}, {"", "accountann"}, {"account ", "ann"}, {"account", "ann "}, {"account", "Ann"}} {
		rows.Put(place[0], place[1], ann)
		refuses(t, v, rows, place[0], place[1], isDamage)
	}
	rows.Put("ab", "c", get("a", "bc"))
	refuses(t, v, rows, "ab", "c", isDamage)

	for _, tenant := range []string{"2", "", "11", "1 "} {
		other := &vaulttest.Rows{Name: tenant}
		other.Put("account", "ann", ann)
		refuses(t, open(t, other, first), other, "account", "ann", isDamage)
	}
	reads(t, v, "account", "ann", "of ann")
}

func TestDamagedRowIsRefused(t *testing.T) {
	rows := &vaulttest.Rows{}
	v := open(t, rows, first)
	put(t, v, "account", "ann", "secret")
	whole, _ := rows.Get(t.Context(), "account", "ann")
	for at := range whole.Sealed {
		row := *whole
		row.Sealed = []byte(string(whole.Sealed))
		row.Sealed[at] ^= 1
		rows.Put("account", "ann", &row)
		refuses(t, v, rows, "account", "ann", isDamage)
		row.Sealed = whole.Sealed[:at]
		rows.Put("account", "ann", &row)
		refuses(t, v, rows, "account", "ann", isDamage)
	}
	rows.Put("account", "ann", &vault.Row{Key: whole.Key, Sealed: append([]byte(string(whole.Sealed)), 0)})
	refuses(t, v, rows, "account", "ann", isDamage)
	rows.Put("account", "ann", whole)
	reads(t, v, "account", "ann", "secret")
}

func TestEmptySecretIsNoMissingOne(t *testing.T) {
	v := open(t, &vaulttest.Rows{}, first)
	put(t, v, "account", "ann", "")
	if got, err := v.Get(t.Context(), "account", "ann"); err != nil || got == nil || len(got) > 0 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := v.Get(t.Context(), "account", "bob"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
}

// Two seals of the same text differ, and no row has a part of the text.
func TestSealedTextSaysNothing(t *testing.T) {
	rows := &vaulttest.Rows{}
	v := open(t, rows, first)
	put(t, v, "account", "ann", "canary canary")
	put(t, v, "account", "bob", "canary canary")
	list, _ := rows.List(t.Context())
	if string(list[0].Sealed) == string(list[1].Sealed) {
		t.Error("two rows are equal")
	}
	for _, row := range list {
		if strings.Contains(string(row.Sealed), "canary") {
			t.Errorf("the row has the text: %q", row.Sealed)
		}
	}
}

// A row that was set aside opens when it gets its name back, also after the key has changed.
func TestRowSetAsideIsNotLost(t *testing.T) {
	rows := &vaulttest.Rows{}
	v := open(t, rows, first)
	put(t, v, "account", "ann", "old")
	aside, err := v.SetAside(t.Context(), "account", "ann", time.Unix(0, 0))
	if err != nil || aside != "account.bad ann 19700101T000000.000Z" {
		t.Fatalf("it is %q, %v", aside, err)
	}
	if names, _ := v.Names(t.Context(), "account"); len(names) > 0 {
		t.Errorf("the accounts are %q", names)
	}
	put(t, v, "account", "ann", "new")
	rotated := open(t, rows, second+","+first)
	if n, err := rotated.Rotate(t.Context()); n != 2 || err != nil {
		t.Errorf("%d were encrypted: %v", n, err)
	}
	row, _ := rows.Get(t.Context(), "account.bad", "ann 19700101T000000.000Z")
	rows.Put("account", "ann", row)
	reads(t, open(t, rows, second), "account", "ann", "old")
	rows.Put("account", "bob", row)
	refuses(t, open(t, rows, second), rows, "account", "bob", isDamage)
}

// Another server stores a new sign-in while this one sets the old one aside.
func TestSetAsideKeepsNewerRow(t *testing.T) {
	rows := &vaulttest.Rows{}
	v := open(t, rows, first)
	put(t, v, "account", "ann", "old")
	updates, fresh := 0, &vaulttest.Rows{}
	put(t, open(t, fresh, first), "account", "ann", "new")
	newer, _ := fresh.Get(t.Context(), "account", "ann")
	change := &betweenUpdates{Rows: rows, before: func() {
		if updates++; updates == 2 {
			rows.Put("account", "ann", newer)
		}
	}}
	if _, err := open(t, change, first).SetAside(t.Context(), "account", "ann", time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	reads(t, v, "account", "ann", "new")
}

// betweenUpdates calls before ahead of each Update.
type betweenUpdates struct {
	*vaulttest.Rows
	before func()
}

func (b *betweenUpdates) Update(ctx context.Context, kind, name string, change func(*vault.Row) (*vault.Row, error)) error {
	b.before()
	return b.Rows.Update(ctx, kind, name, change)
}
