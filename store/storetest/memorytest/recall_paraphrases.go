package memorytest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"kota/store"
	"kota/store/faulttest"
	"kota/store/storetest"
)

// The questions of these sets use other words than the memories that answer them. Each set has
// two files about different people: the ranking is tuned with "tune" and checked with "held".
// Only the totals of "held" are logged, so that nobody tunes the ranking to its questions.

// A floor is what a set must reach at least.
type floor struct {
	first, five float64 // share of questions with a correct result first; mean share of the correct results in the first five
	highWrong   int     // maximum number of wrong results with high confidence
}

var paraphraseFloors = map[string]floor{
	"sessions tune":  {.46, .73, 4},
	"sessions held":  {.51, .80, 2},
	"facts tune":     {.50, .77, 1},
	"facts held":     {.60, .80, 1},
	"household tune": {.87, .95, 1},
	"household held": {.78, .89, 0},
}

func recallFindsSessionsOfConversations(t *testing.T, open storetest.Opener) {
	checkParaphrases(t, open, "sessions", func(file string) paraphraseSet { return conversations(t, file, true) })
}

func recallFindsFactsOfConversations(t *testing.T, open storetest.Opener) {
	checkParaphrases(t, open, "facts", func(file string) paraphraseSet { return conversations(t, file, false) })
}

func recallFindsHouseholdMemories(t *testing.T, open storetest.Opener) {
	checkParaphrases(t, open, "household", func(file string) paraphraseSet { return household(t, file) })
}

func checkParaphrases(t *testing.T, open storetest.Opener, name string, read func(file string) paraphraseSet) {
	t.Logf("%-15s %-9s %4s %6s %6s %6s %5s %6s | BM25: %5s %6s %6s", "set", "kind", "n", "hit@1", "rec@5", "MRR", "high", "wrong", "hit@1", "rec@5", "MRR")
	files := []string{"tune", "held"}
	if name == "sessions" { // its memories are long
		files = files[len(files)-faulttest.Sample(t, 1, 2):]
	}
	for _, file := range files {
		set := read(file)
		m := open(storetest.NewClock().Now).Memories(name + " " + file)
		storeAll(t, m, set.memories)
		plain := newPlainBM25(set.memories)
		all, allPlain := tally{}, tally{}
		log := func(kind string, ours, theirs tally) {
			t.Logf("%-15s %-9s %s | %s", name+" "+file, kind, ours, theirs)
		}
		for _, kind := range slices.Sorted(maps.Keys(set.kinds)) {
			ours, theirs := tally{}, tally{}
			for _, q := range set.kinds[kind] {
				answer := recall(t, m, store.RecallQuery{Text: q.text, Limit: 8})
				found := hits(answer)
				ours.add(found, q.want, answer.Confidence)
				theirs.add(plain.rank(q.text), q.want, store.ConfidenceLow)
				if missed := ours.missed(found, q.want); missed && file == "tune" {
					t.Logf("%s: %q (%s, want %q): %q", kind, q.text, answer.Confidence, q.want, found)
				}
			}
			if file == "tune" {
				log(kind, ours, theirs)
			}
			all.merge(ours)
			allPlain.merge(theirs)
		}
		log("all", all, allPlain)
		want := paraphraseFloors[name+" "+file]
		if all.first < want.first*all.answerable || all.five < want.five*all.answerable || all.highWrong > want.highWrong {
			t.Errorf("%s %s: %s, want at least %+v", name, file, all, want)
		}
	}
}

// A tally adds up the results for questions. A question without a correct result counts only for
// the confidence.
type tally struct {
	answerable, first, five, reciprocal float64
	high, highWrong                     int
}

func (a *tally) add(found, want []string, confidence store.Confidence) {
	at := slices.IndexFunc(found, func(key string) bool { return slices.Contains(want, key) })
	if len(want) > 0 {
		a.answerable++
		for _, key := range found[:min(5, len(found))] {
			if slices.Contains(want, key) {
				a.five += 1 / float64(len(want))
			}
		}
	}
	if at == 0 {
		a.first++
	}
	if at >= 0 {
		a.reciprocal += 1 / float64(at+1)
	}
	if confidence == store.ConfidenceHigh {
		a.high++
		if at != 0 {
			a.highWrong++
		}
	}
}

func (a tally) missed(found, want []string) bool {
	return len(want) > 0 && (len(found) == 0 || !slices.Contains(want, found[0]))
}

func (a *tally) merge(b tally) {
	*a = tally{a.answerable + b.answerable, a.first + b.first, a.five + b.five, a.reciprocal + b.reciprocal, a.high + b.high, a.highWrong + b.highWrong}
}

func (a tally) String() string {
	n := max(a.answerable, 1)
	return fmt.Sprintf("%4.0f %6.3f %6.3f %6.3f %5d %6d", a.answerable, a.first/n, a.five/n, a.reciprocal/n, a.high, a.highWrong)
}
