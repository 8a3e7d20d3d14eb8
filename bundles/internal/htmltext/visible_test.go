package htmltext

import (
	"strings"
	"testing"
	"testing/quick"
	"unicode"
)

func TestVisibleMarksInvisibleCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"plain text\nof two lines ":        "plain text\nof two lines ",
		"a\tb\r\n":                         "a⟨tab⟩b⟨return⟩\n",
		"10\u00A0000\u202F€\u3000x\u2003y": "10⟨no-break space⟩000⟨U+202F⟩€⟨U+3000⟩x⟨U+2003⟩y",
		"a\uFE0Fb\uFE00c\u180Bd\u180F":     "a⟨U+FE0F⟩b⟨U+FE00⟩c⟨U+180B⟩d⟨U+180F⟩",
		"a\u2800b\u3164":                   "a⟨U+2800⟩b⟨U+3164⟩",
		"a\xff\xfe":                        "a⟨byte FF⟩⟨byte FE⟩",
		"a\uFFFDb":                         "a\uFFFDb",
		"⟨U+200B⟩":                         "⟨U+27E8⟩U+200B⟩",
		"\u202Egpj.exe":                    "⟨U+202E⟩gpj.exe",
		"\uE000\U000E0041":                 "⟨U+E000⟩⟨U+E0041⟩",
		"&#x200B; &nbsp;":                  "&#x200B; &nbsp;", // it stays as written
		"1\uFE0F2":                         "1⟨U+FE0F⟩2",
		"a\u200Db\u200C":                   "a⟨U+200D⟩b⟨U+200C⟩",

		// Characters that change a word or a picture stay, as in Text.
		"❤\uFE0F 1\uFE0F\u20E3 👩\u200D👧": "❤\uFE0F 1\uFE0F\u20E3 👩\u200D👧",
		"葛\U000E0100城":                   "葛\U000E0100城",
		"می\u200Cخواهم":                  "می\u200Cخواهم",
		"🏴" + flagTagSequences[0]:        "🏴" + flagTagSequences[0],
		"❤\u200B\uFE0F":                  "❤⟨U+200B⟩⟨U+FE0F⟩",
		"❤\uFE0F\uFE0F":                  "❤\uFE0F⟨U+FE0F⟩",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%+q) = %+q, want %+q", in, got, want)
		}
	}
	if got := VisibleLine("a\nb"); got != "a⟨newline⟩b" {
		t.Errorf("in a line it is %q", got)
	}
}

// lookAlikes are characters in which texts can differ although they look the same.
var lookAlikes = []string{"a", "b", " ", "\n", "\t", "\r", "\u00A0", "\u2800", "\u200B", "\u200D", "\uFE0F", "\uFE00", "\u180B", "\U000E0041",
	"\U000E0100", "❤", "葛", "1", "\u20E3", "م", "🏴", flagTagSequences[0], "⟨", "⟩", "U+200B", "tab", "byte FF", "\xff", "\xe2", "\uFFFD"}

// pickText returns a text of tricks.
func pickText(picks []byte) string {
	var b strings.Builder
	for _, pick := range picks {
		b.WriteString(lookAlikes[int(pick)%len(lookAlikes)])
	}
	return b.String()
}

// checkVisible checks the promises of Visible for two texts.
func checkVisible(t *testing.T, a, b string) {
	t.Helper()
	seen, other := Visible(a), Visible(b)
	if a != b && seen == other {
		t.Errorf("%+q and %+q are both shown as %q", a, b, seen)
	}
	if VisibleLine(a) == VisibleLine(b) && a != b {
		t.Errorf("%+q and %+q are both shown in a line as %q", a, b, VisibleLine(a))
	}
	if _, dropped := dropInvisible(seen); dropped != 0 {
		t.Errorf("%+q is shown as %+q, of which Text takes %d for hidden", a, seen, dropped)
	}
	for _, r := range seen {
		if r != ' ' && r != '\n' && unicode.IsSpace(r) {
			t.Errorf("%+q is shown with the blank %U", a, r)
		}
	}
}

func TestVisibleDiffersForDifferentTexts(t *testing.T) {
	check := func(a, b []byte) bool {
		checkVisible(t, pickText(a), pickText(b))
		if len(a) > 0 { // one character more, fewer or in another place
			checkVisible(t, pickText(a), pickText(a[1:]))
			checkVisible(t, pickText(a), pickText(append(a[1:len(a):len(a)], a[0])))
		}
		return !t.Failed()
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 3000}); err != nil {
		t.Error(err)
	}
	for r := range rune(unicode.MaxRune) {
		if around, without := Visible("a"+string(r)+"b"), Visible("ab"); around == without {
			t.Errorf("%U is not shown", r)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\uFE0Fb", "ab")
	f.Add("⟨U+200B⟩", "\u200B")
	f.Add("\xff", "⟨byte FF⟩")
	f.Fuzz(checkVisible)
}
