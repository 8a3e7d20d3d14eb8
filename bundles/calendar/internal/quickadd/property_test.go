package quickadd

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// lineParts are the parts from which the property test builds lines.
var lineParts = strings.Split("Lunch|with Ann|Call|roast|Room 5|the|on|in|at|by|next|last|every|each|day after tomorrow|tomorrow|tonight|today|yesterday|"+
	"monday|on friday|sunday|thurs|fri|sat|mondays|mon-fri|week|2 weeks|in 3 days|weekend|12:00|9am|9-11|3-4|23:30-01:15|10:00|14h|15.30|for 1h|for 45m|for|"+
	"UTC|Europe/Berlin|EST|CET|New York time|UTC+2|+02:00|2026-12-03|2026/12/03|03-12-2026|12/01|3-12|31.12.|dec 3|3rd|noon|midnight|morning|half past|nine|5|to|until|or|,", "|")

// timeInTitle matches times that no title may contain. It does not use the code of the
// reader.
var timeInTitle = regexp.MustCompile(`(?i)(^|[^\pL\d])(\d+[:./–-]\d|(mon|tues|wednes|thurs|fri|satur|sun)days?\b|every\b|yesterday\b|UTC\b|EST\b|CET\b|Europe/|\d+(st|nd|rd|th) *$)`)

func TestTitleContainsNoTime(t *testing.T) {
	amsterdam, err := timeparse.Zone("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	at := timeparse.Context{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, amsterdam), Zone: amsterdam}
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 20_000 {
		words := make([]string, 2+random.IntN(5))
		for i := range words {
			words[i] = lineParts[random.IntN(len(lineParts))]
		}
		line := strings.Join(words, " ")
		if checkLine(t, line, at) {
			read++
		}
	}
	if read < 300 {
		t.Errorf("only %d lines were read", read)
	}
}

func FuzzLine(f *testing.F) {
	for _, line := range []string{"Lunch tomorrow 12:00", "dec 3 at 14:00 Party for 2 hours", "Call friday 10:00 UTC", "\x00day 12:00", "23:30-01:15 monday x", "dec 1 0000 Rome", "0 A0!friday 0.00"} {
		f.Add(line)
	}
	at := timeparse.Context{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Zone: time.UTC}
	f.Fuzz(func(t *testing.T, line string) { checkLine(t, line, at) })
}

// checkLine reports whether the line was read. If it was not, the error must be
// VALIDATION_ERROR.
func checkLine(t *testing.T, line string, at timeparse.Context) bool {
	t.Helper()
	said, err := Read(line, at)
	if err != nil {
		if metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%q: %v", line, err)
		}
		return false
	}
	if kept := timeInTitle.FindString(said.Title); kept != "" && !strings.Contains(said.Title, "1-1") && !strings.Contains(said.Title, "1:1") {
		t.Errorf("%q: the title %q keeps %q", line, said.Title, kept)
	}
	for _, word := range strings.Fields(said.Title) {
		if !slices.Contains(strings.Fields(line), word) && !strings.Contains(line, word) {
			t.Errorf("%q: the title %q has the word %q", line, said.Title, word)
		}
	}
	start, err := timeparse.Parse(said.Start, at)
	if err != nil && !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("%q: the start %q: %v", line, said.Start, err)
	}
	if said.Zone == "" && err == nil && start.Time.Before(at.Now.AddDate(0, 0, -7)) && !strings.Contains(line, said.Start[:4]) {
		t.Errorf("%q: it starts at %s", line, said.Start)
	}
	return true
}
