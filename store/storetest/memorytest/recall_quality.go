package memorytest

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

//go:embed testdata/recall
var sets embed.FS

// An evaluationMemory is one memory of an evaluation set. Each set describes an invented person.
type evaluationMemory struct {
	Key      string
	Value    json.RawMessage
	Category string
	Tags     []string
}

// A question is a query with the keys of all correct results.
type question struct {
	text string
	want []string
}

// evaluation reads a set, and returns its memories and its questions by kind. The set "life" was
// written before the ranking was tuned, and "work" afterwards, as a check with other content.
func evaluation(t testing.TB, set string) ([]evaluationMemory, map[string][]question) {
	t.Helper()
	memories, queries := []evaluationMemory{}, map[string][][]string{}
	for name, into := range map[string]any{"memories": &memories, "queries": &queries} {
		text, err := sets.ReadFile("testdata/recall/" + set + "/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%s/%s.json: %v", set, name, err)
		}
	}
	kinds := map[string][]question{}
	for kind, list := range queries {
		for _, q := range list {
			kinds[kind] = append(kinds[kind], question{q[0], q[1:]})
		}
	}
	return memories, kinds
}

func storeAll(t testing.TB, m storetest.Memories, memories []evaluationMemory) {
	t.Helper()
	entries := []store.Entry{}
	for _, k := range memories {
		entries = append(entries, store.Entry{Key: k.Key, Value: k.Value, Category: &k.Category, Tags: k.Tags})
	}
	if _, err := m.SetMany(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
}

// A quality measures the results of one search rule for one kind of query.
type quality struct {
	queries, first, five int
	reciprocal           float64
	high, highWrong      int
}

func (q *quality) add(found, want []string, high bool) {
	q.queries++
	at := slices.IndexFunc(found, func(key string) bool { return slices.Contains(want, key) })
	if at == 0 {
		q.first++
	}
	if at >= 0 && at < 5 {
		q.five++
	}
	if at >= 0 {
		q.reciprocal += 1 / float64(at+1)
	}
	if high {
		q.high++
		if at != 0 {
			q.highWrong++
		}
	}
}

func (q quality) share(n int) float64 { return float64(n) / float64(q.queries) }

// A minimum is the quality that the ranking must have at least.
type minimum struct {
	first, five float64 // share of queries with a correct result in first place, and among the first five
	highWrong   int     // maximum number of wrong results with high confidence
	high        float64 // share of queries with high confidence
}

var minimums = map[string]map[string]minimum{
	"life": {
		"abbreviation": {.94, 1, 0, .29},
		"casing":       {1, 1, 0, 1},
		"exact":        {1, 1, 0, 1},
		"fact":         {1, 1, 0, .95},
		"language":     {1, 1, 0, .91},
		"misspelt":     {1, 1, 0, .88},
		"near miss":    {0, 0, 0, 0},
		"question":     {.90, .97, 1, .65},
		"unanswerable": {0, 0, 0, 0},
		"words":        {1, 1, 0, .96},
	},
	"work": {
		"abbreviation": {.85, .85, 0, .57},
		"misspelt":     {1, 1, 0, 1},
		"near miss":    {0, 0, 0, 0},
		"question":     {.95, 1, 0, .45},
		"unanswerable": {0, 0, 0, 0},
	},
}

func recallAnswersLifeQuestions(t *testing.T, open storetest.Opener) {
	answersQuestions(t, open, "life")
}

func recallAnswersWorkQuestions(t *testing.T, open storetest.Opener) {
	answersQuestions(t, open, "work")
}

func answersQuestions(t *testing.T, open storetest.Opener, set string) {
	memories, kinds := evaluation(t, set)
	m := open(storetest.NewClock().Now).Memories("ann")
	storeAll(t, m, memories)
	t.Logf("%-13s %4s  %6s %6s %6s  %5s %6s  | %-13s | %s", "kind", "n", "hit@1", "rec@5", "MRR", "high", "wrong", "substring @1", "all words @1")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		got, substring, all := quality{}, quality{}, quality{}
		for _, q := range kinds[kind] {
			answer := recall(t, m, store.RecallQuery{Text: q.text, Limit: 8})
			found := hits(answer)
			got.add(found, q.want, answer.Confidence == store.ConfidenceHigh)
			substring.add(substringRule(memories, q.text), q.want, false)
			all.add(allWordsRule(memories, q.text), q.want, false)
			if len(q.want) > 0 && (len(found) == 0 || !slices.Contains(q.want, found[0])) {
				t.Logf("%s: %q (%s): %q", kind, q.text, answer.Confidence, found[:min(3, len(found))])
			}
		}
		got.check(t, kind, minimums[set][kind])
		t.Logf("%-13s %4d  %6.3f %6.3f %6.3f  %5d %6d  | %13.3f | %12.3f", kind, got.queries, got.share(got.first), got.share(got.five),
			got.reciprocal/float64(got.queries), got.high, got.highWrong, substring.share(substring.first), all.share(all.first))
	}
}

func lifeRankingIsUnchanged(t *testing.T, open storetest.Opener) { checkRanking(t, open, "life") }

func workRankingIsUnchanged(t *testing.T, open storetest.Opener) { checkRanking(t, open, "work") }

func checkRanking(t *testing.T, open storetest.Opener, set string) {
	file, err := sets.ReadFile("testdata/recall/" + set + "/ranking.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(file), "\n"), strings.Split(Ranking(t, open, set), "\n")); diff != "" {
		t.Error(diff)
	}
}

// RankingSets are the names of the sets for Ranking.
var RankingSets = slices.Sorted(maps.Keys(minimums))

// Ranking returns the results for the questions of a set, one line per question: the question,
// the confidence and the keys, best first. Every store must return what ranking.txt of that set
// contains.
func Ranking(t testing.TB, open storetest.Opener, set string) string {
	t.Helper()
	memories, kinds := evaluation(t, set)
	m := open(storetest.NewClock().Now).Memories("ann")
	storeAll(t, m, memories)
	lines := strings.Builder{}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, q := range kinds[kind] {
			answer := recall(t, m, store.RecallQuery{Text: q.text, Limit: 8})
			fmt.Fprintf(&lines, "%q is answered with %s confidence by %q\n", q.text, answer.Confidence, hits(answer))
		}
	}
	return lines.String()
}

func (q quality) check(t *testing.T, kind string, required minimum) {
	t.Helper()
	if got := q.share(q.first); got < required.first {
		t.Errorf("%s: hit@1 is %.3f, want %.3f", kind, got, required.first)
	}
	if got := q.share(q.five); got < required.five {
		t.Errorf("%s: recall@5 is %.3f, want %.3f", kind, got, required.five)
	}
	if got := q.share(q.high); got < required.high {
		t.Errorf("%s: the share of high confidence is %.3f, want %.3f", kind, got, required.high)
	}
	if q.highWrong > required.highWrong {
		t.Errorf("%s: %d wrong results have high confidence, want at most %d", kind, q.highWrong, required.highWrong)
	}
}

// substringRule searches like a simple memory server. It finds memories whose text contains the
// whole query.
func substringRule(memories []evaluationMemory, query string) []string {
	return rule(memories, func(text string) bool { return strings.Contains(text, strings.ToLower(query)) })
}

// allWordsRule searches like most servers with an index. It finds memories whose text contains
// every word of the query.
func allWordsRule(memories []evaluationMemory, query string) []string {
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return strings.ContainsRune(" ?.,'_-", r) })
	return rule(memories, func(text string) bool {
		for _, word := range words {
			if !strings.Contains(text, word) {
				return false
			}
		}
		return true
	})
}

func rule(memories []evaluationMemory, matches func(text string) bool) []string {
	found := []string{}
	for _, k := range memories {
		if matches(strings.ToLower(k.Key + " " + string(k.Value) + " " + k.Category + " " + strings.Join(k.Tags, " "))) {
			found = append(found, k.Key)
		}
	}
	return found
}
