package memorytest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// The questions of these sets use other words than the memories that answer them. Each set has
// two files about different people: the ranking is tuned with "tune" and checked with "held".
// Only the totals of "held" are logged, so that nobody tunes the ranking to its questions.

// A paraphraseSet is one file of memories with the questions about them.
type paraphraseSet struct {
	memories []evaluationMemory
	kinds    map[string][]question
}

// A floor is what a set must reach at least.
type floor struct {
	first, five float64 // share of questions with a correct result first; mean share of the correct results in the first five
	highWrong   int     // maximum number of wrong results with high confidence
}

var paraphraseFloors = map[string]floor{
	"sessions tune":  {.45, .72, 4},
	"sessions held":  {.50, .78, 2},
	"facts tune":     {.45, .70, 1},
	"facts held":     {.58, .74, 1},
	"household tune": {.84, .93, 1},
	"household held": {.75, .89, 0},
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
	for _, file := range []string{"tune", "held"} {
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

// conversations reads pairs of people who talk with each other. If whole is true, each memory is
// one session: all its turns. If not, each memory is one fact.
//
// In the file, a pair begins with "@ Ann Bob" and a session with "# 2025-09-06". "A text" is a
// turn of Ann and "- text" a fact. "? 1,2 KIND question" asks for the facts 1 and 2 of the
// session, and "? 09-06.1,10-02.3 KIND question" for facts of several sessions.
func conversations(t *testing.T, file string, whole bool) paraphraseSet {
	set := paraphraseSet{kinds: map[string][]question{}}
	pair, names, date, fact := "", map[string]string{}, "", 0
	keys := map[string]string{} // by pair, month, day and number of the fact
	for line := range strings.Lines(readSet(t, "conversations/"+file)) {
		mark, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch mark {
		case "@":
			pair = strings.ToLower(strings.ReplaceAll(text, " ", "_"))
			for name := range strings.FieldsSeq(text) {
				names[name[:1]] = name
			}
		case "#":
			date, fact = text, 0
			if whole {
				day, err := time.Parse(time.DateOnly, date)
				if err != nil {
					t.Fatal(err)
				}
				set.add("session_"+pair+"_"+date, "Conversation on "+day.Format("2 January 2006"))
			}
		case "-":
			fact++
			key := pair + "_" + date + "_" + fmt.Sprint(fact)
			if whole {
				key = "session_" + pair + "_" + date
			} else {
				set.add(key, text)
			}
			keys[pair+date[5:]+"."+fmt.Sprint(fact)] = key
		case "?":
			refs, rest, _ := strings.Cut(text, " ")
			kind, ask, _ := strings.Cut(rest, " ")
			q := question{text: ask}
			for ref := range strings.SplitSeq(refs, ",") {
				if !strings.Contains(ref, ".") {
					ref = date[5:] + "." + ref
				}
				key := keys[pair+ref]
				if key == "" {
					t.Fatalf("%s: %q asks for a fact that is not there", file, line)
				}
				if !slices.Contains(q.want, key) {
					q.want = append(q.want, key)
				}
			}
			set.kinds[kind] = append(set.kinds[kind], q)
		default:
			if whole {
				last := &set.memories[len(set.memories)-1]
				last.Value = json.RawMessage(strings.TrimSuffix(string(last.Value), `"`) + `\n` + strings.TrimPrefix(string(store.EncodeJSON(names[mark]+": "+text)), `"`))
			}
		}
	}
	return set
}

// household reads "key | value | tags" and "? key language question". The key "-" means that no
// memory answers.
func household(t *testing.T, file string) paraphraseSet {
	set := paraphraseSet{kinds: map[string][]question{}}
	for line := range strings.Lines(readSet(t, "household/"+file)) {
		if ask, isQuestion := strings.CutPrefix(strings.TrimSpace(line), "? "); isQuestion {
			part := strings.SplitN(ask, " ", 3)
			q := question{text: part[2]}
			if part[0] != "-" {
				q.want = []string{part[0]}
				if !slices.ContainsFunc(set.memories, func(k evaluationMemory) bool { return k.Key == part[0] }) {
					t.Fatalf("%s: no memory %q", file, part[0])
				}
			}
			set.kinds[part[1]] = append(set.kinds[part[1]], q)
			continue
		}
		part := strings.Split(strings.TrimSpace(line), " | ")
		set.add(part[0], part[1])
		set.memories[len(set.memories)-1].Tags = strings.Split(part[2], ",")
	}
	return set
}

func (s *paraphraseSet) add(key, value string) {
	s.memories = append(s.memories, evaluationMemory{Key: key, Value: store.EncodeJSON(value)})
}

func readSet(t *testing.T, name string) string {
	t.Helper()
	text, err := sets.ReadFile("testdata/recall/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
