package search

import "testing"

func TestMeaningFindsNearWords(t *testing.T) {
	for _, c := range []struct {
		asked, term string
		want        bool
	}{
		{"cake", "bread", true},
		{"instrument", "piano", true},
		{"cake", "piano", false},
		{"the", "bread", false},
		{"name", "surname", false}, // generic
		{"qwertzuiop", "bread", false},
		{"", "bread", false},
		{"an", "on", false},
	} {
		near := newMeaning([]queryTerm{{word: c.asked, weight: 1}}).matches(c.term)
		if len(near) > 0 != c.want {
			t.Errorf("%q matches %q: %+v", c.term, c.asked, near)
		}
		for _, match := range near {
			if match.certain || match.significant || match.quality >= synonymQuality {
				t.Errorf("%q is more than near %q: %+v", c.term, c.asked, match)
			}
		}
	}
	if near := newMeaning([]queryTerm{{word: "anna", capital: true, weight: 1}}).matches("maria"); near != nil {
		t.Errorf("a name is near another one: %+v", near)
	}
}

// Equal texts must keep the order that their words, age and use give.
func TestMeaningKeepsTheOrderOfEqualTexts(t *testing.T) {
	found := []*Candidate{}
	for i, score := range []float64{.9, .7, .7, .5, 0} {
		found = append(found, &Candidate{ID: int64(i), Score: score, Indexed: IndexedDocument{Body: "bread and butter"}})
	}
	newMeaning([]queryTerm{{word: "cake", weight: 1}}).add(found)
	for i, c := range found[1:] {
		if before := found[i].Score; c.Score > before || before > 1 {
			t.Errorf("candidate %d has the score %v after %v", c.ID, c.Score, before)
		}
	}
	if last := found[4].Score; last != 0 {
		t.Errorf("meaning alone found a candidate, with the score %v", last)
	}
}

// The score of a partial match does not depend on whether something else was found.
func TestMeaningDoesNotLowerALoneMatch(t *testing.T) {
	score := func(bodies ...string) float64 {
		found := []*Candidate{}
		for _, body := range bodies {
			found = append(found, &Candidate{Score: .5, Indexed: IndexedDocument{Body: body}})
		}
		newMeaning([]queryTerm{{word: "cake", weight: 1}, {word: "bakery", weight: 1}}).add(found)
		return found[0].Score
	}
	const match = "bread and butter"
	alone, two, many := score(match), score(match, "the piano teacher"), score(match, "the piano teacher", "a train to paris", "the tax return")
	if alone != two || alone < .5*(1-meaningShare)+.2*meaningShare || alone < many-.05 {
		t.Errorf("alone it has %.3f, with another text %.3f, with three %.3f", alone, two, many)
	}
}
