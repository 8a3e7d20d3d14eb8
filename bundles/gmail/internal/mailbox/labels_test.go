package mailbox

import (
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"
)

func TestLabelSetFindsLabelsByName(t *testing.T) {
	set := newLabelSet([]*gmailapi.Label{
		{Id: "INBOX", Name: "INBOX", Type: "system"},
		{Id: "Label_1", Name: "Work/Receipts 2026", Type: "user"},
		{Id: "Label_2", Name: "Promotions", Type: "user"},
		{Id: "Label_3", Name: "Ärzte", Type: "user"},
		{Id: "Label_4", Name: "label_1", Type: "user"},
	}, time.Time{})
	for name, want := range map[string]string{
		"inbox": "INBOX", "Starred": "STARRED", "star": "STARRED", "STARRED": "STARRED", "unread": "UNREAD", "junk": "SPAM",
		"category_updates": "CATEGORY_UPDATES", "updates": "CATEGORY_UPDATES",
		"work/receipts 2026": "Label_1", " Work / Receipts  2026 ": "Label_1", "ÄRZTE": "Label_3", "Label_2": "Label_2",
		"promotions": "Label_2", // the user's own label takes precedence over Gmail's
		"label_1":    "Label_4", // and a name over an id
		"Receipts":   "", "": "", "/": "", "Work": "",
	} {
		if got, _ := set.ID(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	if got := set.UnknownProblem(t.Context(), "add_labels[0]", "work/reciepts 2026").Suggestion; got != "Work/Receipts 2026" {
		t.Errorf("suggested %q", got)
	}
}
