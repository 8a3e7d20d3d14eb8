package view

import (
	"strings"
	"testing"
)

// The pieces of a difference give both texts again.
func TestDifferenceLosesNothing(t *testing.T) {
	long := strings.Repeat("one two three\n", 2000)
	for _, c := range [][3]string{ // before, after, and what the pieces are
		{"", "", ""},
		{"", "new", "+new"},
		{"old", "", "-old"},
		{"same", "same", " same"},
		{"at ten", "at nine", " at |-ten|+nine"},
		{"a b c d", "a c d e", " a |-b | c |-d|+d e"},
		{"one\ntwo\n", "one\n2\ntwo\n", " one\n|+2\n| two\n"},
		{"<b>x", "<i>x", "-<b>x|+<i>x"},
		{long, "x" + long + "y", ""},
		{long, strings.ToUpper(long), ""},
	} {
		var before, after, pieces []string
		for _, p := range difference(c[0], c[1]) {
			pieces = append(pieces, string(p.kind)+p.text)
			if p.kind != '+' {
				before = append(before, p.text)
			}
			if p.kind != '-' {
				after = append(after, p.text)
			}
		}
		if got := strings.Join(before, ""); got != c[0] {
			t.Errorf("%.40q to %.40q: the old text is %.80q", c[0], c[1], got)
		}
		if got := strings.Join(after, ""); got != c[1] {
			t.Errorf("%.40q to %.40q: the new text is %.80q", c[0], c[1], got)
		}
		if got := strings.Join(pieces, "|"); len(c[0]) < 100 && got != c[2] {
			t.Errorf("%q to %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestDifferenceIsEscaped(t *testing.T) {
	var page strings.Builder
	if err := Difference("<script>alert(1)</script>", "<img src=x onerror=alert(1)>\u202e").Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); strings.Contains(text, "<script") || strings.Contains(text, "<img") || strings.Contains(text, "\u202e") {
		t.Error(text)
	}
}
