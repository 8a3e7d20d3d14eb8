package convert

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEveryTextComesBackFromItsStoredForm(t *testing.T) {
	for _, text := range []string{
		"", "plain", "a\x00b", "\x00", "\x00\x00", mark, mark + "0", mark + mark, "é" + mark + "2ÿ",
		"\xff", "\xc3", "a\xe2\x82b", "\xed\xa0\x80", "\ufffd", strings.Repeat("\x00", 1000), "日本\x00語",
	} {
		checkEscape(t, text)
	}
}

func FuzzEveryTextComesBackFromItsStoredForm(f *testing.F) {
	f.Add("a\x00b\xff" + mark)
	f.Fuzz(checkEscape)
}

func checkEscape(t *testing.T, text string) {
	stored := EscapeText(text)
	if !utf8.ValidString(stored) || strings.Contains(stored, "\x00") {
		t.Errorf("%q is stored as %q, which PostgreSQL refuses", text, stored)
	}
	if got := UnescapeText(stored); got != text {
		t.Errorf("%q came back as %q", text, got)
	}
}

func TestForeignMarksStay(t *testing.T) {
	for _, text := range []string{mark, mark + "7", mark + "2", mark + "2日"} {
		if got := UnescapeText(text); got != text {
			t.Errorf("%q was read as %q", text, got)
		}
	}
}
