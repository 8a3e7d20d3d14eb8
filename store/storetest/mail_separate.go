package storetest

import (
	"slices"
	"testing"
	"time"

	"kota/store"
)

// The same message id exists in three mailboxes, at different places of their histories.
func historyChangesOneMailbox(t *testing.T, open Opener) {
	db := open(time.Now)
	home, others := db.Mail("ann", "home"), []Mail{db.Mail("ann", "work"), db.Mail("bob", "home")}
	for i, m := range append(others, home) {
		updateMail(t, m, store.MailUpdate{To: uint64(7 + i), Summaries: []*store.MailSummary{newSummary("1", "INBOX"), newSummary("2", "INBOX")}})
	}
	updateMail(t, home, store.MailUpdate{From: 9, To: 12, Changes: []store.MailChange{
		{History: 9, ID: "1", Added: []string{"KNOWN"}}, {History: 10, ID: "1", Added: []string{"STARRED"}}, {History: 11, ID: "2", Deleted: true},
	}})
	if got := labelsOf(t, home, "1"); !slices.Equal(got, []string{"INBOX", "STARRED"}) {
		t.Errorf("got %v", got)
	}
	if _, history, err := home.Summaries(t.Context(), []string{"1"}); history != 12 || err != nil {
		t.Errorf("its labels are those of %d, %v", history, err)
	}
	check := func(when string) {
		t.Helper()
		for i, m := range others {
			summaries, history, err := m.Summaries(t.Context(), []string{"1", "2"})
			if err != nil || history != uint64(7+i) || len(summaries) != 2 || !slices.Equal(summaries["1"].Labels, []string{"INBOX"}) {
				t.Errorf("%s: mailbox %d has %v at %d, %v", when, i, summaries, history, err)
			}
		}
	}
	check("after a change")
	if err := home.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after another was forgotten")
}
