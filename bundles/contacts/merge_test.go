package contacts_test

import (
	"fmt"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

// merged is an answer of contacts_merge.
type merged struct {
	Status  string
	Contact struct {
		Emails, Phones []string
	}
	Deleted, Dropped []string
	Undo             string `json:"undo_id"`
}

// twins adds two contacts of one person.
func twins(d *fixture) (first, second string) {
	first = d.ann.AddContact(named("Anna", "Meier", args{"phoneNumbers": list{args{"value": "+41 44 555 01 02", "type": "home"}}}))
	second = d.ann.AddContact(named("A.", "Meier", args{
		"phoneNumbers": values("0041 44 555 01 02", "079 555 09 10"), "emailAddresses": values("a@example.org"), "biographies": values("Likes tea."),
	}))
	return first, second
}

func TestMergeKeepsEveryValue(t *testing.T) {
	d := newFixture(t)
	first, second := twins(d)
	before := d.stateOf(first)
	in := args{"contact_ids": []string{first, second}, "dry_run": true}
	plan := bundletest.Must[merged](t, d.bundle, "contacts_merge", in)
	if plan.Status != "dry_run" || plan.Undo != "" || d.stateOf(first) != before || d.ann.Contact(second) == nil {
		t.Errorf("the dry run changed something: %+v", plan)
	}
	in["dry_run"] = false
	got := bundletest.Must[merged](t, d.bundle, "contacts_merge", in)
	if fmt.Sprint(got.Contact, got.Deleted, got.Dropped) != fmt.Sprint(plan.Contact, plan.Deleted, plan.Dropped) {
		t.Errorf("got %+v, planned %+v", got, plan)
	}
	if len(got.Contact.Phones) != 2 || len(got.Contact.Emails) != 1 || strings.Join(got.Dropped, "") != "name A. Meier" {
		t.Errorf("got %+v", got)
	}
	if shown := d.stateOf(first); !strings.Contains(shown, "type:home") || !strings.Contains(shown, "Likes tea.") || d.ann.Contact(second) != nil {
		t.Errorf("got %s", shown)
	}
	d.change(t, "contacts_undo", args{"undo_id": got.Undo})
	if d.stateOf(first) != before || len(d.ann.Contacts()) != 2 {
		t.Errorf("after the undo there are %d: %s", len(d.ann.Contacts()), d.stateOf(first))
	}
}

func TestAMergeThatStopsIsUndone(t *testing.T) {
	d := newFixture(t)
	first, second := twins(d)
	before := d.stateOf(first)
	d.google.Fault(fakeapi.Fault{Method: "people.people.deleteContact", Nth: 1, Status: 503})
	_, err := bundletest.Call(t, d.bundle, "contacts_merge", args{"contact_ids": []string{first, second}})
	if metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatal(err)
	}
	_, id, _ := strings.Cut(bundletest.AsError(t, err).Hint, `"undo_id": "`)
	id, _, _ = strings.Cut(id, `"`)
	d.change(t, "contacts_undo", args{"undo_id": id})
	if d.stateOf(first) != before || len(d.ann.Contacts()) != 2 || d.ann.Contact(second) == nil {
		t.Errorf("after the undo: %s and %d contacts", d.stateOf(first), len(d.ann.Contacts()))
	}
}

func TestMergeRefusesOneContact(t *testing.T) {
	d := newFixture(t)
	first, _ := twins(d)
	for _, ids := range [][]string{{first}, {first, first}, {first, "otherContacts/c1"}} {
		if _, err := bundletest.Call(t, d.bundle, "contacts_merge", args{"contact_ids": ids}); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%v: %v", ids, err)
		}
	}
}
