package gmail_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// mailboxState returns all state that changes of labels, mail and drafts affect.
func (d *fixture) mailboxState(t *testing.T, ids []any) string {
	t.Helper()
	state := []string{}
	for _, id := range ids {
		state = append(state, d.labelsOf(t, id.(string)))
	}
	for _, draft := range d.ann.Drafts() {
		state = append(state, string(draft.Message.Raw))
	}
	slices.Sort(state[len(ids):])
	labels := []string{}
	for _, label := range bundletest.Must[struct{ Labels []args }](t, d.bundle, "gmail_list_labels", args{}).Labels {
		delete(label, "id") // a recreated label has another id
		labels = append(labels, jsonOf(t, label))
	}
	slices.Sort(labels)
	return jsonOf(t, state) + jsonOf(t, labels)
}

// Undoing all changes in reverse order restores the original state.
func TestUndoOfAllChangesRestoresTheMailbox(t *testing.T) {
	random := rand.New(rand.NewPCG(20261124, 3))
	pick := func(list ...any) any { return list[random.IntN(len(list))] }
	subset := func(list []any) []any {
		chosen := slices.Clone(list)
		random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		return chosen[:1+random.IntN(len(chosen))]
	}
	for round := range 25 {
		d := newFixture(t)
		names := []any{"Work", "Work/Receipts", "Home", "New"}
		for _, name := range names[:3] {
			d.ann.Label(name.(string))
		}
		ids := []any{}
		for i := range 4 {
			labels := []string{}
			for _, label := range subset([]any{"INBOX", "UNREAD", "STARRED", "IMPORTANT", "Work", "Home"}) {
				labels = append(labels, label.(string))
			}
			ids = append(ids, d.ann.Deliver(fakegmail.Mail{From: bob, Subject: fmt.Sprint("Mail ", i), Labels: labels}).ID)
		}
		before := d.mailboxState(t, ids)
		calls, undos, drafts := []string{}, []string{}, []any{}
		for range 2 + random.IntN(6) {
			tool, in := "gmail_modify_messages", args{"ids": subset(ids)}
			switch random.IntN(6) {
			case 0:
				tool, in = "gmail_manage_label", args{"operation": pick("create", "delete", "show", "hide"), "name": pick(names...)}
			case 1:
				tool, in = "gmail_manage_label", args{"operation": "rename", "name": pick(names...), "new_name": fmt.Sprint("Renamed ", len(calls))}
			case 2:
				tool, in = "gmail_send_message", args{"to": []string{bob}, "subject": fmt.Sprint("Draft ", len(calls)), "body": "Hi", "as_draft": true}
				if len(drafts) > 0 {
					tool, in = "gmail_update_draft", args{"draft_id": pick(drafts...), "body": fmt.Sprint("Ho ", len(calls))}
				}
			default:
				for range 1 + random.IntN(2) {
					in[pick("archive", "read", "star", "important", "trash", "spam").(string)] = random.IntN(2) == 0
				}
				if random.IntN(2) == 0 {
					in["add_labels"] = pick(names...)
				}
				if random.IntN(3) == 0 {
					in["remove_labels"] = pick(names...)
				}
			}
			got, err := bundletest.Answer[sendAnswer](t, d.bundle, tool, in)
			if err != nil {
				if code := metadata.CodeOf(err); code != metadata.ValidationError && code != metadata.NotFound && code != metadata.Conflict && code != metadata.Refused {
					t.Fatalf("round %d: %s %v: %v", round, tool, in, err)
				}
				continue
			}
			if tool == "gmail_send_message" {
				drafts = append(drafts, got.DraftID)
			}
			if calls = append(calls, tool+jsonOf(t, in)); got.UndoID != "" {
				undos = append(undos, got.UndoID)
			}
		}
		for _, undo := range slices.Backward(undos) {
			if _, err := bundletest.Answer[args](t, d.bundle, "gmail_undo", args{"undo_id": undo}); err != nil {
				t.Fatalf("round %d, after %q: %v", round, calls, err)
			}
		}
		if after := d.mailboxState(t, ids); after != before {
			t.Fatalf("round %d, after %q, undone:\n%s\nit was\n%s", round, calls, after, before)
		}
	}
}

// The undo of a saved draft works as long as nobody has changed the draft.
func TestUndoDeletesSavedDraftUnlessChanged(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch?"})
	for tool, in := range map[string]args{
		"gmail_send_message":    {"to": []string{bob}, "subject": "x", "body": "y"},
		"gmail_reply_message":   {"message_id": received.ID, "body": "y"},
		"gmail_forward_message": {"message_id": received.ID, "to": []string{"c@example.net"}, "body": "y"},
	} {
		in["as_draft"], in["idempotency_key"] = true, tool
		saved := bundletest.Must[sendAnswer](t, d.bundle, tool, in)
		if again := bundletest.Must[sendAnswer](t, d.bundle, tool, in); saved.UndoID == "" || again.UndoID != "" || !again.Repeated {
			t.Errorf("%s: undone by %q, and its repeat by %q", tool, saved.UndoID, again.UndoID)
		}
		changed := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": saved.DraftID, "body": "z"})
		if _, err := bundletest.Answer[args](t, d.bundle, "gmail_undo", args{"undo_id": saved.UndoID}); metadata.CodeOf(err) != metadata.Conflict || len(d.ann.Drafts()) != 1 {
			t.Errorf("%s: changed since, it is deleted: %v", tool, err)
		}
		bundletest.Must[args](t, d.bundle, "gmail_undo", args{"undo_id": changed.UndoID})
		bundletest.Must[args](t, d.bundle, "gmail_undo", args{"undo_id": saved.UndoID})
		if len(d.ann.Drafts()) != 0 {
			t.Errorf("%s: there is still %+v", tool, d.ann.Drafts())
		}
	}
	sent := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": "y"})
	if sent.UndoID != "" {
		t.Errorf("what is sent is undone by %q", sent.UndoID)
	}
}
