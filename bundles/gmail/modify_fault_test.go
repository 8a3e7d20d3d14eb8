package gmail_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
)

// fillInbox delivers count messages whose only label is INBOX.
func (d *fixture) fillInbox(count int) []string {
	var ids []string
	for range count {
		ids = append(ids, d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: []string{"INBOX"}}).ID)
	}
	return ids
}

// withLabel returns the ids whose messages have the label.
func (d *fixture) withLabel(label string, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(d.rawLabels(id), label) })
}

const modifyTool, undoTool = "gmail_modify_messages", "gmail_undo"

func TestFailedChangeLeavesNoUndoRecord(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{
		"refused":         {Status: 403, Reason: "domainPolicy"},
		"down":            {Status: 503},
		"reset before it": {Answer: fakeapi.Reset},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			ids := d.fillInbox(3)
			fault.Method = "gmail.users.messages.batchModify"
			d.google.Fault(fault)
			_, err := bundletest.Answer[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "archive": true})
			if err == nil || metadata.CodeOf(err) == metadata.OutcomeUnknown || metadata.CodeOf(err) == metadata.Internal {
				t.Fatalf("got %v", err)
			}
			if got := d.google.Calls("gmail.users.messages.batchModify"); got != 1 {
				t.Errorf("it was asked %d times", got)
			}
			if left := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{}); len(left.Recent) != 0 {
				t.Errorf("to be undone: %+v", left.Recent)
			}
			if got := d.withLabel("INBOX", ids); len(got) != 3 {
				t.Errorf("%d are in the inbox", len(got))
			}
		})
	}
}

func TestLostAnswerOfTrashIsLookedUp(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{
		"reset":     {Answer: fakeapi.Reset, AfterEffect: true},
		"truncated": {Answer: fakeapi.Truncated},
		"503":       {Status: 503, AfterEffect: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			ids := d.fillInbox(3)
			fault.Method, fault.Nth = "gmail.users.messages.trash", 2
			d.google.Fault(fault)
			out := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "trash": true})
			if out.Changed != 3 || len(out.Errors) != 0 || len(d.withLabel("TRASH", ids)) != 3 {
				t.Fatalf("got %+v", out)
			}
			bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
			if got := d.withLabel("INBOX", ids); len(got) != 3 {
				t.Errorf("after undo %d are in the inbox", len(got))
			}
		})
	}
}

func TestUnknownOutcomeCanBeUndone(t *testing.T) {
	d := newFixture(t)
	ids := d.fillInbox(3)
	bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "archive": true, "dry_run": true}) // KOTA now knows the messages
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.batchModify", Answer: fakeapi.Reset, AfterEffect: true, Nth: 1})
	withdraw := d.google.Fault(fakeapi.Fault{Method: "batch", Status: 403, Reason: "domainPolicy"})
	_, err := bundletest.Answer[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "archive": true})
	withdraw()
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || e.Code != metadata.OutcomeUnknown {
		t.Fatalf("got %v", err)
	}
	undo := regexp.MustCompile(`u_[a-z0-9]+`).FindString(e.Hint)
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
	if got := d.withLabel("INBOX", ids); len(got) != 3 {
		t.Errorf("after undo %d are in the inbox", len(got))
	}
}

// Moving to the trash takes one request per message, after one request for their labels.
func TestPartialFailureNamesTheFailedMessages(t *testing.T) {
	d := newFixture(t)
	ids := d.fillInbox(5)
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.trash", Nth: 2, Times: 2, Status: 403, Reason: "domainPolicy"})
	out := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "trash": true, "star": true})
	trashed := d.withLabel("TRASH", ids)
	if out.Changed != 3 || len(trashed) != 3 || len(out.Errors) != 1 || len(out.Errors[0].IDs) != 2 || out.Errors[0].Error != "REFUSED" {
		t.Fatalf("got %+v with %d in the trash", out, len(trashed))
	}
	for _, id := range out.Errors[0].IDs {
		if slices.Contains(trashed, id) {
			t.Errorf("%s is said to have failed, and is in the trash", id)
		}
	}
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	for _, id := range ids {
		if got := d.rawLabels(id); !slices.Equal(got, []string{"INBOX"}) {
			t.Errorf("after undo one has %v: what was starred before it failed is undone too", got)
		}
	}
}

func TestUndoRetriesUntilDoneOnce(t *testing.T) {
	d := newFixture(t)
	ids := d.fillInbox(2)
	out := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "archive": true})
	withdraw := d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.batchModify", Status: 403, Reason: "domainPolicy"})
	failed := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	withdraw()
	if len(failed.Errors) != 1 || failed.Messages != 0 {
		t.Fatalf("got %+v", failed)
	}
	if listed := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{}); len(listed.Recent) != 1 || listed.Recent[0].Title != "archive: 2 messages" {
		t.Errorf("listed %+v", listed.Recent)
	}
	bundletest.Must[undoAnswer](t, d.newProcess(), undoTool, args{"undo_id": out.UndoID})
	_, err := bundletest.Answer[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), "already undone, at ") {
		t.Errorf("the second time: %v", err)
	}
	if _, err := bundletest.Answer[undoAnswer](t, d.bundle, undoTool, args{"undo_id": "u_nothing"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("an unknown one: %v", err)
	}
}

func TestUndoSkipsDeletedMessages(t *testing.T) {
	d := newFixture(t)
	ids := d.fillInbox(3)
	d.ann.Label("Work")
	out := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids, "trash": true, "remove_labels": "work", "star": true})
	if err := d.otherClient(t).Users.Messages.Delete("me", ids[1]).Do(); err != nil {
		t.Fatal(err)
	}
	back := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	if len(back.Errors) != 0 || back.Messages != 2 || !strings.Contains(back.Note, "1 of the messages") {
		t.Errorf("got %+v", back)
	}
	if got := d.withLabel("INBOX", ids); len(got) != 2 {
		t.Errorf("%d are back in the inbox", len(got))
	}
}

func TestModifyRequiresTheDatabase(t *testing.T) {
	d := newFixture(t)
	ids := d.fillInbox(1)
	d.deps.Stores = mailboxtest.Stores(func(context.Context) (enginetest.Database, error) { return nil, store.ErrReadOnly })
	_, err := bundletest.Answer[modifyAnswer](t, gmail.New(d.deps), modifyTool, args{"ids": ids, "archive": true})
	if err == nil || metadata.CodeOf(err) == metadata.Internal {
		t.Errorf("got %v", err)
	}
	for _, r := range d.google.Requests() {
		if r.Verb != http.MethodGet && r.Method != "batch" {
			t.Errorf("%s %s left", r.Verb, r.Path)
		}
	}
}

// For many messages, KOTA only records the labels that the change concerns. Other labels
// that a later look shows are not part of the change.
func TestUndoAfterLostAnswerKeepsOtherLabels(t *testing.T) {
	d := newFixture(t)
	work := d.ann.Label("Work")
	var ids []string
	for i := range 120 {
		labels := []string{work}
		if i < 5 {
			labels = []string{"INBOX", "STARRED", work}
		}
		ids = append(ids, d.ann.Deliver(fakegmail.Mail{Subject: "news", Labels: labels}).ID)
	}
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.batchModify", Nth: 1, Answer: fakeapi.Reset, AfterEffect: true})
	out := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"query": "subject:news", "archive": true})
	if out.Changed != 5 || out.Unchanged != 115 {
		t.Fatalf("got %+v", out)
	}
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	if len(d.withLabel("INBOX", ids)) != 5 || len(d.withLabel("STARRED", ids)) != 5 || len(d.withLabel(work, ids)) != 120 {
		t.Errorf("after undo %d are in the inbox, %d starred, %d labelled", len(d.withLabel("INBOX", ids)), len(d.withLabel("STARRED", ids)), len(d.withLabel(work, ids)))
	}
}
