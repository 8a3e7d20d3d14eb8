package gmail_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type filtersAnswer struct {
	Filters []struct {
		ID   string `json:"filter_id"`
		If   string
		Then []string
	}
	Matching *int
	Note     string
	UndoID   string `json:"undo_id"`
}

const filterTool = "gmail_manage_filter"

// filters returns Gmail's filters without their ids.
func (d *fixture) filters() string {
	var all []string
	for _, f := range d.ann.Filters() {
		all = append(all, string(f.Criteria)+string(f.Action))
	}
	return strings.Join(all, "\n")
}

func TestUndoRevertsFilterChanges(t *testing.T) {
	for name, c := range map[string]struct {
		ask        args
		want       string // LABEL is replaced with the id of Work
		says, then string
	}{
		"file and archive": {args{"from": "a@example.com", "add_labels": "work", "archive": true},
			`{"from":"a@example.com"}{"addLabelIds":["LABEL"],"removeLabelIds":["INBOX"]}`, "from:a@example.com", "label Work, archive"},
		"every flag": {args{"query": "list:x.example", "read": true, "star": true, "important": true, "never_spam": true, "trash": true},
			`{"query":"list:x.example"}{"addLabelIds":["IMPORTANT","STARRED","TRASH"],"removeLabelIds":["UNREAD","SPAM"]}`, "list:x.example", "mark important, star, trash, mark read, never spam"},
		"several conditions": {args{"to": "me@x.example OR us@x.example", "subject": "weekly report", "without": "urgent", "has_attachment": true, "larger": 5000, "important": false},
			`{"to":"me@x.example OR us@x.example","subject":"weekly report","negatedQuery":"urgent","hasAttachment":true,"size":5000,"sizeComparison":"larger"}{"removeLabelIds":["IMPORTANT"]}`,
			"to:(me@x.example OR us@x.example) subject:(weekly report) -urgent has:attachment larger:5000", "never important"},
		"a category": {args{"from": "a@example.com", "add_labels": "promotions"},
			`{"from":"a@example.com"}{"addLabelIds":["CATEGORY_PROMOTIONS"]}`, "from:a@example.com", "label CATEGORY_PROMOTIONS"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			label := d.ann.Label("Work")
			c.ask["operation"] = "create"
			out := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, c.ask)
			if want := strings.ReplaceAll(c.want, "LABEL", label); d.filters() != want {
				t.Fatalf("made %s, want %s", d.filters(), want)
			}
			if f := out.Filters[0]; f.If != c.says || strings.Join(f.Then, ", ") != c.then || f.ID != d.ann.Filters()[0].ID {
				t.Errorf("answered %+v", out)
			}
			again := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, c.ask)
			if again.UndoID != "" || again.Note == "" || len(d.ann.Filters()) != 1 {
				t.Errorf("the same again: %+v", again)
			}
			deleted := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "delete", "filter_id": out.Filters[0].ID})
			if d.filters() != "" {
				t.Fatal("it was not deleted")
			}
			bundletest.Must[undoAnswer](t, d.newProcess(), undoTool, args{"undo_id": deleted.UndoID})
			if want := strings.ReplaceAll(c.want, "LABEL", label); d.filters() != want {
				t.Fatalf("undo made %s, want %s", d.filters(), want)
			}
			bundletest.Must[undoAnswer](t, d.newProcess(), undoTool, args{"undo_id": out.UndoID})
			if d.filters() != "" {
				t.Errorf("the undo of its creation left %s", d.filters())
			}
		})
	}
}

func TestFilterDryRunCountsMatches(t *testing.T) {
	d := newFixture(t)
	d.fillInbox(3)
	d.ann.Deliver(fakegmail.Mail{From: "news@example.com", Subject: "y"})
	d.google.ClearLog()
	out := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "from": "news@example.com OR other@example.com", "archive": true, "dry_run": true})
	if out.Matching == nil || *out.Matching != 1 || out.UndoID != "" {
		t.Errorf("got %+v", out)
	}
	for _, r := range d.google.Requests() {
		if r.Verb != http.MethodGet {
			t.Errorf("%s %s left", r.Verb, r.Path)
		}
	}
}

func TestTrashFilterForNearlyAllMailIsRefused(t *testing.T) {
	for name, conditions := range map[string]args{
		"a place": {"query": "in:anywhere"}, "an at sign": {"from": "@"}, "any size": {"larger": 1}, "what most mail is not": {"without": "xyzzy"},
		"a domain that all come from": {"from": "example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			for range 12 {
				d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x"})
			}
			ask := func(flag string, dry bool) (filtersAnswer, error) {
				given := args{"operation": "create", flag: true, "dry_run": dry}
				for key, value := range conditions {
					given[key] = value
				}
				return bundletest.Answer[filtersAnswer](t, d.bundle, filterTool, given)
			}
			for _, dry := range []bool{true, false} {
				if _, err := ask("trash", dry); metadata.CodeOf(err) != metadata.Refused || d.filters() != "" {
					t.Errorf("got %v, made %s", err, d.filters())
				}
			}
			for _, flag := range []string{"archive", "never_spam"} {
				out, err := ask(flag, false)
				if err != nil || out.UndoID == "" || !strings.Contains(out.Note, "nearly all mail") {
					t.Errorf("%s: got %+v, %v", flag, out, err)
				}
			}
		})
	}
}

func TestTrashFilterWarnsAboutMatches(t *testing.T) {
	d := newFixture(t)
	d.fillInbox(3)
	for range 2 {
		d.ann.Deliver(fakegmail.Mail{From: "news@example.com", Subject: "y"})
	}
	out := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "from": "news@example.com", "trash": true})
	if out.UndoID == "" || !strings.Contains(out.Note, "2 messages") || !strings.Contains(out.Note, "deleted after 30 days") {
		t.Errorf("got %+v", out)
	}
}

func TestForwardingFilterIsListedAndNotDeleted(t *testing.T) {
	d := newFixture(t)
	d.ann.ForwardingAddress("away@example.org")
	made, err := d.otherClient(t).Users.Settings.Filters.Create("me", &gmailapi.Filter{
		Criteria: &gmailapi.FilterCriteria{From: "bank@example.com"}, Action: &gmailapi.FilterAction{Forward: "away@example.org"},
	}).Do()
	if err != nil {
		t.Fatal(err)
	}
	list := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "list"})
	if len(list.Filters) != 1 || !slices.Equal(list.Filters[0].Then, []string{"forward to away@example.org"}) {
		t.Errorf("listed %+v", list)
	}
	_, err = bundletest.Answer[filtersAnswer](t, d.bundle, filterTool, args{"operation": "delete", "filter_id": made.Id})
	if metadata.CodeOf(err) != metadata.Refused || len(d.ann.Filters()) != 1 {
		t.Errorf("got %v", err)
	}
}

func TestManageFilterRejectsInvalidArguments(t *testing.T) {
	d := newFixture(t)
	d.ann.Label("Work")
	d.ann.Label("Other")
	for name, c := range map[string]struct {
		ask  args
		path string
	}{
		"no condition":             {args{"operation": "create", "archive": true}, "from"},
		"nothing to do":            {args{"operation": "create", "from": "a@example.com"}, "archive"},
		"an unknown label":         {args{"operation": "create", "from": "a@example.com", "add_labels": "Wrok"}, "add_labels[0]"},
		"two of the user's labels": {args{"operation": "create", "from": "a@example.com", "add_labels": []string{"work", "other"}}, "add_labels"},
		"a flag as a label":        {args{"operation": "create", "from": "a@example.com", "add_labels": "spam"}, "add_labels[0]"},
		"larger and smaller":       {args{"operation": "create", "larger": 2, "smaller": 1, "archive": true}, "smaller"},
		"delete without an id":     {args{"operation": "delete"}, "filter_id"},
		"delete with a path":       {args{"operation": "delete", "filter_id": "../x"}, "filter_id"},
		"list as a dry run":        {args{"operation": "list", "dry_run": true}, "dry_run"},
		"forwarding":               {args{"operation": "create", "from": "a@example.com", "forward": "b@example.org"}, "forward"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bundletest.Answer[filtersAnswer](t, d.bundle, filterTool, c.ask)
			if got := bundletest.ProblemPath(t, err); got != c.path {
				t.Errorf("the problem is at %q, want %q: %v", got, c.path, err)
			}
		})
	}
	if d.filters() != "" {
		t.Errorf("made %s", d.filters())
	}
	if _, err := bundletest.Answer[filtersAnswer](t, d.bundle, filterTool, args{"operation": "delete", "filter_id": "ANe1Bm"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("an unknown one: %v", err)
	}
}

func TestUndoRestoresFilterWithRecreatedLabel(t *testing.T) {
	d := newFixture(t)
	d.ann.Label("Work")
	made := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "from": "a@example.com", "add_labels": "work"})
	deleted := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "delete", "filter_id": made.Filters[0].ID})
	bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "delete", "name": "work"})
	_, err := bundletest.Answer[undoAnswer](t, d.bundle, undoTool, args{"undo_id": deleted.UndoID})
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || e.Code != metadata.Conflict || !strings.Contains(e.Message, "Work") {
		t.Fatalf("without the label: %v", err)
	}
	d.ann.Label("Work")
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": deleted.UndoID})
	if want := `{"from":"a@example.com"}{"addLabelIds":["` + d.ann.Label("Work") + `"]}`; d.filters() != want {
		t.Errorf("undo made %s, want %s", d.filters(), want)
	}
}

func TestLostAnswerOfCreateFilterIsLookedUp(t *testing.T) {
	d := newFixture(t)
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.settings.filters.create", Answer: fakeapi.Reset, AfterEffect: true})
	out := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "from": "a@example.com", "archive": true})
	if len(d.ann.Filters()) != 1 || out.Filters[0].ID == "" || d.google.Calls("gmail.users.settings.filters.create") != 1 {
		t.Errorf("got %+v, made %s", out, d.filters())
	}
}

func TestFiltersAreEqualOnlyForTheSameMail(t *testing.T) {
	d := newFixture(t)
	for _, subject := range []string{"invoice OR receipt", "invoice or receipt", "INVOICE OR Receipt"} {
		bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "subject": subject, "archive": true})
	}
	if got := len(d.ann.Filters()); got != 2 {
		t.Errorf("made %d filters, want one for either word and one for all three", got)
	}
}

func TestUndoKeepsEarlierFilters(t *testing.T) {
	d := newFixture(t)
	bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "from": "a@example.com", "star": true})
	before := d.filters()
	made := bundletest.Must[filtersAnswer](t, d.bundle, filterTool, args{"operation": "create", "from": "a@example.com", "archive": true})
	if err := d.otherClient(t).Users.Settings.Filters.Delete("me", made.Filters[0].ID).Do(); err != nil {
		t.Fatal(err)
	}
	got, err := bundletest.Answer[undoAnswer](t, d.newProcess(), undoTool, args{"undo_id": made.UndoID, "overwrite": true})
	if err != nil || d.filters() != before {
		t.Errorf("got %+v, %v, and there is %q, want %q", got, err, d.filters(), before)
	}
}
