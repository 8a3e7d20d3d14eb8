package htmltext

import (
	"html"
	"strings"
	"testing"
	"testing/quick"
	"unicode"
	"unicode/utf8"
)

func TestTextDropsInvisibleCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		in, want string
		dropped  int
	}{
		"tag characters":                    {"hi\U000E0041\U000E0042\U000E007F!", "hi!", 3},
		"a flag spelt in other tags":        {"🏴\U000E0067\U000E0062\U000E007F", "🏴", 3},
		"the flag of Scotland stays":        {"🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F!", "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F!", 0},
		"with nothing behind it":            {"🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F\U000E0041", "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", 1},
		"flags of countries stay":           {"🇳🇱🇮🇷", "🇳🇱🇮🇷", 0},
		"a form of a Han character stays":   {"葛\U000E0100城 神\uFE00", "葛\U000E0100城 神\uFE00", 0},
		"one form of it":                    {"葛\U000E0100\U000E0101\uFE00", "葛\U000E0100", 2},
		"and none that no font has":         {"葛\U000E01EF神\uFE0F", "葛神", 2},
		"digits carry no selectors":         {"1\uFE0F2\uFE0F3\u200D4", "1234", 3},
		"references to what shows nothing":  {"a&#xE0041;b&#8203;c&zwnj;d&ZeroWidthSpace;e&shy", "abcde", 5},
		"without a semicolon":               {"a&#x200B b&#8203", "a b", 2},
		"encoded again and again":           {"a&amp;#x200B;b&amp;amp;amp;zwj;c&#38;#38;lrm;", "abc", 3},
		"put together of what is dropped":   {"&#x20&#x200B;0B;&#x20\u200B0B;&z&zwnj;wj;", "", 6},
		"put together of references":        {"a &#38;&#35;8203&semi; b", "a #38;#35;8203semi; b", 3},
		"a reference that a word needs":     {"می&zwnj;خواهم ❤&#xFE0F;", "می\u200Cخواهم ❤\uFE0F", 2},
		"a selector of what is gone":        {"a&#x2060\uFE0F\u20E3", "a\u20E3", 2},
		"one with a selector in it":         {"A &caps; B", "A ∩ B", 1},
		"references to what shows stay":     {"R&amp;D &lt;b&gt; &#8364; &nbsp; a&b=c&copy=1&reg", "R&amp;D &lt;b&gt; &#8364; &nbsp; a&b=c&copy=1&reg", 0},
		"addresses are left alone":          {"https://x.example/?a=1&b=2&lang=en&amp;c=3", "https://x.example/?a=1&b=2&lang=en&amp;c=3", 0},
		"bidirectional controls":            {"a\u202Eb\u2066c\u2069d\u200F", "abcd", 4},
		"zero width":                        {"i\u200Bg\u2060n\uFEFFo\u180Ere", "ignore", 4},
		"soft hyphens":                      {"in\u00ADvoice", "invoice", 1},
		"fillers and grapheme joiners":      {"a\u115F\u1160\u3164\uFFA0\u034Fb\u17B4", "ab", 6},
		"symbols that are blank":            {"a\u2800\U0001D159b", "ab", 2},
		"controls":                          {"a\x00b\x1b[31mc\x7fd\u0080\x08", "ab[31mcd", 5},
		"a run of variation selectors":      {"a\uFE00\uFE01\U000E0100b", "ab", 3},
		"bytes smuggled behind an emoji":    {"😀\uFE0F\uFE0F\U000E0121\uFE01", "😀\uFE0F", 3},
		"VS16 after a letter":               {"a\uFE0Fb", "ab", 1},
		"VS16 of an emoji stays":            {"❤\uFE0F 1\uFE0F\u20E3", "❤\uFE0F 1\uFE0F\u20E3", 0},
		"an emoji family stays":             {"👩\u200D👩\u200D👧 ❤\uFE0F\u200D🔥 👩🏽\u200D🚀", "👩\u200D👩\u200D👧 ❤\uFE0F\u200D🔥 👩🏽\u200D🚀", 0},
		"ZWJ with nothing to join":          {"👩\u200D \u200D👩", "👩 👩", 2},
		"Persian keeps its non-joiner":      {"می\u200Cخواهم", "می\u200Cخواهم", 0},
		"but only one":                      {"می\u200D\u200D\u200Cخواهم", "می\u200Cخواهم", 2},
		"Hindi keeps its joiners":           {"क्\u200Dष क्\u200Cष", "क्\u200Dष क्\u200Cष", 0},
		"Latin has none":                    {"a\u200Cb\u200Dc", "abc", 2},
		"Arabic number signs draw":          {"\u0600١", "\u0600١", 0},
		"noncharacters":                     {"a\uFDD0\uFFFEb\U0010FFFF", "ab", 3},
		"interlinear annotation":            {"a\uFFF9b\uFFFBc", "abc", 2},
		"line ends are one kind":            {"a\r\nb\rc\u2028d\u2029e\u0085f\tg", "a\nb\nc\nd\ne\nf\tg", 0},
		"broken UTF-8":                      {"a\xff\xfe\xfdb\xe2\x82", "a\uFFFDb\uFFFD", 0},
		"a surrogate in UTF-8":              {"\xed\xa0\x80", "\uFFFD", 0},
		"plain text is left alone":          {"Grüße, 東京 – “ok”\u00A0!", "Grüße, 東京 – “ok”\u00A0!", 0},
		"what a drop brings together":       {"👩\u200D\u200B👩", "👩👩", 2},
		"a joiner that a drop would orphan": {"م\u200C\u200Eخ", "مخ", 2},
	} {
		got, dropped := Text(c.in)
		if got != c.want || dropped != c.dropped {
			t.Errorf("%s: got %+q and %d dropped, want %+q and %d", name, got, dropped, c.want, c.dropped)
		}
	}
}

func TestLineIsOneLine(t *testing.T) {
	for in, want := range map[string]string{
		" Re: a\r\n\tfolded  subject \n": "Re: a folded  subject",
		"Bcc\u2028x\u0085y":              "Bcc x y",
		"\u200B \n":                      "",
		"report\u202Egpj.exe":            "reportgpj.exe",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%+q) = %+q, want %+q", in, got, want)
		}
		if again := Line(want); again != want {
			t.Errorf("Line(%+q) = %+q, and it was a line already", want, again)
		}
	}
}

// checkClean checks the promises of Text.
func checkClean(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %+q", text)
	}
	if again, dropped := Text(text); again != text || dropped != 0 {
		t.Errorf("%+q is not clean: Text makes %+q of it", text, again)
	}
	visible := strings.NewReplacer("🏴"+flagTagSequences[0], "🏴", "🏴"+flagTagSequences[1], "🏴", "🏴"+flagTagSequences[2], "🏴").Replace(text)
	for decoded := ""; decoded != visible; { // the remaining references are visible, however often they are decoded
		decoded, visible = visible, html.UnescapeString(visible)
		if _, dropped := dropInvisible(visible); dropped != 0 {
			t.Errorf("%+q decodes to %+q, which hides something", text, visible)
			return
		}
	}
	for _, r := range text {
		if unicode.Is(hanForms, r) || r >= 0xE0061 && r <= 0xE007F && strings.ContainsRune(text, blackFlag) {
			continue // Text documents where
		}
		switch {
		case r >= 0xE0000 && r <= 0xE0FFF, r == 0x200B, r == 0xFEFF, r == 0xAD,
			r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xFE00 && r <= 0xFE0E,
			r < ' ' && r != '\n' && r != '\t', r >= 0x7F && r < 0xA0:
			t.Errorf("%U is left in %+q", r, text)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"a\U000E0041b", "👩\u200D\u200B👩\uFE0F\uFE0F", "می\u200C\u200Cخ\xff\r", "\u0600\u200D\u0600",
		"🏴" + flagTagSequences[1] + "\U000E0041", "葛\U000E0100\U000E0101", "1\uFE0F\u20E3&#x31\uFE0F\u20E3", "&amp;#x20&#x200B;0B;&zw&#106;;", "&ampampshyshy;&caps;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, dropped := Text(s)
		checkClean(t, got)
		if have, given := utf8.RuneCountInString(got), utf8.RuneCountInString(s); have+dropped > given {
			t.Errorf("%d characters and %d dropped come of %d", have, dropped, given)
		}
		line := Line(s)
		checkClean(t, line)
		if Line(line) != line || strings.ContainsAny(line, "\n\t\r") {
			t.Errorf("%+q is no fixed line", line)
		}
	})
}

func TestCutPartsJoinToTheText(t *testing.T) {
	whole := func(s string, step uint8) bool {
		limit := int(step)%40 + 1
		_, _, total := Cut(s, 0, limit)
		var all strings.Builder
		for offset, rounds := 0, 0; ; rounds++ {
			part, next, n := Cut(s, offset, limit)
			if n != total || utf8.RuneCountInString(part) > limit || rounds > total {
				return false
			}
			all.WriteString(part)
			if next == 0 {
				return all.String() == s
			}
			offset = next
		}
	}
	if err := quick.Check(whole, nil); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"", "a", "\xff\xfe broken \xe2\x82", strings.Repeat("word ", 100), strings.Repeat("ü\n", 100)} {
		for step := range uint8(40) {
			if !whole(s, step) {
				t.Errorf("%+q in parts of %d is not itself again", s, step+1)
			}
		}
	}
}

func TestCut(t *testing.T) {
	for name, c := range map[string]struct {
		s             string
		offset, limit int
		part          string
		next, total   int
	}{
		"at a line, rather than a word":  {"first line\nand more here", 0, 13, "first line\n", 11, 24},
		"at a word":                      {"one two three", 0, 9, "one two ", 8, 13},
		"in a word that is too long":     {"abcdefghij", 2, 4, "cdef", 6, 10},
		"counts characters":              {"äöü€", 1, 2, "öü", 3, 4},
		"the rest":                       {"abc", 1, 99, "bc", 0, 3},
		"past the end":                   {"abc", 3, 5, "", 0, 3},
		"far past the end":               {"abc", 1 << 40, 5, "", 0, 3},
		"before the start":               {"abc", -7, 2, "ab", 2, 3},
		"without a limit":                {"abc", 0, 0, "abc", 0, 3},
		"a limit that would overflow":    {"abc", 1, int(^uint(0) >> 1), "bc", 0, 3},
		"a line break far off is no end": {"a\nbcdefghijklmnop", 0, 10, "a\nbcdefghi", 10, 17},
	} {
		part, next, total := Cut(c.s, c.offset, c.limit)
		if part != c.part || next != c.next || total != c.total {
			t.Errorf("%s: got %q, %d, %d; want %q, %d, %d", name, part, next, total, c.part, c.next, c.total)
		}
	}
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("Grüße aus Köln, 東京 und می\u200Cخواهم 👩\u200D🚀.\n", 2000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Text(s)
	}
}

func TestFirstAndShortCountCharacters(t *testing.T) {
	for _, c := range []struct {
		s            string
		most         int
		first, short string
	}{
		{"", 0, "", ""},
		{"Ünïcödé", 7, "Ünïcödé", "Ünïcödé"},
		{"Ünïcödé", 4, "Ünïc", "Ünï…"},
		{"Lunch on Friday", 10, "Lunch on F", "Lunch on…"},
		{"\u202eLunch\r\n at noon", 8, "\u202eLunch\r\n", "Lunch a…"},
		{"\u200b\u200bLunch", 5, "\u200b\u200bLun", "Lunch"},
		{"a\xff\xffb", 3, "a\xff\xff", "a\uFFFDb"},
	} {
		if got := First(c.s, c.most); got != c.first {
			t.Errorf("first %d of %q: got %q, want %q", c.most, c.s, got, c.first)
		}
		if got := Short(c.s, c.most); got != c.short {
			t.Errorf("%q in %d: got %q, want %q", c.s, c.most, got, c.short)
		}
	}
}
