package days

import "testing"

// It is Saturday 21 November, but the user's day is still Friday because it starts at
// 04:00.
func TestDaysReadsWords(t *testing.T) {
	clock := clockAt(t, "2026-11-21T02:10")
	for text, want := range map[string][2]string{
		"today": {"2026-11-20", "2026-11-20"}, "tonight": {"2026-11-20", "2026-11-20"}, "last night": {"2026-11-19", "2026-11-19"},
		"friday": {"2026-11-20", "2026-11-20"}, "saturday": {"2026-11-14", "2026-11-14"}, "2026-11-21": {"2026-11-21", "2026-11-21"},
		"1 hours ago": {"2026-11-20", "2026-11-20"}, "previous week": {"2026-11-09", "2026-11-15"}, "2026-W53": {"2026-12-28", "2027-01-03"},
		"29 february": {"2024-02-29", "2024-02-29"}, "december": {"2025-12-01", "2025-12-31"},
	} {
		var p Problems
		if got, ok := p.Days("date", text, clock.At(clock.Zone())); !ok || got.From != want[0] || got.To != want[1] {
			t.Errorf("%q: got %s to %s, %v", text, got.From, got.To, p.Err())
		}
	}
	for text, want := range map[string][2]string{"saturday": {"2026-11-21", "2026-11-21"}, "monday": {"2026-11-23", "2026-11-23"}, "next week": {"2026-11-23", "2026-11-29"}} {
		var p Problems
		if got, ok := p.FutureDays("due", text, clock.At(clock.Zone())); !ok || got.From != want[0] || got.To != want[1] {
			t.Errorf("%q, which is to come: got %s to %s, %v", text, got.From, got.To, p.Err())
		}
	}
	for _, text := range []string{"", "2026-02-30", "2025-W53", "1899-12-31", "2026-13", "soon", "\xff"} {
		var p Problems
		if got, ok := p.Days("date", text, clock.At(clock.Zone())); ok || p.Err() == nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

// The end of a span is not before its beginning.
func TestSpanRefusesEndBeforeStart(t *testing.T) {
	clock := clockAt(t, "2026-11-18T12:00") // a Wednesday
	for _, c := range []struct{ from, to, first, last string }{
		{"monday", "friday", "2026-11-16", "2026-11-20"}, {"thursday", "friday", "2026-11-12", "2026-11-13"},
		{"october", "november", "2026-10-01", "2026-11-30"}, {"february 2024", "february", "2024-02-01", "2026-02-28"}, {"", "yesterday", "", "2026-11-17"},
		{"last monday", "friday", "2026-11-09", "2026-11-13"}, {"1 november", "5 december", "2026-11-01", "2026-12-05"}, {"december", "december", "2025-12-01", "2025-12-31"},
	} {
		var p Problems
		if got := p.Bounds(c.from, c.to, clock.At(clock.Zone())); p.Err() != nil || got.From != c.first || got.To != c.last {
			t.Errorf("%q to %q: got %s to %s, %v", c.from, c.to, got.From, got.To, p.Err())
		}
	}
	var p Problems
	if got := p.Bounds("2026-11-02", "2026-11-01", clock.At(clock.Zone())); p.Err() == nil {
		t.Errorf("it ends before it begins: got %+v", got)
	}
}

func TestCursorIsValidForSameArgumentsOnly(t *testing.T) {
	asked := Span{From: "2026-11-01", To: "2026-11-30"}.CursorArguments()
	cursor := EncodeCursor("after this", asked)
	for name, c := range map[string]struct {
		given string
		asked any
		want  string // "": refused
	}{
		"the same question": {cursor, asked, "after this"},
		"another question":  {cursor, Span{From: "2026-11-01", To: "2026-11-29"}.CursorArguments(), ""},
		"no cursor at all":  {"abc", asked, ""},
	} {
		var p Problems
		got := ""
		if p.Cursor(c.given, c.asked, &got); got != c.want || (p.Err() == nil) != (c.want != "") {
			t.Errorf("%s: got %q, %v", name, got, p.Err())
		}
	}
}
