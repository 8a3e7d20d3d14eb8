package search

import (
	"strings"
	"testing"
)

func TestANumberIsReadAsTheGroupsOfDigitsThatTheIndexHas(t *testing.T) {
	byStem := map[string][]Term{}
	for group := range strings.FieldsSeq("555 0199 06 12 34 56 78 1999") {
		byStem[Stem(group)] = []Term{{Text: group, Docs: 1}}
	}
	for number, want := range map[string]string{
		"":                      "",
		"99999":                 "", // too short to be split
		"555019":                "555019",
		"5550199":               "555 0199",
		"0612345678":            "06 12 34 56 78",
		"061234567":             "061234567",
		strings.Repeat("06", 9): strings.TrimSpace(strings.Repeat("06 ", 9)),
	} {
		if len(number) < minWholeNumber {
			if groups := numberGroups(number); groups != nil {
				t.Errorf("%q may be %v, want no groups", number, groups)
			}
			continue
		}
		got := []string{}
		for _, w := range splitNumbers([]queryTerm{{word: number}}, byStem) {
			got = append(got, w.word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is read as %v, want %s", number, got, want)
		}
	}
}
