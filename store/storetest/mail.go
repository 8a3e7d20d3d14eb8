package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
)

var mailContract = Contract{
	"stored labels are never stale":                         mailIsNeverStale,
	"history is replayed":                                   historyIsReplayed,
	"history that another process replayed is not replayed": historyIsReplayedOnce,
	"a gap in the history is not skipped":                   gapsAreNotSkipped,
	"a message that lacks known history is not stored":      staleSummariesAreNotStored,
	"a message is read as it was stored":                    mailIsReadUnchanged,
	"mailboxes and tenants are separate":                    mailboxesAreSeparate,
	"headers of sent mail are read":                         sentHeadersAreRead,
	"is empty at first":                                     mailIsEmptyAtFirst,
	"forget removes everything":                             forgetRemovesMail,
	"the oldest messages beyond 20,000 are dropped":         mailIsBounded,
	"history of one mailbox changes no other":               historyChangesOneMailbox,
}

func newSummary(id string, labels ...string) *store.MailSummary {
	return &store.MailSummary{
		ID: id, Thread: "t" + id, Date: time.UnixMilli(1_790_000_000_123).UTC(), Size: 4096, Snippet: "<b> & " + id,
		Headers: [][2]string{{"Subject", "Grüße"}, {"From", "a@example.org"}}, Labels: append([]string{}, labels...),
	}
}

func updateMail(t testing.TB, m Mail, u store.MailUpdate) {
	t.Helper()
	if err := m.Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
}

// labelsOf returns the cached labels of a message, or nil if it is not cached.
func labelsOf(t testing.TB, m Mail, id string) []string {
	t.Helper()
	summaries, _, err := m.Summaries(t.Context(), []string{id})
	if err != nil {
		t.Fatal(err)
	}
	if summaries[id] == nil {
		return nil
	}
	return summaries[id].Labels
}

func sentHeadersAreRead(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	sent, received := newSummary("1", "SENT"), newSummary("2", "INBOX")
	sent.Headers = append(sent.Headers, [2]string{"to", `"Bob \"B\" Ödman" <bob@example.org>`}, [2]string{"Cc", "carl@example.org"})
	received.Headers = append(received.Headers, [2]string{"To", "eve@example.org"})
	updateMail(t, m, store.MailUpdate{To: 1, Summaries: []*store.MailSummary{sent, received}})
	got, err := m.SentHeaders(t.Context())
	if diff := cmp.Diff([]string{`"Bob \"B\" Ödman" <bob@example.org>`, "carl@example.org"}, got); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
}

func mailIsEmptyAtFirst(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	history, err := m.History(t.Context())
	summaries, at, err2 := m.Summaries(t.Context(), []string{"1"})
	if history != 0 || at != 0 || len(summaries) != 0 || err != nil || err2 != nil {
		t.Errorf("got %d, %d, %v, %v, %v", history, at, summaries, err, err2)
	}
}

func mailIsReadUnchanged(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "Ann@example.org")
	want := newSummary("1", "INBOX", "UNREAD")
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: []*store.MailSummary{want, newSummary("2")}})
	summaries, history, err := m.Summaries(t.Context(), []string{"1", "9"})
	if diff := cmp.Diff(map[string]*store.MailSummary{"1": want}, summaries); diff != "" || history != 7 || err != nil {
		t.Errorf("at %d, %v: %s", history, err, diff)
	}
	if got := want.Header("subject"); got != "Grüße" {
		t.Errorf("got the subject %q", got)
	}
}

func mailboxesAreSeparate(t *testing.T, open Opener) {
	db := open(time.Now)
	updateMail(t, db.Mail("ann", "ann@example.org"), store.MailUpdate{To: 7, Summaries: []*store.MailSummary{newSummary("1")}})
	for _, other := range []Mail{db.Mail("ann", "work@example.org"), db.Mail("bob", "ann@example.org")} {
		if got := labelsOf(t, other, "1"); got != nil {
			t.Errorf("got %v", got)
		}
	}
}

func historyIsReplayed(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: []*store.MailSummary{newSummary("1", "INBOX", "UNREAD"), newSummary("2", "INBOX")}})
	updateMail(t, m, store.MailUpdate{From: 7, To: 12, Changes: []store.MailChange{
		{History: 8, ID: "1", Removed: []string{"UNREAD"}}, {History: 9, ID: "1", Added: []string{"STARRED"}},
		{History: 10, ID: "2", Deleted: true}, {History: 11, ID: "unheard of", Added: []string{"SPAM"}},
	}})
	if got := labelsOf(t, m, "1"); !slices.Equal(got, []string{"INBOX", "STARRED"}) {
		t.Errorf("got %v", got)
	}
	if got := labelsOf(t, m, "2"); got != nil {
		t.Errorf("the deleted one has %v", got)
	}
}

func historyIsReplayedOnce(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: []*store.MailSummary{newSummary("1", "INBOX")}})
	updateMail(t, m, store.MailUpdate{From: 7, To: 9, Changes: []store.MailChange{
		{History: 8, ID: "1", Added: []string{"STARRED"}}, {History: 9, ID: "1", Removed: []string{"STARRED"}},
	}})
	updateMail(t, m, store.MailUpdate{From: 7, To: 8, Changes: []store.MailChange{{History: 8, ID: "1", Added: []string{"STARRED"}}}})
	if history, err := m.History(t.Context()); history != 9 || err != nil || !slices.Equal(labelsOf(t, m, "1"), []string{"INBOX"}) {
		t.Errorf("at %d, %v: got %v", history, err, labelsOf(t, m, "1"))
	}
}

func staleSummariesAreNotStored(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	updateMail(t, m, store.MailUpdate{To: 9})
	updateMail(t, m, store.MailUpdate{From: 7, To: 8, Summaries: []*store.MailSummary{newSummary("1", "UNREAD")}})
	if got := labelsOf(t, m, "1"); got != nil {
		t.Errorf("got %v", got)
	}
}

func gapsAreNotSkipped(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	updateMail(t, m, store.MailUpdate{To: 5, Summaries: []*store.MailSummary{newSummary("1", "UNREAD")}})
	updateMail(t, m, store.MailUpdate{From: 7, To: 9, Summaries: []*store.MailSummary{newSummary("2")}})
	if history, err := m.History(t.Context()); history != 5 || err != nil {
		t.Errorf("got %d, %v", history, err)
	}
}

func forgetRemovesMail(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: []*store.MailSummary{newSummary("1")}})
	if err := m.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if history, err := m.History(t.Context()); history != 0 || err != nil || labelsOf(t, m, "1") != nil {
		t.Errorf("still at %d, %v", history, err)
	}
}

func mailIsBounded(t *testing.T, open Opener) {
	now := NewClock()
	db := open(now.Now)
	m := db.Mail("ann", "ann@example.org")
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: []*store.MailSummary{newSummary("first")}})
	now.Set(now.Now().Add(time.Second))
	many := make([]*store.MailSummary, store.MaxMail)
	for i := range many {
		many[i] = newSummary(fmt.Sprintf("%05d", i))
	}
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: many[1:]})
	if labelsOf(t, m, "first") == nil {
		t.Error("the oldest message was dropped too early")
	}
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: many[:1]})
	if labelsOf(t, m, "first") != nil || labelsOf(t, m, "00000") == nil {
		t.Error("the oldest message is still stored")
	}
	updateMail(t, m, store.MailUpdate{To: 7, Summaries: []*store.MailSummary{newSummary("last")}}) // as old as the others
	if labelsOf(t, m, "last") != nil || labelsOf(t, m, many[len(many)-1].ID) == nil {
		t.Error("of equally old messages the first ids do not stay")
	}
}

// A modelMailbox is a model of a mailbox. The cached labels must agree with its history.
type modelMailbox struct {
	history []store.MailChange
	labels  map[string][]string
}

func (p *modelMailbox) now() uint64 { return uint64(100 + len(p.history)) }

func (p *modelMailbox) change(r *rand.Rand) {
	c := store.MailChange{History: p.now() + 1, ID: fmt.Sprint(r.IntN(8))}
	h := store.MailSummary{Labels: p.labels[c.ID]}
	label := []string{fmt.Sprint("L", r.IntN(3))}
	if c.Added = label; h.HasLabel(label[0]) {
		c.Added, c.Removed = nil, label
	}
	h.Apply(c)
	p.labels[c.ID], p.history = h.Labels, append(p.history, c)
}

func (p *modelMailbox) since(history uint64) []store.MailChange {
	return slices.Clone(p.history[history-100:])
}

// mailIsNeverStale simulates processes that read the mailbox at any time and store the result
// later, in any order. Applying all later history to the cached labels must always give the
// labels of the mailbox.
func mailIsNeverStale(t *testing.T, open Opener) {
	m := open(time.Now).Mail("ann", "ann@example.org")
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		if err := m.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		box, waiting := &modelMailbox{labels: map[string][]string{}}, []store.MailUpdate{}
		for range 60 {
			switch r.IntN(5) {
			case 0, 1:
				box.change(r)
			case 2:
				known, err := m.History(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				u := store.MailUpdate{From: known, To: box.now()}
				if known != 0 {
					u.Changes = box.since(known)
				}
				box.change(r) // after reading the history and before reading the messages
				id := fmt.Sprint(r.IntN(8))
				u.Summaries = []*store.MailSummary{newSummary(id, box.labels[id]...)}
				waiting = append(waiting, u)
			case 3:
				if len(waiting) > 0 {
					i := r.IntN(len(waiting))
					updateMail(t, m, waiting[i])
					waiting = slices.Delete(waiting, i, i+1)
				}
			case 4:
				if r.IntN(8) == 0 {
					if err := m.Forget(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			checkMail(t, m, box, seed)
		}
	}
}

func checkMail(t *testing.T, m Mail, box *modelMailbox, seed uint64) {
	t.Helper()
	summaries, history, err := m.Summaries(t.Context(), []string{"0", "1", "2", "3", "4", "5", "6", "7"})
	if err != nil {
		t.Fatal(err)
	}
	for id, h := range summaries {
		for _, c := range box.since(history) {
			if c.ID == id {
				h.Apply(c)
			}
		}
		if want := append([]string{}, box.labels[id]...); !slices.Equal(h.Labels, want) {
			t.Fatalf("seed %d: message %s has %v, want %v", seed, id, h.Labels, want)
		}
	}
}
