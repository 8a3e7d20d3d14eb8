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
			if match.certain || match.close || match.quality >= synonymQuality {
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
