package contacts_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
)

// TestTheBundleKeepsTheContract runs every example on an empty address book, and on one with the
// people of the examples.
func TestTheBundleKeepsTheContract(t *testing.T) {
	var d *fixture
	bundletest.Run(t, bundletest.Case{
		New:  func(t *testing.T) bundles.Bundle { d = newFixture(t); return d.bundle },
		Seed: func(t *testing.T, _ bundles.Bundle) { seed(d) },
		ConcurrentChanges: []bundletest.ConcurrentChange{
			{
				Title: "a new contact that got a number", Tool: "contacts_create",
				Args: func(*testing.T, bundles.Bundle) any { return args{"name": "Bea Frey"} },
				Change: func(_ *testing.T, _ bundles.Bundle, raw json.RawMessage) {
					d.ann.ChangeContact(contactIn(raw), args{"phoneNumbers": values("117")})
				},
				State: func(_ *testing.T, _ bundles.Bundle, raw json.RawMessage) string { return d.stateOf(contactIn(raw)) },
			},
			{
				Title: "a number that was changed again", Tool: "contacts_update",
				Args: func(*testing.T, bundles.Bundle) any {
					return args{"contact_id": "people/c1001", "add_phones": []string{"+41 79 555 09 10"}}
				},
				Change: func(_ *testing.T, _ bundles.Bundle, raw json.RawMessage) {
					d.ann.ChangeContact(contactIn(raw), args{"phoneNumbers": values("117")})
				},
				State: func(_ *testing.T, _ bundles.Bundle, raw json.RawMessage) string { return d.stateOf(contactIn(raw)) },
			},
			{
				Title: "merged contacts, and a number that was changed again", Tool: "contacts_merge",
				Args: func(*testing.T, bundles.Bundle) any {
					return args{"contact_ids": []string{"people/c1001", "people/c1002"}}
				},
				Change: func(*testing.T, bundles.Bundle, json.RawMessage) {
					d.ann.ChangeContact("people/c1001", args{"phoneNumbers": values("117")})
				},
				State: func(*testing.T, bundles.Bundle, json.RawMessage) string { return d.stateOf("people/c1001") },
			},
			{
				Title: "a deleted contact, and a new one of that name", Tool: "contacts_delete",
				Args: func(*testing.T, bundles.Bundle) any { return args{"contact_id": "people/c1002"} },
				Change: func(*testing.T, bundles.Bundle, json.RawMessage) {
					d.ann.AddContactID("people/c9", named("Urs", "Keller", nil))
				},
				State: func(*testing.T, bundles.Bundle, json.RawMessage) string { return d.stateOf("people/c9") },
			},
		},
		Others: []string{"gmail", "calendar"},
	})
}

// seed adds the people of the examples.
func seed(d *fixture) {
	family := d.ann.AddContactGroup("Family")
	d.ann.AddContactID("people/c1001", named("Anna", "Meier", args{
		"emailAddresses": values("anna.meier@example.org"), "nicknames": values("Annie"), "phoneNumbers": values("+41 44 555 01 02"),
		"memberships": list{args{"contactGroupMembership": args{"contactGroupResourceName": family}}},
		"biographies": values("Likes tea."),
	}))
	d.ann.AddContactID("people/c1002", named("Urs", "Keller", args{
		"phoneNumbers": values("044 555 03 04"), "organizations": list{args{"name": "Praxis am See", "title": "Dentist"}},
	}))
}

// contactIn returns the id of the contact in an answer.
func contactIn(answer json.RawMessage) string {
	var of struct {
		Contact struct {
			ID string `json:"contact_id"`
		}
	}
	if err := json.Unmarshal(answer, &of); err != nil {
		panic(err) // the answer fits its schema
	}
	return of.Contact.ID
}

// stateOf returns the fields of a contact, without its etag.
func (d *fixture) stateOf(id string) string {
	shown := d.ann.Contact(id)
	delete(shown, "etag")
	return fmt.Sprint(shown)
}
