package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

// zoneName is a zone in which no test machine is.
const zoneName = "Asia/Kathmandu"

// newZoneHome returns a home with all bundles, whose calendar is in Kathmandu.
func newZoneHome(t *testing.T, lines string) *testHome {
	t.Helper()
	d := newTestHome(t)
	d.bundles = "memory: on, daily: on, gmail: on, calendar: on"
	d.configure(lines)
	d.storeClient()
	d.google.User(ann).SetZone(zoneName)
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	return d
}

// utcOffsets returns the times in the answers of each bundle, as their UTC offsets.
func (d *testHome) utcOffsets() map[string]string {
	d.t.Helper()
	var set struct {
		Expires string `json:"expires_at"`
	}
	d.decodeAnswer(&set, "memory_set", "key=tea", "value=green", "expires_at="+someday)
	var briefing struct{ Timezone string }
	d.decodeAnswer(&briefing, "daily_briefing")
	zone, err := time.LoadLocation(briefing.Timezone)
	if err != nil {
		d.t.Fatal(err)
	}
	return map[string]string{"memory": utcOffset(set.Expires), "daily": time.Now().In(zone).Format("-07:00")}
}

// decodeAnswer decodes the answer of a call.
func (d *testHome) decodeAnswer(into any, args ...string) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(d.must(append([]string{"call"}, args...)...)), into); err != nil {
		d.t.Fatal(err)
	}
}

// utcOffset returns the UTC offset at the end of a time.
func utcOffset(stamp string) string { return stamp[max(0, len(stamp)-len("+00:00")):] }

func TestEveryBundleUsesPrimaryCalendarZone(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "")
	d.google.User(ann).AddEvent("primary", hourEvent(8, "Dentist"))
	d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, To: ann, Subject: "Hello", Text: "x", Labels: []string{"INBOX", "UNREAD"}})
	if got := d.briefing().Calendar.Items; len(got) != 1 || got[0]["when"] != "13:45–14:45" {
		t.Errorf("the briefing: got %+v", got)
	}
	if got := d.eventTimes(someday)["Dentist"]; !strings.Contains(got, "13:45–14:45 +05:45") {
		t.Errorf("the calendar: got %q", got)
	}
	for bundle, got := range d.utcOffsets() {
		if got != "+05:45" {
			t.Errorf("%s: got %s", bundle, got)
		}
	}
	var mail struct{ Messages []struct{ Date string } }
	if d.decodeAnswer(&mail, "gmail_search_messages", "query=Hello"); len(mail.Messages) != 1 || utcOffset(mail.Messages[0].Date) != "+05:45" {
		t.Errorf("the mail: got %+v", mail)
	}
}

func TestCalendarZoneIsKnownOffline(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "")
	d.google.Close()
	for bundle, got := range d.utcOffsets() {
		if got != "+05:45" {
			t.Errorf("%s: got %s", bundle, got)
		}
	}
}

func TestMissingZoneFileIsLearnedAgain(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "")
	if err := os.Remove(filepath.Join(d.home, "timezone.json")); err != nil {
		t.Fatal(err)
	}
	for bundle, got := range d.utcOffsets() {
		if got != "+05:45" {
			t.Errorf("%s: got %s", bundle, got)
		}
	}
}

func TestZoneFollowsCalendar(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "")
	d.google.User(ann).SetZone("Asia/Tokyo")
	d.must("call", "calendar_list_events")
	for bundle, got := range d.utcOffsets() {
		if got != "+09:00" {
			t.Errorf("%s: got %s", bundle, got)
		}
	}
}

func TestConfiguredZoneOverridesCalendar(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "timezone: Asia/Tokyo")
	d.google.User(ann).AddEvent("primary", hourEvent(8, "Dentist"))
	if got := d.eventTimes(someday)["Dentist"]; !strings.Contains(got, "17:00–18:00 +09:00") {
		t.Errorf("the calendar: got %q", got)
	}
	made := d.mustCall("calendar_create_event", object{"title": "Tea", "start": someday + " 20:00"})
	if !strings.Contains(made.raw, `"timezone":"Asia/Tokyo"`) {
		t.Errorf("got %s", made.raw)
	}
	for bundle, got := range d.utcOffsets() {
		if got != "+09:00" {
			t.Errorf("%s: got %s", bundle, got)
		}
	}
}

func TestSignedOutUserHasMachineZone(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "")
	d.must("auth", "logout")
	if _, err := os.Stat(filepath.Join(d.home, "timezone.json")); err == nil {
		t.Error("the zone of an account that is gone is kept")
	}
	for bundle, got := range d.utcOffsets() {
		if got == "+05:45" {
			t.Errorf("%s: got %s", bundle, got)
		}
	}
}

func TestDoctorNamesZoneAndItsSource(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string][]string{
		"":                          {"ok    time zone      " + zoneName + ", from the primary calendar of ann@example.com; this machine has ", "timezone: "},
		"timezone: Asia/Tokyo":      {"ok    time zone      Asia/Tokyo, as bundles.yaml says; the primary calendar of ann@example.com has " + zoneName, "timezone: "},
		"timezone: " + zoneName:     {"ok    time zone      " + zoneName + ", as bundles.yaml says\n"},
		"timezone: Asia/Katmandu\n": {"ok    time zone      Asia/Katmandu, as bundles.yaml says\n"}, // another name of the same zone
	} {
		d := newZoneHome(t, lines)
		out := d.must("doctor")
		for _, text := range want {
			if !strings.Contains(out, text) {
				t.Errorf("%q: want %q in\n%s", lines, text, out)
			}
		}
	}
	d := newTestHome(t)
	if out := d.must("doctor"); !strings.Contains(out, ", from this machine\n") {
		t.Errorf("signed out:\n%s", out)
	}
}

func TestPendingCallsShowUserTimeZone(t *testing.T) {
	t.Parallel()
	d := newZoneHome(t, "")
	d.mustPend("gmail_send_message", object{"to": []string{bob}, "subject": "Tea", "body": "Hello"})
	var list struct {
		Pending []struct{ Created, Expires time.Time }
	}
	if err := json.Unmarshal([]byte(d.must("pending", "--json")), &list); err != nil || len(list.Pending) != 1 {
		t.Fatal(list, err)
	}
	zone, err := time.LoadLocation(zoneName)
	if err != nil {
		t.Fatal(err)
	}
	if want, output := list.Pending[0].Created.In(zone).Format("2006-01-02 15:04"), d.must("pending"); !strings.Contains(output, want) {
		t.Errorf("want %s in\n%s", want, output)
	}
}
