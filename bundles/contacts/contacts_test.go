package contacts_test

import (
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
)

// TestTheBundleKeepsTheContract runs every example on an empty address book, and on one with the
// people of the examples.
func TestTheBundleKeepsTheContract(t *testing.T) {
	var d *fixture
	bundletest.Run(t, bundletest.Case{
		New:    func(t *testing.T) bundles.Bundle { d = newFixture(t); return d.bundle },
		Seed:   func(t *testing.T, _ bundles.Bundle) { seed(d) },
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
