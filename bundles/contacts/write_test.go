package contacts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/contacts"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

const updates = "people.people.updateContact"

// changed is an answer of an action that changes a contact.
type changed struct {
	Status  string
	Contact struct {
		ID     string `json:"contact_id"`
		Name   string
		Phones []string
	}
	Undo string `json:"undo_id"`
	Note string
}

func (d *fixture) change(t *testing.T, tool string, in args) changed {
	t.Helper()
	return bundletest.Must[changed](t, d.bundle, tool, in)
}

func TestUpdateKeepsWhatItDoesNotName(t *testing.T) {
	d := newFixture(t)
	id := d.ann.AddContact(named("Anna", "Meier", args{
		"phoneNumbers": list{args{"value": "044 555 01 02", "type": "home"}}, "emailAddresses": values("a@example.org"),
		"organizations": list{args{"name": "Nordlux", "title": "Engineer", "department": "Sales"}}, "birthdays": list{args{"date": args{"month": 3, "day": 22}}},
	}))
	d.search(t, "anna")
	got := d.change(t, "contacts_update", args{"contact_id": id, "add_phones": []string{"079 555 09 10", "0445550102"}, "company": "Brightwater"})
	if got.Status != "updated" || len(got.Contact.Phones) != 2 {
		t.Errorf("got %+v", got)
	}
	shown := fmt.Sprint(d.ann.Contact(id))
	for _, kept := range []string{"type:home", "a@example.org", "department:Sales", "title:Engineer", "name:Brightwater", "day:22", "familyName:Meier"} {
		if !strings.Contains(shown, kept) {
			t.Errorf("%s is missing: %s", kept, shown)
		}
	}
	if got := d.search(t, "brightwater").names(); got != "Anna Meier" {
		t.Errorf("the copy does not show the change: %q", got)
	}
	if again := d.change(t, "contacts_update", args{"contact_id": id, "company": "Brightwater"}); again.Status != "unchanged" || again.Undo != "" {
		t.Errorf("got %+v", again)
	}
	d.change(t, "contacts_undo", args{"undo_id": got.Undo})
	if shown := fmt.Sprint(d.ann.Contact(id)); strings.Contains(shown, "079") || !strings.Contains(shown, "name:Nordlux") || !strings.Contains(shown, "type:home") {
		t.Errorf("after the undo: %s", shown)
	}
}

// Google sometimes changes an etag by itself. A change of the same field by somebody else is a
// conflict.
func TestUpdateChecksTheEtag(t *testing.T) {
	for name, c := range map[string]struct {
		theirs args
		want   metadata.Code
	}{
		"another field":  {args{"nicknames": values("Annie")}, ""},
		"the same field": {args{"phoneNumbers": values("117")}, metadata.Conflict},
	} {
		d := newFixture(t)
		id := d.ann.AddContact(named("Anna", "Meier", nil))
		d.google.Fault(fakeapi.Fault{Method: updates, Nth: 1, Status: 400, Reason: "failedPrecondition", OnFault: func() { d.ann.ChangeContact(id, c.theirs) }})
		_, err := bundletest.Call(t, d.bundle, "contacts_update", args{"contact_id": id, "add_phones": []string{"079 555 09 10"}})
		if metadata.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKnownEtagIsCompared(t *testing.T) {
	d := newFixture(t)
	id := d.ann.AddContact(named("Anna", "Meier", nil))
	shown := bundletest.Must[struct{ Etag string }](t, d.bundle, "contacts_get", args{"contact_id": id})
	d.ann.ChangeContact(id, args{"nicknames": values("Annie")})
	if _, err := bundletest.Call(t, d.bundle, "contacts_update", args{"contact_id": id, "name": "Eve", "etag": shown.Etag}); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("got %v", err)
	}
	if shown := fmt.Sprint(d.ann.Contact(id)); !strings.Contains(shown, "Annie") || strings.Contains(shown, "Eve") {
		t.Errorf("got %s", shown)
	}
}

func TestCreateFindsDuplicates(t *testing.T) {
	d := newFixture(t)
	seed(d)
	_, err := bundletest.Call(t, d.bundle, "contacts_create", args{"name": "A. M.", "phones": []string{"0041 44 555 01 02"}})
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), "people/c1001") {
		t.Errorf("got %v", err)
	}
	got := d.change(t, "contacts_create", args{"name": "A. M.", "emails": []string{"Anna.Meier@example.org"}, "birthday": "02-29", "duplicate": true})
	if got.Status != "created" || d.search(t, "a m").names() != "A. M." {
		t.Errorf("got %+v, found %q", got, d.search(t, "a m").names())
	}
	d.change(t, "contacts_undo", args{"undo_id": got.Undo})
	if d.ann.Contact(got.Contact.ID) != nil || d.search(t, "a m").names() == "A. M." {
		t.Error("the undo left the contact")
	}
	for _, bad := range []args{{}, {"name": " "}, {"name": "x\ny"}, {"name": "x", "emails": []string{"nobody"}}, {"name": "x", "phones": []string{"call me"}}, {"name": "x", "birthday": "22.3."}} {
		if _, err := bundletest.Call(t, d.bundle, "contacts_create", bad); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestADeletedContactComesBackWhole(t *testing.T) {
	d := newFixture(t)
	seed(d)
	before := d.stateOf("people/c1001")
	got := d.change(t, "contacts_delete", args{"contact_id": "people/c1001"})
	if d.ann.Contact("people/c1001") != nil || d.search(t, "anna").names() != "" {
		t.Error("the contact is still there")
	}
	d.now = d.now.Add(29 * 24 * time.Hour)
	back := d.change(t, "contacts_undo", args{"undo_id": got.Undo})
	after := strings.ReplaceAll(d.stateOf(back.Contact.ID), strings.TrimPrefix(back.Contact.ID, "people/c"), "1001")
	if back.Contact.ID == "people/c1001" || after != before {
		t.Errorf("before %s\nafter  %s", before, after)
	}
	if _, err := bundletest.Call(t, d.bundle, "contacts_delete", args{"contact_id": "otherContacts/c1"}); metadata.CodeOf(err) != metadata.ValidationError {
		t.Errorf("somebody whom Google saved: %v", err)
	}
}

// A contact that was made after reading the words of others is no recipient by its name alone.
func TestNamesOfOthersBecomeNoRecipients(t *testing.T) {
	d := newFixture(t)
	ctx := bundletest.WithUntrusted(t.Context(), func() {}, func() bool { return true })
	raw, err := json.Marshal(args{"name": "Raj Patel", "emails": []string{"raj@evil.example"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range d.bundle.Actions {
		if a.Name == "create" {
			call, err := a.Prepare(raw)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := call.Do(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := d.search(t, "raj"); len(got.Contacts) != 1 || got.Contacts[0].Provenance == nil || got.Contacts[0].Provenance.Trust != "mixed" {
		t.Errorf("the contact is not marked: %+v", got)
	}
	got, err := contacts.OpenFinder(d.deps).Find(context.Background(), "raj")
	if err != nil || len(got.Exact) != 0 || len(got.Similar) != 1 || !got.Similar[0].Untrusted {
		t.Errorf("got %+v, %v", got, err)
	}
}
