package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/store/sqlite/sqlitetest"
)

// bob meets Ann and has a calendar at the same Google.
const bob = "bob@example.org"

// someday is a day with only the events of the test. It is always in winter, so
// that no test depends on summer time.
var someday = func() string {
	next := time.Now().AddDate(0, 1, 0)
	if next.Month() > time.January || next.Day() > 15 {
		next = next.AddDate(1, 0, 0)
	}
	return time.Date(next.Year(), time.January, 15, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}()

// newCalendarHome returns a home in which Ann has signed in for mail and calendar.
func newCalendarHome(t *testing.T, lines string) *testHome {
	t.Helper()
	d := newTestHome(t)
	d.bundles = "gmail: on, calendar: on"
	d.configure(lines)
	sqlitetest.Create(t, filepath.Join(d.home, "kota.db"))
	d.storeClient()
	d.google.User(ann).SetZone("Europe/Amsterdam")
	d.google.User(bob).SetZone("America/New_York")
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	return d
}

// hourEvent returns an event of one hour, at that hour of someday in UTC.
func hourEvent(hour int, title string, guests ...string) object {
	day, err := time.Parse(time.DateOnly, someday)
	if err != nil {
		panic(err) // someday is a date
	}
	start := day.Add(time.Duration(hour) * time.Hour)
	e := object{
		"summary": title,
		"start":   object{"dateTime": start.Format(time.RFC3339)}, "end": object{"dateTime": start.Add(time.Hour).Format(time.RFC3339)},
	}
	if len(guests) > 0 {
		people := []object{}
		for _, guest := range guests {
			people = append(people, object{"email": guest})
		}
		e["attendees"] = people
	}
	return e
}

// callAnswer is the answer of a call that succeeded.
type callAnswer struct {
	Status     string   `json:"status"`
	NotInvited []string `json:"not_invited"`
	Undo       string   `json:"undo_id"`
	Etag       string   `json:"etag"`
	Notes      []string `json:"notes"`
	Repeated   bool     `json:"repeated"`
	Event      struct {
		ID    string `json:"event_id"`
		Title string `json:"title"`
		When  string `json:"when"`
	} `json:"event"`
	raw string
}

// callError is the answer of a call that failed.
type callError struct {
	Code     string `json:"error"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
	Problems []struct {
		Path, Expected, Got, Suggestion string
	} `json:"problems"`
}

// call runs a tool on the command line, and returns its answer or its error.
func (d *testHome) call(tool string, args object) (*callAnswer, *callError) {
	d.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	stdout, stderr, status := d.run("call", tool, string(raw))
	if status == 0 {
		answer := &callAnswer{raw: stdout}
		if err := json.Unmarshal([]byte(stdout), answer); err != nil || stderr != "" && !strings.HasPrefix(stderr, "kota: repaired: ") {
			d.t.Fatalf("%s: %v\n%s\n%s", tool, err, stdout, stderr)
		}
		return answer, nil
	}
	failure := &callError{}
	if err := json.Unmarshal([]byte(stderr), failure); err != nil || status != 1 || stdout != "" {
		d.t.Fatalf("%s ends with %d: %v\n%s\n%s", tool, status, err, stdout, stderr)
	}
	return nil, failure
}

// mustCall makes a call that must succeed, and returns its answer.
func (d *testHome) mustCall(tool string, args object) *callAnswer {
	d.t.Helper()
	answer, failure := d.call(tool, args)
	if failure != nil {
		d.t.Fatalf("%s %v: %+v", tool, args, failure)
	}
	return answer
}
