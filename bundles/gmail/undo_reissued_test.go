package gmail

import (
	"encoding/json"
	"testing"

	"kota/bundles/internal/google/googletest"
)

func TestANewIDIsThatOfItsOwnAccountAlone(t *testing.T) {
	m := mailboxOn(t, googletest.New(t), newOutbox(t))
	kept := map[string]string{}
	for _, account := range []string{m.Account.Key(), "eve@example.com"} {
		id, err := m.Undos().Save(t.Context(), account, "change a draft", undoDraft, draftBefore{Draft: "r1"})
		if err != nil {
			t.Fatal(err)
		}
		kept[id] = map[bool]string{true: "r2", false: "r1"}[account == m.Account.Key()]
	}
	m.Reissued(t.Context(), "r1", "r2", undoDraft)
	changes, err := m.Undos().OfKind(t.Context(), undoDraft)
	if err != nil || len(changes) != len(kept) {
		t.Fatalf("got %d changes, %v", len(changes), err)
	}
	for _, change := range changes {
		var before draftBefore
		if err := json.Unmarshal(change.Before, &before); err != nil || before.Draft != kept[change.ID] {
			t.Errorf("the change of %s is of the draft %q, want %q; %v", change.Account, before.Draft, kept[change.ID], err)
		}
	}
}
