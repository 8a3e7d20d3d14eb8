package storetest

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

var namesContract = Contract{
	"recorded names are returned":                       recordedNamesAreReturned,
	"names of other tenants, accounts and kinds differ": namesAreSeparate,
	"names of several processes are kept":               namesOfSeveralProcessesAreKept,
}

func record(t testing.TB, n Names, names ...string) {
	t.Helper()
	if err := n.Record(t.Context(), "home", "label", names); err != nil {
		t.Fatal(err)
	}
}

func recorded(t testing.TB, n Names, account, kind string) []string {
	t.Helper()
	found, err := n.Recorded(t.Context(), account, kind)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

func recordedNamesAreReturned(t *testing.T, open Opener) {
	n := open(time.Now).Names("ann")
	if got := recorded(t, n, "home", "label"); len(got) != 0 {
		t.Errorf("at first there are %q", got)
	}
	record(t, n)
	record(t, n, SpecialTexts...)
	record(t, n, SpecialTexts[0], SpecialTexts[0], "another", "", "Another", strings.Repeat("x", 2000))
	want := append([]string{"another", "", "Another", strings.Repeat("x", 2000)}, SpecialTexts...)
	slices.Sort(want)
	if got := recorded(t, n, "home", "label"); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func namesAreSeparate(t *testing.T, open Opener) {
	db := open(time.Now)
	record(t, db.Names("ann"), "Invoices")
	for name, got := range map[string][]string{
		"another tenant":  recorded(t, db.Names("bob"), "home", "label"),
		"another account": recorded(t, db.Names("ann"), "work", "label"),
		"another kind":    recorded(t, db.Names("ann"), "home", "filter"),
	} {
		if len(got) != 0 {
			t.Errorf("%s has %q", name, got)
		}
	}
	record(t, db.Names("bob"), "Invoices")
	if got := recorded(t, db.Names("bob"), "home", "label"); !slices.Equal(got, []string{"Invoices"}) {
		t.Errorf("the same name of another tenant: %q", got)
	}
}

func namesOfSeveralProcessesAreKept(t *testing.T, open Opener) {
	first, second := open(time.Now).Names("ann"), open(time.Now).Names("ann")
	record(t, first, "a", "b")
	record(t, second, "b", "c")
	if got := recorded(t, first, "home", "label"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("got %q", got)
	}
}
