package gmail_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

type vacationAnswer struct {
	On                        bool
	Subject, Body, Start, End string
	ContactsOnly, DomainOnly  bool
	UndoID                    string `json:"undo_id"`
}

const vacationTool = "gmail_manage_vacation"

func (d *fixture) vacation(t *testing.T) gmailapi.VacationSettings {
	t.Helper()
	v, err := d.otherClient(t).Users.Settings.GetVacation("me").Do()
	if err != nil {
		t.Fatal(err)
	}
	v.ServerResponse.Header, v.ServerResponse.HTTPStatusCode = nil, 0
	return *v
}

func TestVacationCoversWholeDays(t *testing.T) {
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	d := newFixture(t)
	d.now = time.Date(2027, 3, 1, 12, 0, 0, 0, amsterdam)
	out := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, args{
		"operation": "set", "subject": "Away", "body": "Back on **Monday** <b>\n\nAnn", "start": "2027-03-28", "end": "2027-03-28", "contacts_only": true,
	})
	v := d.vacation(t)
	start, end := time.UnixMilli(v.StartTime), time.UnixMilli(v.EndTime)
	if !start.Equal(time.Date(2027, 3, 28, 0, 0, 0, 0, amsterdam)) || end.Sub(start) != 23*time.Hour { // summer time begins that day
		t.Errorf("from %v to %v", start, end)
	}
	if !v.EnableAutoReply || v.ResponseSubject != "Away" || !v.RestrictToContacts || v.RestrictToDomain {
		t.Errorf("set %+v", v)
	}
	if !strings.Contains(v.ResponseBodyHtml, "<strong>Monday</strong> &lt;b&gt;") {
		t.Errorf("its text is %s", v.ResponseBodyHtml)
	}
	shown := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, args{"operation": "get"})
	if shown.Start != "2027-03-28" || shown.End != "2027-03-28" || !shown.On || !strings.Contains(shown.Body, "**Monday** <b>") && !strings.Contains(shown.Body, `**Monday** \<b>`) {
		t.Errorf("shows %+v", shown)
	}
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": out.UndoID})
	if v := d.vacation(t); v.EnableAutoReply || v.ResponseSubject != "" || v.StartTime != 0 {
		t.Errorf("after undo it is %+v", v)
	}
}

func TestVacationOffKeepsItsText(t *testing.T) {
	d := newFixture(t)
	was := gmailapi.VacationSettings{
		EnableAutoReply: true, ResponseSubject: "Old", ResponseBodyPlainText: "old text", StartTime: 1789000000123, EndTime: 1899000000000, RestrictToDomain: true,
	}
	if _, err := d.otherClient(t).Users.Settings.UpdateVacation("me", &was).Do(); err != nil {
		t.Fatal(err)
	}
	before := d.vacation(t)
	off := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, args{"operation": "off"})
	if v := d.vacation(t); v.EnableAutoReply || v.ResponseBodyPlainText != "old text" {
		t.Fatalf("off it is %+v", v)
	}
	on := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, args{"operation": "set"})
	if v := d.vacation(t); !v.EnableAutoReply || v.ResponseSubject != "Old" || v.ResponseBodyPlainText != "old text" || v.EndTime != 0 {
		t.Fatalf("on again it is %+v", v)
	}
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": on.UndoID})
	back := bundletest.Must[undoAnswer](t, d.newProcess(), undoTool, args{"undo_id": off.UndoID})
	after := d.vacation(t)
	if !strings.Contains(back.Note, "stays off") {
		t.Errorf("the undo says %+v", back)
	}
	if after.EnableAutoReply || after.ResponseSubject != before.ResponseSubject || after.ResponseBodyPlainText != before.ResponseBodyPlainText ||
		after.StartTime != before.StartTime || after.EndTime != before.EndTime || after.RestrictToDomain != before.RestrictToDomain {
		t.Errorf("after both undos it is %+v, want %+v", after, before)
	}
}

// An undo only writes, so it is allowed where sending is forbidden.
func TestUndoOfVacationRepliesToNobodyNew(t *testing.T) {
	day := int64(24 * time.Hour / time.Millisecond)
	now := noon.UnixMilli()
	was := gmailapi.VacationSettings{EnableAutoReply: true, ResponseSubject: "Old", ResponseBodyPlainText: "old text", StartTime: now - day, EndTime: now + 9*day}
	for name, c := range map[string]struct {
		set args
		on  bool // after the undo
	}{
		"other words":   {args{"subject": "New", "body": "new", "start": "2026-11-19", "end": "2026-12-24"}, true},
		"friends alone": {args{"subject": "New", "body": "new", "contacts_only": true}, false},
		"later":         {args{"subject": "New", "body": "new", "start": "2026-11-24"}, false},
		"not so long":   {args{"subject": "New", "body": "new", "end": "2026-11-22"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			if _, err := d.otherClient(t).Users.Settings.UpdateVacation("me", &was).Do(); err != nil {
				t.Fatal(err)
			}
			c.set["operation"] = "set"
			set := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, c.set)
			back := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": set.UndoID})
			if v := d.vacation(t); v.EnableAutoReply != c.on || v.ResponseSubject != "Old" || v.StartTime != was.StartTime {
				t.Errorf("after undo it is %+v", v)
			}
			if (back.Note == "") != c.on {
				t.Errorf("the undo says %q", back.Note)
			}
		})
	}
}

func TestManageVacationRejectsInvalidArguments(t *testing.T) {
	d := newFixture(t)
	for name, c := range map[string]struct {
		ask  args
		path string
	}{
		"no text, and none before": {args{"operation": "set"}, "body"},
		"an end that is over":      {args{"operation": "set", "body": "x", "end": "2026-11-20"}, "end"},
		"an end before the start":  {args{"operation": "set", "body": "x", "start": "2026-12-02", "end": "2026-12-01"}, "end"},
		"no such day":              {args{"operation": "set", "body": "x", "start": "2026-02-30"}, "start"},
		"a time":                   {args{"operation": "set", "body": "x", "start": "2026-12-02T10:00:00Z"}, "start"},
		"two lines of subject":     {args{"operation": "set", "body": "x", "subject": "a\r\nBcc: b@example.org"}, "subject"},
		"a text to switch off":     {args{"operation": "off", "body": "x"}, "operation"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bundletest.Answer[vacationAnswer](t, d.bundle, vacationTool, c.ask)
			if got := bundletest.ProblemPath(t, err); got != c.path {
				t.Errorf("the problem is at %q, want %q: %v", got, c.path, err)
			}
		})
	}
	if v := d.vacation(t); v.EnableAutoReply {
		t.Error("it was set")
	}
}

func TestLostAnswerOfVacationIsLookedUp(t *testing.T) {
	for name, c := range map[string]struct {
		fault fakeapi.Fault
		code  metadata.Code
	}{
		"it happened":       {fakeapi.Fault{Answer: fakeapi.Reset, AfterEffect: true}, ""},
		"it did not happen": {fakeapi.Fault{Answer: fakeapi.Reset}, metadata.OutcomeUnknown},
		"it was refused":    {fakeapi.Fault{Status: 403, Reason: "domainPolicy"}, metadata.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			c.fault.Method, c.fault.Nth = "gmail.users.settings.updateVacation", 1
			d.google.Fault(c.fault)
			_, err := bundletest.Answer[vacationAnswer](t, d.bundle, vacationTool, args{"operation": "set", "body": "x"})
			if metadata.CodeOf(err) != c.code || d.google.Calls(c.fault.Method) != 1 {
				t.Errorf("got %v", err)
			}
			if left := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{}); (len(left.Recent) == 0) != (c.code == metadata.Refused) {
				t.Errorf("to be undone: %+v", left.Recent)
			}
		})
	}
}

func TestVacationWithUnknownOutcomeIsNotReportedAsSet(t *testing.T) {
	first := args{"operation": "set", "subject": "Away", "body": "Back on Monday.", "start": "2026-12-01", "end": "2026-12-24", "contacts_only": true, "domain_only": true}
	for name, change := range map[string]args{
		"another text":    {"body": "Back on **Monday**."},
		"another subject": {"subject": "Gone"},
		"other contacts":  {"contacts_only": false},
		"another domain":  {"domain_only": false},
		"another start":   {"start": "2026-12-02"},
		"another end":     {"end": "2026-12-23"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, first)
			second := maps.Clone(first)
			maps.Copy(second, change)
			d.google.Fault(fakeapi.Fault{Method: "gmail.users.settings.updateVacation", Nth: 1, Status: 503})
			if out, err := bundletest.Answer[vacationAnswer](t, d.bundle, vacationTool, second); metadata.CodeOf(err) != metadata.OutcomeUnknown || strings.Contains(bundletest.AsError(t, err).Message, "http") {
				t.Errorf("got %+v, %v", out, err)
			}
		})
	}
}

// Switching the reply on reaches people, so the policy treats it like a send.
func TestManageVacationEffects(t *testing.T) {
	for operation, want := range map[string]metadata.Effect{"get": metadata.Reads, "off": metadata.Writes, "set": metadata.Sends} {
		for _, a := range gmail.New(newFixture(t).deps).Actions {
			if a.Tool != vacationTool {
				continue
			}
			call, err := a.Prepare([]byte(`{"operation": "` + operation + `"}`))
			if err != nil || call.Effect != want || call.Draft != nil {
				t.Errorf("%s: %v, %v", operation, call.Effect, err)
			}
		}
	}
}

func TestUndoKeepsVacationEditedInGmail(t *testing.T) {
	d := newFixture(t)
	d.setVacation(t, gmailapi.VacationSettings{ResponseSubject: "Old", ResponseBodyHtml: "<p>old</p>"})
	set := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, args{"operation": "set", "subject": "Away", "body": "Until May"})
	rewritten := d.vacation(t)
	rewritten.ResponseBodyHtml = "<p>Ill until June</p>"
	d.setVacation(t, rewritten)
	_, err := bundletest.Answer[undoAnswer](t, d.bundle, undoTool, args{"undo_id": set.UndoID})
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || len(e.Problems) != 1 || e.Problems[0].Got != "now: Ill until June" {
		t.Errorf("answered %+v", e)
	}
	back := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": set.UndoID, "overwrite": true})
	if v := d.vacation(t); v.ResponseSubject != "Old" || v.ResponseBodyHtml != "<p>old</p>" || v.EnableAutoReply {
		t.Errorf("overwritten it is %+v", v)
	}
	_, undo, _ := strings.Cut(back.Note, "undo_id ")
	undo, _, _ = strings.Cut(undo, ";")
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
	if v := d.vacation(t); v.ResponseSubject != "Away" || v.ResponseBodyHtml != "<p>Ill until June</p>" {
		t.Errorf("it came back as %+v", v)
	}
}

// An undo keeps a later change of a field that the undone change did not touch.
func TestUndoOfVacationKeepsOtherChanges(t *testing.T) {
	d := newFixture(t)
	d.setVacation(t, gmailapi.VacationSettings{EnableAutoReply: true, ResponseSubject: "Old", ResponseBodyHtml: "<p>old</p>"})
	off := bundletest.Must[vacationAnswer](t, d.bundle, vacationTool, args{"operation": "off"})
	rewritten := d.vacation(t)
	rewritten.ResponseSubject = "Ill"
	d.setVacation(t, rewritten)
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": off.UndoID})
	if v := d.vacation(t); v.ResponseSubject != "Ill" || v.EnableAutoReply {
		t.Errorf("it is %+v", v)
	}
}
