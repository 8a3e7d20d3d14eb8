package mailbox

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/store/enginetest"
	"kota/store/tables/undo"
)

func TestReplaceUndoIDKeepsOtherAccounts(t *testing.T) {
	db := enginetest.Open(t, nil)
	all := New(Source{Stores: Stores{Undos: func(context.Context) (persist.UndoStore, error) { return undo.New(db, "local", BundleKey), nil }}, Now: time.Now})
	m := &Mailbox{Mailboxes: all, Account: google.Account{Name: "home", Address: "ada@example.com"}}
	type before struct {
		Draft string `json:"draft"`
	}
	want := map[string]string{}
	for _, account := range []string{m.Account.Key(), "eve@example.com"} {
		id, err := m.Undos().Save(t.Context(), account, "change a draft", "draft", before{Draft: "r1"})
		if err != nil {
			t.Fatal(err)
		}
		want[id] = map[bool]string{true: "r2", false: "r1"}[account == m.Account.Key()]
	}
	m.ReplaceUndoID(t.Context(), "r1", "r2", "draft")
	changes, err := m.Undos().OfKind(t.Context(), "draft")
	if err != nil || len(changes) != len(want) {
		t.Fatalf("got %d changes, %v", len(changes), err)
	}
	for _, change := range changes {
		var was before
		if err := json.Unmarshal(change.Before, &was); err != nil || was.Draft != want[change.ID] {
			t.Errorf("the change of %s is of the draft %q, want %q; %v", change.Account, was.Draft, want[change.ID], err)
		}
	}
}
