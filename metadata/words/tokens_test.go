package words

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitIdentifiersAndSentences(t *testing.T) {
	for text, want := range map[string]string{
		"memory_set":             "memory set",
		"list-events.all:x/y":    "list events all x y",
		"getHTTPStatus":          "gethttpstatus(get http status)",
		"GitHub":                 "github(git hub)",
		"OAUTH base64 v2":        "oauth base64 v2",
		"don't (the user’s)":     "dont the users",
		"Ärger über STRAẞE":      "arger uber strasse",
		"L'indirizzo, qu’il":     "l indirizzo qu il",
		"five o'clock, 'n'":      "five oclock n",
		"ﬁle ＡＢＣ":                "file abc",
		"予定表をshow":               "予定表を(予定 定表 表を) show",
		"メール":                    "メール(メー ール)",
		"हिन्दी":                 "हिन्दी",
		"a\x00b\xffc":            "a b c",
		"\u202e!? --":            "",
		strings.Repeat("a", 500): "",
	} {
		got := []string{}
		for _, tok := range Split(text, 0) {
			said := tok.Text
			if len(tok.Parts) > 0 {
				said += "(" + strings.Join(tok.Parts, " ") + ")"
			}
			got = append(got, said)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("tokenize(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSplitStopsAtMaximum(t *testing.T) {
	if got := len(Split(strings.Repeat("a b ", 100), 7)); got != 7 {
		t.Errorf("got %d tokens", got)
	}
}

func TestSplitCutsLongRunWithoutSpaces(t *testing.T) {
	run := strings.Repeat("予定表", 50)
	var all []string
	for _, tok := range Split(run, 0) {
		all = append(all, tok.Parts...)
	}
	if want := bigrams([]rune(run)); !slices.Equal(all, want) {
		t.Errorf("%d bigrams of a run of %d", len(all), len(want))
	}
}

func TestKeyIsEqualForAllSpellings(t *testing.T) {
	for _, name := range []string{"memory_set", "memorySet", "MEMORY-SET", "memory set", "memory.set", "memory:set", "`memory_set`()", "ｍemory＿set"} {
		if got := Key(name); got != "memoryset" {
			t.Errorf("nameKey(%q) = %q", name, got)
		}
	}
}
