package policy_test

import (
	"testing"

	"kota/entrypoint/policy"
)

func TestRecipientsAdmitOnlyListed(t *testing.T) {
	for person, on := range map[string]bool{
		"ann@example.com":                true,
		"ANN@Example.COM":                true,
		"ann@example.com.":               true,
		"bob@example.com":                false,
		"ann+news@example.com":           false,
		"ann@example.com@evil.org":       false,
		"\"ann@example.com\"@evil.org":   false,
		"ann@example.com.evil.org":       false,
		"ann@evilexample.com":            false,
		"ann@EXAMPLE\u3002com":           true,  // another full stop of IDNA
		"\u212Aim@kim.org":               false, // the Kelvin sign is not a k
		"KIM@kim.org":                    true,
		"anybody@whole.org":              true,
		"anybody@below.whole.org":        false,
		"anybody@a.tree.org":             true,
		"anybody@b.a.tree.org":           true,
		"anybody@tree.org":               false,
		"anybody@eviltree.org":           false,
		"anybody@b\u00FCcher.example":    true,
		"anybody@xn--bcher-kva.example":  true,
		"anybody@bucher.example":         false,
		"whole.org":                      true, // a host, for a request without an address
		"example.com":                    false,
		"everybody who writes":           false,
		"everybody":                      false,
		"":                               false,
		"@whole.org":                     true,
		"ann@":                           false,
		"eve@evil.org bob@whole.org":     false, // may be read as two addresses
		"eve@evil.org,bob@whole.org":     false,
		"\"eve@evil.org\" bob@whole.org": false,
		"<eve@evil.org>bob@whole.org":    false,
	} {
		list := policy.Recipients{}
		for _, entry := range []string{"Ann@Example.com", "kim@kim.org", "Whole.org", "*.tree.org", "b\u00FCcher.example"} {
			parsed, ok := policy.ParseRecipient(entry)
			if !ok {
				t.Fatalf("%q is none", entry)
			}
			list = append(list, parsed)
		}
		if got := list.Admit(person); got != on {
			t.Errorf("%q is admitted %v, want %v", person, got, on)
		}
		if (policy.Recipients{}).Admit(person) {
			t.Errorf("%q is on an empty list", person)
		}
	}
}

func TestParseRecipientRefusesInvalidEntries(t *testing.T) {
	for _, entry := range []string{"", "ann", "ann@", "@example.com", "a b@example.com", "a@b@example.com", "*", "*@example.com", "*.", "ann@localhost", "exa mple.com", "Ann <ann@example.com>", "http://example.com", "everybody"} {
		if got, ok := policy.ParseRecipient(entry); ok {
			t.Errorf("%q is taken for %q", entry, got)
		}
	}
}
