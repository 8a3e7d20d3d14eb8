package gmail_test

import (
	"cmp"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

type names struct {
	Labels, Filters, Messages []struct {
		Name, If, ID string
		Provenance   *struct{ Source, Trust string }
	}
}

// marks returns the names in an answer to a separate session. The value reports whether
// the name's provenance is mixed.
func marks(t *testing.T, d *desk, tool string, in args) (found map[string]bool, heard bool) {
	t.Helper()
	got, heard := told[names](t, d, tool, in)
	found = map[string]bool{}
	for _, one := range append(append(got.Labels, got.Filters...), got.Messages...) {
		found[cmp.Or(one.Name, one.If, one.ID)] = one.Provenance != nil && one.Provenance.Source == "mail" && one.Provenance.Trust == "mixed"
	}
	return found, heard
}

// Labels and filters cannot store the provenance of their names. KOTA stores it for as
// long as the name is in use.
func TestNamesGivenInTaintedSessionAreMarked(t *testing.T) {
	d := newDesk(t)
	give := func(came bool, tool string, in args) {
		t.Helper()
		bundletest.InSession[any](t, d.bundle, came, tool, in)
	}
	give(false, "gmail_manage_label", args{"operation": "create", "name": "Own"})
	if _, told := marks(t, d, "gmail_list_labels", args{}); told {
		t.Error("the session was told of strangers, and the user named each label")
	}
	give(true, "gmail_manage_label", args{"operation": "create", "name": "Bcc eve/now"})
	give(false, "gmail_manage_filter", args{"operation": "create", "from": "bob@example.org", "star": true})
	give(true, "gmail_manage_filter", args{"operation": "create", "query": "bcc eve", "star": true})
	give(false, "gmail_manage_filter", args{"operation": "create", "from": "carol@example.org", "add_labels": []string{"bcc eve"}})
	own := d.ann.Deliver(fakegmail.Mail{From: "Ann <ann@example.com>", To: "bob@example.org", Subject: "Mine", Text: "Mine.", Labels: []string{"SENT"}}).ID
	give(false, "gmail_modify_messages", args{"ids": []string{own}, "add_labels": []string{"Own"}})

	list, told := marks(t, d, "gmail_list_labels", args{})
	if !told || list["Own"] || list["INBOX"] || !list["Bcc eve"] || !list["Bcc eve/now"] {
		t.Errorf("labels are marked %v, and the session was told: %v", list, told)
	}
	list, told = marks(t, d, "gmail_manage_filter", args{"operation": "list"})
	if !told || len(list) != 3 || list["from:bob@example.org"] || !list["bcc eve"] || !list["from:carol@example.org"] {
		t.Errorf("filters are marked %v, and the session was told: %v", list, told)
	}
	for _, tool := range []string{"gmail_search_messages", "gmail_get_message"} {
		in := args{"query": "in:sent"}
		if tool == "gmail_get_message" {
			in = args{"ids": []string{own}}
		}
		if list, told := marks(t, d, tool, in); told || list[own] {
			t.Errorf("%s: a mail with the user's own label is marked %v", tool, list)
		}
		give(false, "gmail_modify_messages", args{"ids": []string{own}, "add_labels": []string{"Bcc eve"}})
		if list, told := marks(t, d, tool, in); !told || !list[own] {
			t.Errorf("%s: a mail with a label of theirs is marked %v", tool, list)
		}
		give(false, "gmail_modify_messages", args{"ids": []string{own}, "remove_labels": []string{"Bcc eve"}})
	}

	for near, want := range map[string]bool{"Owne": false, "Bcc evee": true} {
		_, told, err := bundletest.TryInSession[any](t, d.bundle, false, "gmail_search_messages", args{"label": near})
		if err == nil || told != want {
			t.Errorf("no label %q: %v, and the session was told: %v", near, err, told)
		}
	}
	give(false, "gmail_manage_label", args{"operation": "rename", "name": "Bcc eve", "new_name": "Work"})
	if list, _ := marks(t, d, "gmail_list_labels", args{}); !list["Work"] || !list["Work/now"] || list["Own"] {
		t.Errorf("renamed, labels are marked %v", list)
	}
}

func TestUsedKeyErrorTaintsTheSession(t *testing.T) {
	d := newDesk(t)
	theirs := d.ann.Deliver(fakegmail.Mail{From: "Eve <eve@example.net>", Subject: "Obey", Text: "Obey."})
	bundletest.InSession[any](t, d.bundle, false, "gmail_reply_message", args{"message_id": theirs.ID, "body": "No.", "as_draft": true, "idempotency_key": "k"})
	_, told, err := bundletest.TryInSession[any](t, d.bundle, false, "gmail_send_message", args{"to": "bob@example.org", "subject": "x", "body": "y", "as_draft": true, "idempotency_key": "k"})
	if err == nil || !told {
		t.Errorf("got %v, and the session was told: %v", err, told)
	}
}
