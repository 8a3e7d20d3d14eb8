package calendar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

// TestRandomArgumentsGetReadableAnswers calls with random valid and invalid arguments. No
// answer may be a panic, an error without a code, or contain a value in Go's notation.
func TestRandomArgumentsGetReadableAnswers(t *testing.T) {
	random := rand.New(rand.NewPCG(20261124, 11))
	times := []any{"2026-11-17", "2026-11-17T10:00", "2026-11-18 11:00", "10:00", "3pm", "25:00", "13pm", "at noon", "noon", "yesterday evening", "2026-02-30", "2026-03-29T02:30", "now",
		"next week", "in 2 hours", "1899-01-01", "2200-12-31T23:59", "2026-11-17T10:00+09:00", "2026-11-17T10:00[Asia/Kathmandu]", "[", "%!s(MISSING)x", strings.Repeat("9", 120), "\x00", ""}
	choices := map[string][]any{
		"event_id":         {"standup", "standup_20261117T080000Z", "standup_20261020T070000Z", "lunch", "holidai5", "gone5", "nosuch", "https://www.google.com/calendar/event?eid=bHVuY2ggYW5uQGV4YW1wbGUuY29t", "..", "a b"},
		"scope":            {"this", "following", "all"},
		"instance":         append([]any{"standup_20261117T080000Z", "2026-10-13", "2026-10-20", "2026-10-27", "2026-11-17"}, times...),
		"start":            times,
		"end":              times,
		"duration":         {"45m", "2 days", "0m", "-1h", "x", "100000h", "9999999999h"},
		"timezone":         {"America/New_York", "Mars/Olympus", "UTC"},
		"title":            {"New", "", "%d %!s(int=3) map[a:b] <nil>"[:2], "\u202e"},
		"recurrence":       {[]string{}, []string{"FREQ=DAILY;COUNT=3"}, []string{"FREQ=NEVER"}, []string{"RRULE:FREQ=WEEKLY;UNTIL=20260101"}, []string{""}, []string{"EXDATE:20261117T080000Z"}},
		"reminders":        {[]string{}, []string{"10m"}, []string{"soon"}},
		"color":            {"tomato", "default", "beige"},
		"meet":             {true, false},
		"add_attendees":    {[]string{bob}, []string{"bob"}, []string{ann}},
		"remove_attendees": {[]string{bob}, []string{""}, []string{ann}},
		"on_conflict":      {"warn", "block", "ignore"},
		"etag":             {`"1"`, "x"},
		"dry_run":          {true},
		"calendar":         {"primary", "Nowhere"},
	}
	names := []string{"scope", "instance", "start", "start", "end", "duration", "timezone", "title", "recurrence", "reminders", "color", "meet", "add_attendees", "remove_attendees", "on_conflict", "etag", "dry_run", "calendar"}
	pick := func(name string) any { return choices[name][random.IntN(len(choices[name]))] }
	answered := map[metadata.Code]int{}
	var d *fixture
	for round := range 600 {
		if round%40 == 0 {
			d = seriesWithExceptions(t)
			d.ann.AddEvent("primary", timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"))
			d.ann.AddEvent("primary", args{"id": "holidai5", "summary": "Trip", "start": args{"date": "2026-11-24"}, "end": args{"date": "2026-11-26"}, "recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=4"}})
			d.ann.AddEvent("primary", timedEvent("gone5", "Gone", "2026-11-24T12:00", "2026-11-24T13:00"))
			d.ann.DeleteEvent("primary", "gone5")
		}
		asked := args{"event_id": pick("event_id")}
		if random.IntN(3) > 0 {
			asked["event_id"] = choices["event_id"][random.IntN(5)]
		}
		for range 1 + random.IntN(4) {
			name := names[random.IntN(len(names))]
			asked[name] = pick(name)
		}
		tool := "calendar_update_event"
		if random.IntN(8) == 0 {
			tool = "calendar_delete_event"
			for name := range asked {
				if !strings.Contains(" event_id scope instance etag dry_run calendar ", " "+name+" ") {
					delete(asked, name)
				}
			}
		}
		answer := answerOf(t, d, tool, asked)
		answered[answer.code]++
		for _, leak := range []string{"map[", "<nil>", "%!", "0001-01-01", "INTERNAL", "panic"} {
			if strings.Contains(answer.text, leak) && !strings.Contains(jsonOf(t, asked), leak) {
				t.Errorf("%s %s is answered with %q:\n%s", tool, jsonOf(t, asked), leak, answer.text)
			}
		}
	}
	for _, code := range []metadata.Code{"", metadata.ValidationError, metadata.NotFound, metadata.Conflict} {
		if answered[code] == 0 {
			t.Errorf("answered %v: the test covers too little", answered)
		}
	}
}

// A randomAnswer is the code and the text of an answer.
type randomAnswer struct {
	code metadata.Code
	text string
}

func answerOf(t *testing.T, d *fixture, tool string, asked args) randomAnswer {
	t.Helper()
	d.google.ClearLog()
	raw, err := bundletest.Call(t, d.bundle, tool, asked)
	if n := len(d.google.Requests()); n > maxRequests {
		t.Errorf("%s %s took %d requests", tool, jsonOf(t, asked), n)
	}
	e := (*metadata.Error)(nil)
	switch {
	case err == nil:
		return randomAnswer{text: string(raw)}
	case !errors.As(err, &e) || e.Code == "":
		t.Fatalf("%s %s: %v", tool, jsonOf(t, asked), err)
	}
	return randomAnswer{e.Code, fmt.Sprint(e.Message, e.Hint, jsonOf(t, e.Problems))}
}

// maxRequests is the maximum number of requests for one change of this test's small
// calendar.
const maxRequests = 20
