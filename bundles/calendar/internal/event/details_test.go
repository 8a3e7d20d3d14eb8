package event

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
)

// paths returns the arguments that the problems are about.
func paths(p eventtime.Problems) string {
	list := []string{}
	for _, one := range p.Problems {
		list = append(list, one.Path)
	}
	return strings.Join(list, " ")
}

func TestReadReminder(t *testing.T) {
	for text, want := range map[string]string{
		"10m": "popup 10", "10m popup": "popup 10", "1d email": "email 1440", "email 2 hours": "email 120", "0m": "popup 0",
		"4 weeks": "popup 40320", "15 minutes before": "popup 15", "30": "popup 30", "1h30m": "popup 90",
		"": "!", "soon": "!", "5 weeks": "!", "30s": "!", "-10m": "!", "popup": "!", "10m sms": "!",
	} {
		var p eventtime.Problems
		one := readReminder(&p, "reminders[0]", text)
		got := "!"
		if one != nil {
			got = fmt.Sprintf("%s %d", one.Method, one.Minutes)
		}
		if got != want || (want == "!") != (len(p.Problems) == 1) {
			t.Errorf("%q: got %q with %v, want %q", text, got, p.Problems, want)
		}
	}
}

func TestEmptyRemindersAreSent(t *testing.T) {
	var p eventtime.Problems
	raw, err := json.Marshal(WithZeroValues(&calendarapi.Event{Reminders: readReminders(&p, []string{})}).Reminders)
	if err != nil || string(raw) != `{"overrides":[],"useDefault":false}` {
		t.Errorf("got %s, %v", raw, err)
	}
	if set := readReminders(&p, []string{"10m", "10 minutes popup", "10m email"}); len(set.Overrides) != 2 {
		t.Errorf("got %+v", set.Overrides)
	}
	readReminders(&p, []string{"1m", "2m", "3m", "4m", "5m", "6m"})
	if got := paths(p); got != "reminders" {
		t.Errorf("six of them: %q", got)
	}
}

func TestReadColor(t *testing.T) {
	for name, want := range map[string]string{"lavender": "1", "Tomato": "11", " peacock ": "7", "9": "9", "default": ""} {
		var p eventtime.Problems
		if got := readColor(&p, name); got != want || len(p.Problems) > 0 {
			t.Errorf("%q: got %q, %v", name, got, p.Problems)
		}
	}
	for _, name := range []string{"red", "0", "12", "01"} {
		var p eventtime.Problems
		if readColor(&p, name); len(p.Problems) != 1 {
			t.Errorf("%q is a colour", name)
		}
	}
}

func TestReadDescriptionEscapes(t *testing.T) {
	for text, sent := range map[string]string{
		"Bring the figures.\nAnn & Bob": "Bring the figures.\nAnn & Bob",
		"from Ann <ann@example.com>":    "from Ann &lt;ann@example.com&gt;",
		"1 < 2 &amp; 3":                 "1 &lt; 2 &amp;amp; 3",
		"a\r\nb":                        "a\nb",
	} {
		var p eventtime.Problems
		got := readDescription(&p, text)
		if got != sent || len(p.Problems) > 0 {
			t.Errorf("%q: sent %q, %v", text, got, p.Problems)
		}
		if back := html.UnescapeString(got); back != strings.ReplaceAll(text, "\r\n", "\n") {
			t.Errorf("%q: reads %q", text, back)
		}
	}
	var p eventtime.Problems
	readDescription(&p, strings.Repeat("<", maxDescription))
	readDescription(&p, "a\x00")
	if got := paths(p); got != "description description" {
		t.Errorf("refused %q", got)
	}
}

func TestReadGuestsSkipsDuplicatesAndUser(t *testing.T) {
	var p eventtime.Problems
	list := ReadGuests(&p, []string{"Bob <BOB@example.org>", "zoë@example.org", "ann+x@example.com", "carol@bücher.example"}, []string{"bob@EXAMPLE.org", "dave@example.org"}, "ann@example.com")
	got := []string{}
	for _, a := range list {
		text := a.Email
		if a.Optional {
			text += "?"
		}
		got = append(got, text)
	}
	if want := "BOB@example.org carol@xn--bcher-kva.example dave@example.org?"; strings.Join(got, " ") != want || paths(p) != "attendees[1]" {
		t.Errorf("got %q, refused %q", got, paths(p))
	}
	p = eventtime.Problems{}
	ReadGuests(&p, []string{"bob@example.org, eve@example.org", "", "all@example.org\r\nBcc: x"}, nil)
	if got := paths(p); got != "attendees[0] attendees[1] attendees[2]" {
		t.Errorf("refused %q", got)
	}
}

func TestTimeIsSentWithOffsetAndZone(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, zone) }
	for want, s := range map[string]eventtime.Span{
		`{"dateTime":"2026-11-24T15:00:00+01:00","timeZone":"Europe/Amsterdam"} {"dateTime":"2026-11-24T16:00:00+01:00","timeZone":"Europe/Amsterdam"}`: {Start: at(24, 15).UTC(), End: at(24, 16), Zone: zone},
		`{"date":"2026-11-24"} {"date":"2026-11-26"}`: {Start: at(24, 0), End: at(26, 0), Zone: zone, AllDay: true},
	} {
		e := calendarapi.Event{}
		s.ApplyTo(&e)
		start, err1 := json.Marshal(e.Start)
		end, err2 := json.Marshal(e.End)
		if got := string(start) + " " + string(end); got != want || err1 != nil || err2 != nil {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
