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

type managedLabel struct {
	Labels   []struct{ ID, Name, Type string }
	Messages int
	Note     string
	UndoID   string `json:"undo_id"`
}

const labelTool = "gmail_manage_label"

// own returns the sorted names of the user's labels.
func (d *desk) own() string {
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
			d := newDesk(t)
			for _, name := range []string{"Work", "Work/A", "Work/A/B", "Workshop"} {
				d.ann.Label(name)
			}
			before := d.own()
			out := bundletest.Must[managedLabel](t, d.bundle, labelTool, c.ask)
			if got := d.own(); got != c.want || out.UndoID == "" {
				t.Fatalf("labels are %s, want %s; answered %+v", got, c.want, out)
			}
			bundletest.Must[undone](t, d.again(), undoTool, args{"undo_id": out.UndoID})
			if got := d.own(); got != before {
				t.Errorf("after undo labels are %s", got)
			}
		})
	}
}

func TestUndoRestoresLabelAppearance(t *testing.T) {
	d := newDesk(t)
	id := d.ann.Label("Work")
	api := d.elsewhere(t)
	look := func() string {
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
		out := bundletest.Must[managedLabel](t, d.bundle, labelTool, step.ask)
		undos = append(undos, out.UndoID)
		if got := look(); got != step.want {
			t.Fatalf("%v: it is %s, want %s", step.ask, got, step.want)
		}
	}
	for i, undo := range slices.Backward(undos) {
		bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": undo})
		want := "labelShow"
		if i > 0 {
			want = steps[i-1].want
		}
		if got := look(); got != want {
			t.Errorf("after the undo of %v it is %s, want %s", steps[i].ask, got, want)
		}
	}
}

func TestUndoRestoresDeletedLabelOnItsMessages(t *testing.T) {
	d := newDesk(t)
	id := d.ann.Label("Work")
	var ids []string
	for i := range 501 {
		labels := []string{id, "INBOX"}
		if i == 0 {
			labels = []string{id, "TRASH"}
		}
		ids = append(ids, d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: labels}).ID)
	}
	other := d.inbox(1)
	moved := bundletest.Must[modified](t, d.bundle, modifyTool, args{"ids": ids[1], "remove_labels": "work"})
	out := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "delete", "name": "work"})
	if out.Messages != 500 || len(d.in(id, ids)) != 0 {
		t.Fatalf("got %+v", out)
	}
	back := bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	again := d.ann.Label("Work")
	if again == id || back.Messages != 500 || len(d.in(again, ids)) != 500 || len(d.in(again, other)) != 0 || !strings.Contains(back.Note, "new id") {
		t.Errorf("got %+v", back)
	}
	// The undo records of the old label now apply to the new one.
	bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": moved.UndoID})
	if got := d.in(again, ids); len(got) != 501 {
		t.Errorf("after all undos %d have it", len(got))
	}
}

func TestUndoKeepsCreatedLabelInUse(t *testing.T) {
	d := newDesk(t)
	out := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "create", "name": "A/B"})
	id := d.ann.Label("A/B")
	d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: []string{id}})
	_, err := bundletest.Answer[undone](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	if e := bundletest.AsError(t, err); d.own() != "A, A/B" || e.Code != metadata.Conflict || len(e.Problems) != 1 || !strings.Contains(e.Problems[0].Got, "on 1 message") {
		t.Errorf("labels are %s; answered %+v", d.own(), e)
	}
	// If it is deleted anyway, it can be restored with its messages.
	gone := bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": out.UndoID, "overwrite": true})
	_, undo, _ := strings.Cut(gone.Note, "undo_id ")
	if d.own() != "" || undo == "" {
		t.Fatalf("labels are %s; answered %+v", d.own(), gone)
	}
	bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": undo})
	if d.own() != "A/B" || len(d.ann.Messages("label:a-b")) != 1 {
		t.Errorf("labels are %s", d.own())
	}
}

func TestUndoFollowsRecreatedLabel(t *testing.T) {
	d := newDesk(t)
	made := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "create", "name": "New"})
	named := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "rename", "name": "New", "new_name": "Newer"})
	deleted := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "delete", "name": "Newer"})
	for _, undo := range []string{deleted.UndoID, named.UndoID, made.UndoID} {
		bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": undo})
	}
	if d.own() != "" {
		t.Errorf("labels are %s", d.own())
	}
}

func TestUndoKeepsAnotherLabelOfThatName(t *testing.T) {
	d := newDesk(t)
	made := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "create", "name": "New"})
	if err := d.elsewhere(t).Users.Labels.Delete("me", d.ann.Label("New")).Do(); err != nil {
		t.Fatal(err)
	}
	d.ann.Label("New")
	back := bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": made.UndoID})
	if d.own() != "New" || !strings.Contains(back.Note, "deleted already") {
		t.Errorf("labels are %s; answered %+v", d.own(), back)
	}
}

func TestManageLabelRejectsInvalidArguments(t *testing.T) {
	d := newDesk(t)
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
			if _, err := bundletest.Answer[managedLabel](t, d.bundle, labelTool, c.ask); metadata.CodeOf(err) != c.code {
				t.Errorf("got %v", err)
			}
		})
	}
	if out := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "create", "name": "WORK"}); out.UndoID != "" || out.Labels[0].Name != "Work" {
		t.Errorf("one that is there: %+v", out)
	}
	if d.own() != "Other, Work" {
		t.Errorf("labels are %s", d.own())
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
			d := newDesk(t)
			d.ann.Label("Work")
			d.ann.Label("Work/A")
			d.google.Fault(fakeapi.Fault{Method: c.method, Nth: 2, Status: 403, Reason: "domainPolicy"})
			_, err := bundletest.Answer[managedLabel](t, d.bundle, labelTool, c.ask)
			e := (*metadata.Error)(nil)
			if !errors.As(err, &e) || e.Code != metadata.Refused || d.own() != c.want {
				t.Fatalf("got %v, labels are %s", err, d.own())
			}
			recent := bundletest.Must[undone](t, d.bundle, undoTool, args{}).Recent
			if len(recent) != 1 || !strings.Contains(e.Hint, fmt.Sprintf("%q", recent[0].ID)) {
				t.Fatalf("hint %q, to be undone %+v", e.Hint, recent)
			}
			bundletest.Must[undone](t, d.bundle, undoTool, args{"undo_id": recent[0].ID})
			if d.own() != "Work, Work/A" {
				t.Errorf("after undo labels are %s", d.own())
			}
		})
	}
}

func TestLostAnswerOfCreateLabelIsLookedUp(t *testing.T) {
	d := newDesk(t)
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.labels.create", Answer: fakeapi.Reset, AfterEffect: true})
	out := bundletest.Must[managedLabel](t, d.bundle, labelTool, args{"operation": "create", "name": "New", "color": "red"})
	if len(out.Labels) != 1 || d.own() != "New" || d.google.Calls("gmail.users.labels.create") != 1 {
		t.Errorf("got %+v, labels are %s", out, d.own())
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
			d := newDesk(t)
			d.google.Fault(fakeapi.Fault{Method: "gmail.users.labels.create", Status: 503, Nth: 1, Strikes: func() {
				if _, err := d.elsewhere(t).Users.Labels.Create("me", &made).Do(); err != nil {
					t.Error(err)
				}
			}})
			out, err := bundletest.Answer[managedLabel](t, d.bundle, labelTool, args{"operation": "create", "name": "New", "color": "red"})
			if metadata.CodeOf(err) != metadata.OutcomeUnknown {
				t.Errorf("got %+v, %v", out, err)
			}
		})
	}
}
