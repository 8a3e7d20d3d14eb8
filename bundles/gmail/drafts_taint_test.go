package gmail_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/metadata"
)

// isTaintedInApproval sends a draft in another process, in a session without untrusted
// content. It reports whether the approval marks the draft as tainted.
func isTaintedInApproval(t *testing.T, d *fixture, draft string) (mixed bool) {
	t.Helper()
	no := metadata.Errorf(metadata.ApprovalNeeded, "ask first").WithHint("Ask.")
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Confirm: func(_ context.Context, out bundles.Outgoing) error {
		mixed = out.Tainted
		return no
	}})
	b := d.newProcess()
	at := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Tool == "gmail_send_draft" })
	call, err := b.Actions[at].Prepare(json.RawMessage(jsonOf(t, args{"draft_id": draft})))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call.Do(ctx); metadata.CodeOf(err) != metadata.ApprovalNeeded {
		t.Fatalf("sending it: %v", err)
	}
	return mixed
}

type savedDraft struct {
	ID   string `json:"draft_id"`
	Undo string `json:"undo_id"`
}

// A draft that was written after untrusted content was read has the mark in every session,
// also after it was deleted and restored.
func TestDraftWrittenInTaintedSessionIsMarked(t *testing.T) {
	hello := args{"to": "bob@example.org", "subject": "Hello", "body": "The code is 4711.", "as_draft": true}
	for name, c := range map[string]struct {
		tainted bool
		write   func(t *testing.T, d *fixture, tainted bool) string
		want    bool
	}{
		"before":             {false, saveDraftIn(hello, ""), false},
		"after":              {true, saveDraftIn(hello, ""), true},
		"after, with a key":  {true, saveDraftIn(hello, "k"), true},
		"before, with a key": {false, saveDraftIn(hello, "k"), false},
		"changed after": {true, func(t *testing.T, d *fixture, tainted bool) string {
			return changeSubject(t, d, tainted, saveDraftIn(hello, "")(t, d, false))
		}, true},
		"written after, changed in another session": {true, func(t *testing.T, d *fixture, tainted bool) string {
			return changeSubject(t, d, false, saveDraftIn(hello, "")(t, d, tainted))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			id := c.write(t, d, c.tainted)
			if got := isTaintedInApproval(t, d, id); got != c.want {
				t.Errorf("marked: %v, want %v", got, c.want)
			}
			deleted, _ := bundletest.InSession[savedDraft](t, d.bundle, false, "gmail_delete_draft", args{"draft_id": id})
			bundletest.InSession[any](t, d.bundle, false, "gmail_undo", args{"undo_id": deleted.Undo})
			back := d.ann.Drafts()
			if len(back) != 1 || isTaintedInApproval(t, d, back[0].ID) != c.want {
				t.Errorf("brought back: %+v; marked, want %v", back, c.want)
			}
			bundletest.Must[any](t, d.newProcess(), "gmail_send_draft", args{"draft_id": back[0].ID})
			if sent := d.ann.Sent(); len(sent) != 1 || sent[0].Header("X-Kota-Words") != "" || !strings.Contains(sent[0].Text(), "4711") {
				t.Errorf("sent %+v", sent)
			}
		})
	}
}

// saveDraftIn returns a function that saves a draft in a session and returns its id.
func saveDraftIn(mail args, key string) func(*testing.T, *fixture, bool) string {
	return func(t *testing.T, d *fixture, tainted bool) string {
		t.Helper()
		in := args{"idempotency_key": key}
		for name, value := range mail {
			in[name] = value
		}
		out, _ := bundletest.InSession[savedDraft](t, d.bundle, tainted, "gmail_send_message", in)
		return out.ID
	}
}

// changeSubject changes the subject of a draft in a session and returns its id.
func changeSubject(t *testing.T, d *fixture, tainted bool, id string) string {
	t.Helper()
	bundletest.InSession[any](t, d.bundle, tainted, "gmail_update_draft", args{"draft_id": id, "subject": "Hello again"})
	return id
}

// The undo of a change restores a draft and also its mark.
func TestUndoRestoresTheMarkOfADraft(t *testing.T) {
	hello := args{"to": "bob@example.org", "subject": "Hello", "body": "Noon?", "as_draft": true}
	d := newFixture(t)
	id := saveDraftIn(hello, "")(t, d, false)
	out, _ := bundletest.InSession[savedDraft](t, d.bundle, true, "gmail_update_draft", args{"draft_id": id, "body": "The code is 4711."})
	if !isTaintedInApproval(t, d, id) {
		t.Error("the change left no mark")
	}
	bundletest.InSession[any](t, d.bundle, false, "gmail_undo", args{"undo_id": out.Undo})
	if isTaintedInApproval(t, d, id) {
		t.Error("the mark stays on the user's own words")
	}
}
