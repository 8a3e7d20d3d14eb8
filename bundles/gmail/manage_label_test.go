package gmail_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type labelAnswer struct {
	Labels   []struct{ ID, Name, Type string }
	Messages int
	Note     string
	UndoID   string `json:"undo_id"`
}

const labelTool = "gmail_manage_label"

// userLabels returns the sorted names of the user's labels.
func (d *fixture) userLabels() string {
	var names []string
	for _, l := range d.ann.Labels() {
		names = append(names, l.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func TestUndoRevertsLabelManagement(t *testing.T) {
	for name, c := range map[string]struct {
		ask  args
		want string
	}{
		"create":                         {args{"operation": "create", "name": "New"}, "New, Work, Work/A, Work/A/B, Workshop"},
		"create with its parents":        {args{"operation": "create", "name": "x / y/z", "color": "red"}, "Work, Work/A, Work/A/B, Workshop, x, x/y, x/y/z"},
		"create in another":              {args{"operation": "create", "name": "work/C"}, "Work, Work/A, Work/A/B, Workshop, work/C"},
		"rename":                         {args{"operation": "rename", "name": "workshop", "new_name": "Shop"}, "Shop, Work, Work/A, Work/A/B"},
		"rename with what is nested":     {args{"operation": "rename", "name": "WORK", "new_name": "Job/2026"}, "Job/2026, Job/2026/A, Job/2026/A/B, Workshop"},
		"rename to the same, other case": {args{"operation": "rename", "name": "work/a", "new_name": "Work/a"}, "Work, Work/a, Work/a/B, Workshop"},
		"delete leaves what is nested":   {args{"operation": "delete", "name": "Work"}, "Work/A, Work/A/B, Workshop"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			for _, name := range []string{"Work", "Work/A", "Work/A/B", "Workshop"} {
				d.ann.Label(name)
			}
			before := d.userLabels()
			out := bundletest.Must[labelAnswer](t, d.bundle, labelTool, c.ask)
			if got := d.userLabels(); got != c.want || out.UndoID == "" {
				t.Fatalf("labels are %s, want %s; answered %+v", got, c.want, out)
			}
			bundletest.Must[undoAnswer](t, d.newProcess(), undoTool, args{"undo_id": out.UndoID})
			if got := d.userLabels(); got != before {
				t.Errorf("after undo labels are %s", got)
			}
		})
	}
}

func TestUndoRestoresLabelAppearance(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Label("Work")
	api := d.otherClient(t)
	appearance := func() string {
		l, err := api.Users.Labels.Get("me", id).Do()
		if err != nil {
			t.Fatal(err)
		}
		if l.Color == nil {
			return l.LabelListVisibility
		}
		return l.LabelListVisibility + " " + l.Color.BackgroundColor
	}
	var undos []string
	steps := []struct {
		ask  args
		want string
	}{
		{args{"operation": "hide", "name": "work"}, "labelHide"},
		{args{"operation": "color", "name": "work", "color": "red"}, "labelHide #cc3a21"},
		{args{"operation": "color", "name": "work", "color": "none"}, "labelHide"},
		{args{"operation": "show", "name": "work"}, "labelShow"},
	}
	for _, step := range steps {
		out := bundletest.Must[labelAnswer](t, d.bundle, labelTool, step.ask)
		undos = append(undos, out.UndoID)
		if got := appearance(); got != step.want {
			t.Fatalf("%v: it is %s, want %s", step.ask, got, step.want)
		}
	}
	for i, undo := range slices.Backward(undos) {
		bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
		want := "labelShow"
		if i > 0 {
			want = steps[i-1].want
		}
		if got := appearance(); got != want {
			t.Errorf("after the undo of %v it is %s, want %s", steps[i].ask, got, want)
		}
	}
}

func TestUndoRestoresDeletedLabelOnItsMessages(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Label("Work")
	var ids []string
	for i := range 501 {
		labels := []string{id, "INBOX"}
		if i == 0 {
			labels = []string{id, "TRASH"}
		}
		ids = append(ids, d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: labels}).ID)
	}
	other := d.fillInbox(1)
	moved := bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": ids[1], "remove_labels": "work"})
	out := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "delete", "name": "work"})
	if out.Messages != 500 || len(d.withLabel(id, ids)) != 0 {
		t.Fatalf("got %+v", out)
	}
	back := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	again := d.ann.Label("Work")
	if again == id || back.Messages != 500 || len(d.withLabel(again, ids)) != 500 || len(d.withLabel(again, other)) != 0 || !strings.Contains(back.Note, "new id") {
		t.Errorf("got %+v", back)
	}
	// The undo records of the old label now apply to the new one.
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": moved.UndoID})
	if got := d.withLabel(again, ids); len(got) != 501 {
		t.Errorf("after all undos %d have it", len(got))
	}
}

func TestUndoKeepsCreatedLabelInUse(t *testing.T) {
	d := newFixture(t)
	out := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "create", "name": "A/B"})
	id := d.ann.Label("A/B")
	d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: []string{id}})
	_, err := bundletest.Answer[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	if e := bundletest.AsError(t, err); d.userLabels() != "A, A/B" || e.Code != metadata.Conflict || len(e.Problems) != 1 || !strings.Contains(e.Problems[0].Got, "on 1 message") {
		t.Errorf("labels are %s; answered %+v", d.userLabels(), e)
	}
	// If it is deleted anyway, it can be restored with its messages.
	gone := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID, "overwrite": true})
	_, undo, _ := strings.Cut(gone.Note, "undo_id ")
	if d.userLabels() != "" || undo == "" {
		t.Fatalf("labels are %s; answered %+v", d.userLabels(), gone)
	}
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
	if d.userLabels() != "A/B" || len(d.ann.Messages("label:a-b")) != 1 {
		t.Errorf("labels are %s", d.userLabels())
	}
}

func TestUndoFollowsRecreatedLabel(t *testing.T) {
	d := newFixture(t)
	made := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "create", "name": "New"})
	named := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "rename", "name": "New", "new_name": "Newer"})
	deleted := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "delete", "name": "Newer"})
	for _, undo := range []string{deleted.UndoID, named.UndoID, made.UndoID} {
		bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
	}
	if d.userLabels() != "" {
		t.Errorf("labels are %s", d.userLabels())
	}
}

func TestUndoKeepsAnotherLabelOfThatName(t *testing.T) {
	d := newFixture(t)
	made := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "create", "name": "New"})
	if err := d.otherClient(t).Users.Labels.Delete("me", d.ann.Label("New")).Do(); err != nil {
		t.Fatal(err)
	}
	d.ann.Label("New")
	back := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": made.UndoID})
	if d.userLabels() != "New" || !strings.Contains(back.Note, "already deleted") {
		t.Errorf("labels are %s; answered %+v", d.userLabels(), back)
	}
}

func TestManageLabelRejectsInvalidArguments(t *testing.T) {
	d := newFixture(t)
	d.ann.Label("Work")
	d.ann.Label("Other")
	for name, c := range map[string]struct {
		ask  args
		code metadata.Code
	}{
		"an unknown one":        {args{"operation": "delete", "name": "Wrok"}, metadata.ValidationError},
		"Gmail's own":           {args{"operation": "delete", "name": "Inbox"}, metadata.ValidationError},
		"a reserved name":       {args{"operation": "create", "name": "spam"}, metadata.ValidationError},
		"an empty part":         {args{"operation": "create", "name": "a//b"}, metadata.ValidationError},
		"blanks":                {args{"operation": "create", "name": "  "}, metadata.ValidationError},
		"invisible characters":  {args{"operation": "create", "name": "a\u200bb"}, metadata.ValidationError},
		"rename without a name": {args{"operation": "rename", "name": "Work"}, metadata.ValidationError},
		"a name without rename": {args{"operation": "delete", "name": "Work", "new_name": "x"}, metadata.ValidationError},
		"color without one":     {args{"operation": "color", "name": "Work"}, metadata.ValidationError},
		"hide with a color":     {args{"operation": "hide", "name": "Work", "color": "red"}, metadata.ValidationError},
		"a name that is taken":  {args{"operation": "rename", "name": "Work", "new_name": "other"}, metadata.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := bundletest.Answer[labelAnswer](t, d.bundle, labelTool, c.ask); metadata.CodeOf(err) != c.code {
				t.Errorf("got %v", err)
			}
		})
	}
	if out := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "create", "name": "WORK"}); out.UndoID != "" || out.Labels[0].Name != "Work" {
		t.Errorf("one that is there: %+v", out)
	}
	if d.userLabels() != "Other, Work" {
		t.Errorf("labels are %s", d.userLabels())
	}
}

func TestUndoRevertsPartialLabelChange(t *testing.T) {
	for name, c := range map[string]struct {
		method string
		ask    args
		want   string
	}{
		"create": {"gmail.users.labels.create", args{"operation": "create", "name": "x/y/z"}, "Work, Work/A, x"},
		"rename": {"gmail.users.labels.patch", args{"operation": "rename", "name": "work", "new_name": "Job"}, "Job, Work/A"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.ann.Label("Work")
			d.ann.Label("Work/A")
			d.google.Fault(fakeapi.Fault{Method: c.method, Nth: 2, Status: 403, Reason: "domainPolicy"})
			_, err := bundletest.Answer[labelAnswer](t, d.bundle, labelTool, c.ask)
			e := (*metadata.Error)(nil)
			if !errors.As(err, &e) || e.Code != metadata.Refused || d.userLabels() != c.want {
				t.Fatalf("got %v, labels are %s", err, d.userLabels())
			}
			recent := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{}).Recent
			if len(recent) != 1 || !strings.Contains(e.Hint, fmt.Sprintf("%q", recent[0].ID)) {
				t.Fatalf("hint %q, to be undone %+v", e.Hint, recent)
			}
			bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": recent[0].ID})
			if d.userLabels() != "Work, Work/A" {
				t.Errorf("after undo labels are %s", d.userLabels())
			}
		})
	}
}

func TestLostAnswerOfCreateLabelIsLookedUp(t *testing.T) {
	d := newFixture(t)
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.labels.create", Answer: fakeapi.Reset, AfterEffect: true})
	out := bundletest.Must[labelAnswer](t, d.bundle, labelTool, args{"operation": "create", "name": "New", "color": "red"})
	if len(out.Labels) != 1 || d.userLabels() != "New" || d.google.Calls("gmail.users.labels.create") != 1 {
		t.Errorf("got %+v, labels are %s", out, d.userLabels())
	}
}

func TestCreateLabelDoesNotClaimAnotherLabel(t *testing.T) {
	for name, made := range map[string]gmailapi.Label{
		"another color": {Name: "New", LabelListVisibility: "labelShow", MessageListVisibility: "show"},
		"hidden": {
			Name: "New", LabelListVisibility: "labelHide", MessageListVisibility: "show",
			Color: &gmailapi.LabelColor{BackgroundColor: "#cc3a21", TextColor: "#ffffff"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.google.Fault(fakeapi.Fault{Method: "gmail.users.labels.create", Status: 503, Nth: 1, OnFault: func() {
				if _, err := d.otherClient(t).Users.Labels.Create("me", &made).Do(); err != nil {
					t.Error(err)
				}
			}})
			out, err := bundletest.Answer[labelAnswer](t, d.bundle, labelTool, args{"operation": "create", "name": "New", "color": "red"})
			if metadata.CodeOf(err) != metadata.OutcomeUnknown {
				t.Errorf("got %+v, %v", out, err)
			}
		})
	}
}
