package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
)

var contactsContract = Contract{
	"an answer that another process overtook is not stored": overtakenContactsAreNotStored,
	"a change of the user stays until the source shows it":  ownChangesOfContactsStay,
	"sources, accounts and tenants are separate":            contactsAreSeparate,
	"replacing removes the others":                          replacedContactsAreRemoved,
	"forget removes everything":                             forgetRemovesContacts,
	"cards are read as they were stored":                    cardsAreReadUnchanged,
}

func updateContacts(t testing.TB, c Contacts, source string, u store.ContactUpdate) store.ContactSync {
	t.Helper()
	if err := c.Update(t.Context(), source, u); err != nil {
		t.Fatal(err)
	}
	sync, err := c.Sync(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return sync
}

// contactsOf returns the copy of a source as "id=card" in one line.
func contactsOf(t testing.TB, c Contacts, source string) string {
	t.Helper()
	all, _, err := c.All(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, one := range all {
		lines = append(lines, one.ID+"="+one.Card)
	}
	return strings.Join(lines, " ")
}

func cards(pairs ...string) []store.Contact {
	list := []store.Contact{}
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, store.Contact{ID: pair[0], Card: pair[1]})
	}
	return list
}

func overtakenContactsAreNotStored(t *testing.T, open Opener) {
	one, other := open(time.Now).Contacts("ann", "ann@example.org"), open(time.Now).Contacts("ann", "ann@example.org")
	first := updateContacts(t, one, "own", store.ContactUpdate{Token: "1", Contacts: cards("a", "A")})
	second := updateContacts(t, one, "own", store.ContactUpdate{From: first.Version, Token: "2", Contacts: cards("a", "B")})
	stale := updateContacts(t, other, "own", store.ContactUpdate{From: first.Version, Token: "1b", Contacts: cards("a", "stale"), Removed: []string{"a"}})
	if got := contactsOf(t, other, "own"); got != "a=B" || stale != second || second.Token != "2" || second.Version <= first.Version {
		t.Errorf("got %s, %+v after %+v", got, stale, second)
	}
}

func ownChangesOfContactsStay(t *testing.T, open Opener) {
	db, clock := WithClock(open)
	c := db.Contacts("ann", "ann@example.org")
	if err := c.Put(t.Context(), "own", cards("x", "X"), nil); err != nil || contactsOf(t, c, "own") != "" {
		t.Errorf("without a copy: %q, %v", contactsOf(t, c, "own"), err)
	}
	first := updateContacts(t, c, "own", store.ContactUpdate{Token: "1", Contacts: cards("a", "A", "b", "B")})
	clock.Set(clock.Now().Add(time.Hour))
	if err := c.Put(t.Context(), "own", cards("c", "C"), []string{"b"}); err != nil {
		t.Fatal(err)
	}
	now := updateContacts(t, c, "own", store.ContactUpdate{From: first.Version, Token: "2", Contacts: cards("b", "asked before")})
	if got := contactsOf(t, c, "own"); got != "a=A c=C" || now.Token != "1" || !now.At.Equal(first.At) {
		t.Errorf("got %s, %+v after %+v", got, now, first)
	}
}

func contactsAreSeparate(t *testing.T, open Opener) {
	db := open(time.Now)
	for _, c := range []Contacts{db.Contacts("ann", "ann@example.org"), db.Contacts("ann", "work@example.org"), db.Contacts("bob", "ann@example.org")} {
		for _, source := range []string{"own", "other"} {
			if got := contactsOf(t, c, source); got != "" {
				t.Errorf("got %s of another", got)
			}
			updateContacts(t, c, source, store.ContactUpdate{Contacts: cards(source, "1")})
		}
		if err := c.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		updateContacts(t, c, "own", store.ContactUpdate{Contacts: cards("a", "1")})
		if got := contactsOf(t, c, "own"); got != "a=1" {
			t.Errorf("got %s", got)
		}
	}
	if got := contactsOf(t, db.Contacts("ann", "Ann@Example.org"), "own"); got != "a=1" {
		t.Errorf("in another spelling of the address: %q", got)
	}
}

func replacedContactsAreRemoved(t *testing.T, open Opener) {
	c := open(time.Now).Contacts("ann", "ann@example.org")
	first := updateContacts(t, c, "own", store.ContactUpdate{Token: "1", Contacts: cards("a", "A", "b", "B")})
	updateContacts(t, c, "own", store.ContactUpdate{From: first.Version, Replace: true, Contacts: cards("b", "new", "c", "C")})
	if got := contactsOf(t, c, "own"); got != "b=new c=C" {
		t.Errorf("got %s", got)
	}
}

func forgetRemovesContacts(t *testing.T, open Opener) {
	c := open(time.Now).Contacts("ann", "ann@example.org")
	before := updateContacts(t, c, "own", store.ContactUpdate{Token: "1", Contacts: cards("a", "A")})
	if err := c.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sync, err := c.Sync(t.Context(), "own"); err != nil || sync != (store.ContactSync{}) || contactsOf(t, c, "own") != "" {
		t.Errorf("got %+v, %v", sync, err)
	}
	time.Sleep(2 * time.Millisecond)
	if after := updateContacts(t, c, "own", store.ContactUpdate{Token: "1"}); after.Version == before.Version {
		t.Errorf("the version %d is used again", after.Version)
	}
}

func cardsAreReadUnchanged(t *testing.T, open Opener) {
	c := open(time.Now).Contacts("ann", "ann@example.org")
	want := cards("c1", `{"name":"Zoë \u0000 'x'; -- \\"}`, "c2", "")
	updateContacts(t, c, "own", store.ContactUpdate{Contacts: want})
	got, sync, err := c.All(t.Context(), "own")
	if diff := cmp.Diff(want, got); diff != "" || err != nil || sync.Version == 0 || sync.At.IsZero() {
		t.Errorf("%s; %+v, %v", diff, sync, err)
	}
}
