package gmail_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type modifyAnswer struct {
	Matched, Changed, Unchanged int
	More                        bool
	Messages                    []struct{ ID, From, Subject string }
	Errors                      []struct {
		IDs   []string
		Error string
	}
	UndoID string `json:"undo_id"`
}

type undoAnswer struct {
	Undone, Note string
	Messages     int
	Errors       []struct{ IDs []string }
	Recent       []struct {
		ID    string `json:"undo_id"`
		Title string
	}
}

// labelsOf returns the sorted labels of a message in Gmail.
func (d *fixture) labelsOf(t *testing.T, id string) string {
	t.Helper()
	for _, m := range d.ann.Messages("in:anywhere") {
		if m.ID == id {
			labels := slices.Clone(m.Labels)
			for _, l := range d.ann.Labels() {
				if i := slices.Index(labels, l.ID); i >= 0 {
					labels[i] = l.Name
				}
			}
			slices.Sort(labels)
			return strings.Join(labels, " ")
		}
	}
	t.Fatalf("there is no message %s", id)
	return ""
}

func TestModifyMessagesAndUndo(t *testing.T) {
	for name, c := range map[string]struct {
		had  []string
		ask  args
		want string
	}{
		"archive takes it out of the inbox alone": {[]string{"INBOX", "UNREAD", "STARRED"}, args{"archive": true}, "STARRED UNREAD"},
		"archive false brings it back":            {[]string{"UNREAD"}, args{"archive": false}, "INBOX UNREAD"},
		"read":                                    {[]string{"INBOX", "UNREAD"}, args{"read": true}, "INBOX"},
		"unread":                                  {[]string{"INBOX"}, args{"read": "false"}, "INBOX UNREAD"},
		"star and important":                      {[]string{"INBOX"}, args{"star": true, "important": true}, "IMPORTANT INBOX STARRED"},
		"spam leaves the inbox":                   {[]string{"INBOX"}, args{"spam": true}, "SPAM"},
		"not spam goes to the inbox":              {[]string{"SPAM"}, args{"spam": false}, "INBOX"},
		"not spam, and archived":                  {[]string{"SPAM"}, args{"spam": false, "archive": true}, ""},
		"trash keeps what else it had":            {[]string{"INBOX", "UNREAD"}, args{"trash": true}, "TRASH UNREAD"},
		"out of the trash":                        {[]string{"TRASH", "UNREAD"}, args{"trash": false}, "UNREAD"},
		"out of the trash into the inbox":         {[]string{"TRASH"}, args{"trash": false, "archive": false}, "INBOX"},
		"labels by name, in any case":             {[]string{"INBOX"}, args{"add_labels": []string{"WORK/receipts"}, "remove_labels": "inbox"}, "Work/Receipts"},
		"a category":                              {[]string{"CATEGORY_PROMOTIONS"}, args{"add_labels": "updates", "remove_labels": "promotions"}, "CATEGORY_UPDATES"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.ann.Label("Work/Receipts")
			id := d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: c.had}).ID
			before := d.labelsOf(t, id)
			c.ask["ids"] = []string{id}
			out := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", c.ask)
			if got := d.labelsOf(t, id); got != c.want || out.Changed != 1 || out.UndoID == "" {
				t.Fatalf("its labels are %q, want %q; answered %+v", got, c.want, out)
			}
			if again := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", c.ask); again.Unchanged != 1 || again.Changed != 0 || again.UndoID != "" {
				t.Errorf("the second time: %+v", again)
			}
			if back := bundletest.Must[undoAnswer](t, d.bundle, "gmail_undo", args{"undo_id": out.UndoID}); back.Messages != 1 {
				t.Errorf("undo answered %+v", back)
			}
			if got := d.labelsOf(t, id); got != before {
				t.Errorf("after undo its labels are %q, want %q", got, before)
			}
		})
	}
}

func TestModifyRejectsInvalidArguments(t *testing.T) {
	d := newFixture(t)
	d.ann.Label("Work")
	id := d.ann.Deliver(fakegmail.Mail{Subject: "x"}).ID
	for name, c := range map[string]struct {
		ask  args
		path string
	}{
		"nothing to do":               {args{"ids": id}, "archive"},
		"no messages":                 {args{"read": true}, "ids"},
		"two ways to say which":       {args{"read": true, "ids": id, "query": "x"}, "ids"},
		"limit without query":         {args{"read": true, "ids": id, "limit": 3}, "limit"},
		"an id that is a path":        {args{"read": true, "ids": []string{id, "../drafts"}}, "ids[1]"},
		"a thread id that is a query": {args{"read": true, "thread_ids": "x?alt=media"}, "thread_ids[0]"},
		"trash and spam":              {args{"ids": id, "trash": true, "spam": true}, "trash"},
		"trash and inbox":             {args{"ids": id, "trash": true, "archive": false}, "trash"},
		"spam and inbox":              {args{"ids": id, "spam": true, "archive": false}, "spam"},
		"a label added and removed":   {args{"ids": id, "add_labels": "work", "remove_labels": "Work"}, "remove_labels[0]"},
		"archive, and into the inbox": {args{"ids": id, "archive": true, "add_labels": "inbox"}, "add_labels[0]"},
		"a label that is Gmail's":     {args{"ids": id, "add_labels": "sent"}, "add_labels[0]"},
		"an unknown label":            {args{"ids": id, "add_labels": []string{"Work", "Wrok"}}, "add_labels[1]"},
		"more than a call may have":   {args{"query": "x", "read": true, "limit": 501}, "limit"},
	} {
		t.Run(name, func(t *testing.T) {
			before := d.labelsOf(t, id)
			_, err := bundletest.Answer[modifyAnswer](t, d.bundle, "gmail_modify_messages", c.ask)
			if got := bundletest.ProblemPath(t, err); got != c.path {
				t.Errorf("the problem is at %q, want %q: %v", got, c.path, err)
			}
			if got := d.labelsOf(t, id); got != before {
				t.Errorf("its labels became %q", got)
			}
		})
	}
	if labels := d.ann.Labels(); len(labels) != 1 {
		t.Errorf("labels were made: %v", labels)
	}
}

func TestUnknownLabelSuggestsTheNearest(t *testing.T) {
	d := newFixture(t)
	d.ann.Label("Work/Receipts")
	_, err := bundletest.Answer[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"query": "x", "add_labels": []string{"work receipt"}})
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || e.Problems[0].Suggestion != "Work/Receipts" {
		t.Fatalf("got %+v", e)
	}
}

func TestLabelCreatedMeanwhileIsFound(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Deliver(fakegmail.Mail{Subject: "x"}).ID
	bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"ids": id, "add_labels": "starred"})
	d.ann.Label("New")
	d.google.ClearLog()
	bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"ids": id, "add_labels": "new"})
	bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"ids": id, "remove_labels": "new"})
	if got := d.google.Calls("gmail.users.labels.list"); got != 1 {
		t.Errorf("the labels were read %d times, want once", got)
	}
}

func TestModifyDryRunChangesNothing(t *testing.T) {
	d := newFixture(t)
	for i := range 12 {
		d.ann.Deliver(fakegmail.Mail{Subject: fmt.Sprintf("number %d", i), From: "Bob\u202e <bob@example.org>", Labels: []string{"INBOX"}})
	}
	d.ann.Deliver(fakegmail.Mail{Subject: "archived", Labels: []string{}})
	d.google.ClearLog()
	out := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"query": "from:bob@example.org", "archive": true, "dry_run": true})
	if out.Matched != 12 || out.Changed != 12 || out.Unchanged != 0 || len(out.Messages) != 10 || out.Messages[0].Subject != "number 11" || out.UndoID != "" {
		t.Errorf("got %+v", out)
	}
	if strings.ContainsRune(out.Messages[0].From, '\u202e') {
		t.Error("an invisible character got through")
	}
	for _, r := range d.google.Requests() {
		if r.Verb != "GET" && r.Method != "batch" {
			t.Errorf("%s %s left", r.Verb, r.Path)
		}
	}
}

func TestModifyChangesWholeThreads(t *testing.T) {
	d := newFixture(t)
	first := d.ann.Deliver(fakegmail.Mail{Subject: "x"})
	second := d.ann.Deliver(fakegmail.Mail{ThreadWith: first.ID})
	out := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"thread_ids": []string{first.ThreadID, "18ffffffffffffff"}, "archive": true})
	if out.Changed != 2 || len(out.Errors) != 1 || out.Errors[0].Error != "NOT_FOUND" || out.Errors[0].IDs[0] != "18ffffffffffffff" {
		t.Errorf("got %+v", out)
	}
	for _, id := range []string{first.ID, second.ID} {
		if got := d.labelsOf(t, id); strings.Contains(got, "INBOX") {
			t.Errorf("one has %s", got)
		}
	}
}

func TestModifyNamesMissingMessages(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Deliver(fakegmail.Mail{Subject: "x"}).ID
	out := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"ids": []string{"18ffffffffffffff", id, id}, "read": true})
	if out.Changed != 1 || len(out.Errors) != 1 || out.Errors[0].IDs[0] != "18ffffffffffffff" {
		t.Errorf("got %+v", out)
	}
	_, err := bundletest.Answer[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"ids": "18ffffffffffffff", "read": true})
	if metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("with none there: %v", err)
	}
}

func TestModifyChangesUnreadableMessages(t *testing.T) {
	d := newFixture(t)
	ids := d.fillInbox(3)
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasPrefix(r.URL.Path, "/batch/") {
				return &http.Response{StatusCode: 404, Body: http.NoBody, Request: r, Header: http.Header{}}, nil // KOTA then reads them one by one
			}
			if concerns(t, r, ids[1]) && r.URL.Query().Get("format") == "metadata" {
				return brokenResponse(func(w http.ResponseWriter) { fmt.Fprint(w, `{"id": 7}`) }), nil
			}
			return next.RoundTrip(r)
		})
	}
	for _, given := range []args{{"ids": ids[1:2]}, {"query": "in:inbox"}} {
		given["archive"] = true
		out := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, given)
		if out.Unchanged != 0 || out.Changed == 0 {
			t.Errorf("%v: got %+v", given, out)
		}
		bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
		if left := d.withLabel("INBOX", ids); len(left) != 3 {
			t.Errorf("%v: after undo %v are in the inbox", given, left)
		}
	}
}

func TestModifyUsesFewRequests(t *testing.T) {
	d := newFixture(t)
	for i := range 620 {
		labels := []string{"INBOX"}
		if i%3 == 0 {
			labels = []string{"INBOX", "UNREAD"}
		}
		d.ann.Deliver(fakegmail.Mail{Subject: "news", Labels: labels})
	}
	_, err := bundletest.Answer[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"query": "subject:news", "read": true})
	if metadata.CodeOf(err) != metadata.TooLarge || !strings.Contains(err.Error(), "620") {
		t.Fatalf("without limit: %v", err)
	}
	_, err = bundletest.Answer[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"query": "subject:news", "trash": true})
	if metadata.CodeOf(err) != metadata.TooLarge || !strings.Contains(err.Error(), "at most 100") {
		t.Fatalf("trash without limit: %v", err)
	}
	d.google.ClearLog()
	out := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", args{"query": "subject:news", "read": true, "limit": 500})
	if out.Matched != 500 || !out.More || out.Changed != 167 || out.Unchanged != 333 {
		t.Errorf("got %+v", out)
	}
	if units := d.google.Units(); units > 70 {
		t.Errorf("it cost %d units", units)
	}
	bundletest.Must[undoAnswer](t, d.bundle, "gmail_undo", args{"undo_id": out.UndoID})
	if got := len(d.ann.Messages("is:unread")); got != 207 {
		t.Errorf("after undo %d are unread, want 207", got)
	}
}

// TestUndoRestoresOnlyTheChangedLabels changes random messages, and changes other labels
// of the messages with another client. Undo restores what the change touched and keeps
// the other client's changes.
func TestUndoRestoresOnlyTheChangedLabels(t *testing.T) {
	flags := map[string]string{"archive": "INBOX", "read": "UNREAD", "star": "STARRED", "important": "IMPORTANT"}
	for seed := range uint64(15) {
		d := newFixture(t)
		random := rand.New(rand.NewPCG(seed, 3))
		own := []string{d.ann.Label("A"), d.ann.Label("B/C")}
		all := append([]string{"INBOX", "UNREAD", "STARRED", "IMPORTANT"}, own...)
		ask := args{}
		changed := map[string]bool{}
		for _, name := range []string{"archive", "read", "star", "important"} {
			if random.IntN(3) == 0 {
				ask[name], changed[flags[name]] = random.IntN(2) == 0, true
			}
		}
		if random.IntN(2) == 0 || len(ask) == 0 {
			ask[[]string{"add_labels", "remove_labels"}[random.IntN(2)]], changed[own[0]] = "a", true
		}
		if trash := random.IntN(4) == 0 && ask["archive"] != false; trash {
			ask["trash"] = true
			changed["TRASH"], changed["INBOX"] = true, true
		}
		var ids []string
		before := map[string][]string{}
		for range 6 {
			labels := []string{}
			for _, l := range all {
				if random.IntN(2) == 0 {
					labels = append(labels, l)
				}
			}
			id := d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: labels}).ID
			ids, before[id] = append(ids, id), labels
		}
		ask["ids"] = ids
		out := bundletest.Must[modifyAnswer](t, d.bundle, "gmail_modify_messages", ask)
		if out.UndoID == "" {
			continue
		}
		others := map[string]bool{}
		for _, l := range all {
			if !changed[l] && random.IntN(2) == 0 {
				others[l] = random.IntN(2) == 0
			}
		}
		d.relabel(t, ids[:3], others)
		bundletest.Must[undoAnswer](t, d.newProcess(), "gmail_undo", args{"undo_id": out.UndoID})
		for i, id := range ids {
			want := slices.Clone(before[id])
			if i < 3 {
				for l, has := range others {
					want = slices.DeleteFunc(want, func(x string) bool { return x == l })
					if has {
						want = append(want, l)
					}
				}
			}
			slices.Sort(want)
			if got := d.rawLabels(id); !slices.Equal(got, want) {
				t.Fatalf("seed %d, %v: message %d has %v, want %v", seed, ask, i, got, want)
			}
		}
	}
}
