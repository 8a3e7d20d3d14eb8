package contacts_test

import (
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/contacts"
)

func addresses(list []bundles.Person) string {
	all := []string{}
	for _, p := range list {
		all = append(all, p.Address)
	}
	return strings.Join(all, " ")
}

func TestFindIsExactForOwnContactsOnly(t *testing.T) {
	d := newFixture(t)
	d.ann.AddContact(named("Anna", "Meier", args{"nicknames": values("Annie"), "emailAddresses": values("anna@example.org")}))
	d.ann.AddContact(named("Anna", "Kunz", args{"emailAddresses": list{args{"value": "kunz@example.com", "type": "work"}, args{"value": "ak@example.net", "type": "home"}}}))
	d.ann.AddContact(named("Bob", "Dentist", nil)) // without an address
	d.ann.AddContact(named("Urs", "", args{"organizations": list{args{"title": "Dentist"}}, "emailAddresses": values("urs@example.org")}))
	d.ann.AddOtherContact(named("Raj", "Patel", args{"emailAddresses": values("raj@evil.example")}))
	d.ann.AddOtherContact(named("\u0410nna", "Meier", args{"emailAddresses": values("homograph@evil.example")}))
	find := contacts.OpenFinder(d.deps).Find
	for name, want := range map[string][2]string{
		"anna":       {"kunz@example.com ak@example.net anna@example.org", ""},
		"Anna Meier": {"anna@example.org", ""},
		"annie":      {"anna@example.org", ""},
		"ann":        {"", "kunz@example.com ak@example.net anna@example.org"},
		"anna meyer": {"", "anna@example.org"},
		"my dentist": {"", "urs@example.org"},
		"raj":        {"", "raj@evil.example"},
		"nobody":     {"", ""},
	} {
		got, err := find(t.Context(), name)
		if err != nil || addresses(got.Exact) != want[0] || !strings.HasPrefix(addresses(got.Similar), want[1]) {
			t.Errorf("%q: exact %q, similar %q, %v", name, addresses(got.Exact), addresses(got.Similar), err)
		}
	}
	got, err := find(t.Context(), "raj")
	if err != nil || !got.Similar[0].Untrusted {
		t.Errorf("a name from mail is trusted: %+v, %v", got, err)
	}
	got, err = find(t.Context(), "anna kunz")
	if err != nil || got.Exact[0].Known != "work, in contacts" || got.Exact[0].ID != got.Exact[1].ID {
		t.Errorf("got %+v, %v", got, err)
	}
	d.google.ClearLog()
	if _, err := find(t.Context(), "anna meier"); err != nil || len(d.google.Requests()) != 0 {
		t.Errorf("a warm look-up took %d requests: %v", len(d.google.Requests()), err)
	}
	d.missing = []string{"contacts.readonly"}
	if got, err := find(t.Context(), "anna"); err != nil || len(got.Exact)+len(got.Similar) != 0 {
		t.Errorf("without the permission: %+v, %v", got, err)
	}
}
