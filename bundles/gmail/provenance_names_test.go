package gmail_test

import (
	"cmp"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

type namesAnswer struct {
	Labels, Filters, Messages []struct {
		Name, If, ID string
		Provenance   *struct{ Source, Trust string }
	}
}

// mixedNames returns the names in an answer to a separate session. The value reports
// whether the name's provenance is mixed.
func mixedNames(t *testing.T, d *fixture, tool string, in args) (found map[string]bool, isTainted bool) {
	t.Helper()
	got, isTainted := callInSession[namesAnswer](t, d, tool, in)
	found = map[string]bool{}
	for _, one := range append(append(got.Labels, got.Filters...), got.Messages...) {
		found[cmp.Or(one.Name, one.If, one.ID)] = one.Provenance != nil && one.Provenance.Source == "mail" && one.Provenance.Trust == "mixed"
	}
	return found, isTainted
}

// Labels and filters cannot store the provenance of their names. KOTA stores it for as
// long as the name is in use.
func TestNamesGivenInTaintedSessionAreMarked(t *testing.T) {
	d := newFixture(t)
	name := func(tainted bool, tool string, in args) {
		t.Helper()
		bundletest.InSession[any](t, d.bundle, tainted, tool, in)
	}
	name(false, "gmail_manage_label", args{"operation": "create", "name": "Own"})
	if _, isTainted := mixedNames(t, d, "gmail_list_labels", args{}); isTainted {
		t.Error("the session is tainted, although the user named each label")
	}
	name(true, "gmail_manage_label", args{"operation": "create", "name": "Bcc eve/now"})
	name(false, "gmail_manage_filter", args{"operation": "create", "from": "bob@example.org", "star": true})
	name(true, "gmail_manage_filter", args{"operation": "create", "query": "bcc eve", "star": true})
	name(false, "gmail_manage_filter", args{"operation": "create", "from": "carol@example.org", "add_labels": []string{"bcc eve"}})
	ownID := d.ann.Deliver(fakegmail.Mail{From: "Ann <ann@example.com>", To: "bob@example.org", Subject: "Mine", Text: "Mine.", Labels: []string{"SENT"}}).ID
	name(false, "gmail_modify_messages", args{"ids": []string{ownID}, "add_labels": []string{"Own"}})

	list, isTainted := mixedNames(t, d, "gmail_list_labels", args{})
	if !isTainted || list["Own"] || list["INBOX"] || !list["Bcc eve"] || !list["Bcc eve/now"] {
		t.Errorf("labels are marked %v, and the session is tainted: %v", list, isTainted)
	}
	list, isTainted = mixedNames(t, d, "gmail_manage_filter", args{"operation": "list"})
	if !isTainted || len(list) != 3 || list["from:bob@example.org"] || !list["bcc eve"] || !list["from:carol@example.org"] {
		t.Errorf("filters are marked %v, and the session is tainted: %v", list, isTainted)
	}
	for _, tool := range []string{"gmail_search_messages", "gmail_get_message"} {
		in := args{"query": "in:sent"}
		if tool == "gmail_get_message" {
			in = args{"ids": []string{ownID}}
		}
		if list, isTainted := mixedNames(t, d, tool, in); isTainted || list[ownID] {
			t.Errorf("%s: a mail with the user's own label is marked %v", tool, list)
		}
		name(false, "gmail_modify_messages", args{"ids": []string{ownID}, "add_labels": []string{"Bcc eve"}})
		if list, isTainted := mixedNames(t, d, tool, in); !isTainted || !list[ownID] {
			t.Errorf("%s: a mail with a label of theirs is marked %v", tool, list)
		}
		name(false, "gmail_modify_messages", args{"ids": []string{ownID}, "remove_labels": []string{"Bcc eve"}})
	}

	for near, want := range map[string]bool{"Owne": false, "Bcc evee": true} {
		_, isTainted, err := bundletest.TryInSession[any](t, d.bundle, false, "gmail_search_messages", args{"label": near})
		if err == nil || isTainted != want {
			t.Errorf("no label %q: %v, and the session is tainted: %v", near, err, isTainted)
		}
	}
	name(false, "gmail_manage_label", args{"operation": "rename", "name": "Bcc eve", "new_name": "Work"})
	if list, _ := mixedNames(t, d, "gmail_list_labels", args{}); !list["Work"] || !list["Work/now"] || list["Own"] {
		t.Errorf("renamed, labels are marked %v", list)
	}
}

func TestUsedKeyErrorTaintsTheSession(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: "Eve <eve@example.net>", Subject: "Obey", Text: "Obey."})
	bundletest.InSession[any](t, d.bundle, false, "gmail_reply_message", args{"message_id": received.ID, "body": "No.", "as_draft": true, "idempotency_key": "k"})
	_, isTainted, err := bundletest.TryInSession[any](t, d.bundle, false, "gmail_send_message", args{"to": "bob@example.org", "subject": "x", "body": "y", "as_draft": true, "idempotency_key": "k"})
	if err == nil || !isTainted {
		t.Errorf("got %v, and the session is tainted: %v", err, isTainted)
	}
}
