package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/discovery"
)

// The queries in testdata/discovery were written from docs/reference/tools.md,
// without looking at the search or its phrases. tune.json may be read while the
// search is improved. held.json may not: nobody tunes on it, so its figures
// show how the search handles unseen queries. A wrong label is corrected in
// both; a query is never removed because it fails. KOTA_HELD=1 shows the
// failures in held.json and third.json.
//
// third.json was written from the README alone and labelled afterwards from
// the reference, when the search of KOTA's actions was complete. It does not
// cover every action.

// retrieval is the quality of the search, as shares.
type retrieval struct {
	recall     float64 // of the wanted actions, among the first five
	first      float64 // of the answerable queries, those whose first action is right
	abstention float64 // of the queries without a right answer, those answered with no action
	silence    float64 // of the answerable queries, those answered with no action
}

// queryFiles are the files in testdata/discovery that cover every action.
var queryFiles = []string{"tune.json", "held.json"}

// measuredFiles are all files in testdata/discovery.
var measuredFiles = append(slices.Clone(queryFiles), "third.json")

// retrievalMinimums are the minimum values. Silence is reported but has no gate:
// it is lost recall.
var retrievalMinimums = map[string]retrieval{
	"tune.json": {recall: 0.98, first: 0.93, abstention: 0.92},
	"held.json": {recall: 0.95, first: 0.90, abstention: 0.85},

	// The first measurement found 0.933, 0.857 and 0.934.
	"third.json": {recall: 0.91, first: 0.83, abstention: 0.90},
}

// minQueriesPerAction is the minimum number of queries per file that want each action.
const minQueriesPerAction = 2

// labelledQuery is a user's query and what a perfect assistant would choose.
type labelledQuery struct {
	Query string
	Want  []string // both are needed if there are two; empty if nothing here can do it
	Also  []string // equally good as the first result
}

func TestDiscoveryFindsWhatPeopleAskFor(t *testing.T) {
	router := labelledRouter(t)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "file\tqueries\tRecall@5\thit@1\tabstention\tfalse abstentions")
	for _, file := range measuredFiles {
		queries := labelledQueries(t, file)
		got, failures := measure(t, router, queries)
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\n", file, len(queries), got.recall, got.first, got.abstention, got.silence)
		least := retrievalMinimums[file]
		if got.recall < least.recall || got.first < least.first || got.abstention < least.abstention {
			t.Errorf("%s: %+v, want at least %+v", file, got, least)
		}
		if file == "tune.json" || os.Getenv("KOTA_HELD") == "1" {
			t.Logf("%s: %d are not as wanted\n%s", file, len(failures), strings.Join(failures, "\n"))
		}
	}
	w.Flush()
	t.Logf("retrieval\n%s", table.String())
}

// retrievalTargets are the values that the search should reach in each file.
var retrievalTargets = retrieval{recall: 0.97, first: 0.85, abstention: 0.8}

// retrievalTable returns the table about these files in
// docs/explanation/disclosure.md.
func retrievalTable(t *testing.T) string {
	aims := retrievalTargets
	table := fmt.Sprintf("\n| queries | Recall@5 (≥ %.2f) | first is right (≥ %.2f) | silent where nothing fits (≥ %.1f) | silent where something does |\n| --- | --- | --- | --- | --- |\n",
		aims.recall, aims.first, aims.abstention)
	judged := func(got, aim float64) string {
		if got < aim {
			return fmt.Sprintf("%.3f, MISSED", got)
		}
		return fmt.Sprintf("%.3f", got)
	}
	router := labelledRouter(t)
	for _, file := range measuredFiles {
		queries := labelledQueries(t, file)
		got, _ := measure(t, router, queries)
		table += fmt.Sprintf("| `%s`, %d | %s | %s | %s | %.3f |\n", file, len(queries),
			judged(got.recall, aims.recall), judged(got.first, aims.first), judged(got.abstention, aims.abstention), got.silence)
	}
	return table + "\n"
}

// measure runs each query on the router. A failure is a query without its
// complete wanted answer.
func measure(t *testing.T, router *entrypoint.Router, queries []labelledQuery) (got retrieval, failures []string) {
	t.Helper()
	answerable, unanswerable := 0.0, 0.0
	for _, q := range queries {
		found := discoverFive(t, router, q.Query)
		hit, recall := q.judge(found)
		if !hit || recall < 1 {
			failures = append(failures, fmt.Sprintf("%q: found %v, want %v", q.Query, found, q.Want))
		}
		if len(q.Want) == 0 {
			unanswerable++
			got.abstention += recall
			continue
		}
		answerable++
		got.recall += recall
		if hit {
			got.first++
		}
		if len(found) == 0 {
			got.silence++
		}
	}
	got.recall /= answerable
	got.first /= answerable
	got.silence /= answerable
	got.abstention /= unanswerable
	return got, failures
}

// judge reports whether the first found action is right, and the share of
// wanted actions that were found. If nothing is wanted, finding nothing is
// right.
func (q labelledQuery) judge(found []string) (hit bool, recall float64) {
	if len(q.Want) == 0 {
		if len(found) == 0 {
			return true, 1
		}
		return false, 0
	}
	for _, tool := range q.Want {
		if slices.Contains(found, tool) {
			recall++
		}
	}
	hit = len(found) > 0 && (slices.Contains(q.Want, found[0]) || slices.Contains(q.Also, found[0]))
	return hit, recall / float64(len(q.Want))
}

// labelledBundles returns the bundles with queries. A new bundle is absent
// until it has queries.
func labelledBundles(t *testing.T) map[string]bool {
	t.Helper()
	labelled := map[string]bool{}
	for _, file := range queryFiles {
		for _, q := range labelledQueries(t, file) {
			for _, tool := range q.Want {
				labelled[bundleOf(tool)] = true
			}
		}
	}
	return labelled
}

func bundleOf(tool string) string {
	key, _, _ := strings.Cut(tool, "_")
	return key
}

func TestLabelledQueriesCoverEveryAction(t *testing.T) {
	labelled := labelledBundles(t)
	tools := map[string]bool{}
	for _, b := range app.KnownBundles((&app.App{}).Bundles()) {
		for _, tool := range b.Tools {
			tools[tool] = true
		}
	}
	files, total := map[string]string{}, 0
	for _, file := range queryFiles {
		queries := labelledQueries(t, file)
		total += len(queries)
		wanted, of := map[string]int{}, [3]int{}
		for _, q := range queries {
			words := strings.Join(strings.Fields(strings.ToLower(q.Query)), " ")
			if other, twice := files[words]; words == "" || twice {
				t.Errorf("%s: %q is empty, or in %q too", file, q.Query, other)
			}
			files[words] = file
			if len(q.Want) > 2 || len(q.Want) == 0 && len(q.Also) > 0 {
				t.Fatalf("%s: %q wants %v, or else %v", file, q.Query, q.Want, q.Also)
			}
			of[len(q.Want)]++
			labels := slices.Concat(q.Want, q.Also)
			for i, tool := range labels {
				if !tools[tool] || slices.Contains(labels[:i], tool) {
					t.Errorf("%s: %q: there is no %s, or it is named twice", file, q.Query, tool)
				}
			}
			for _, tool := range q.Want {
				wanted[tool]++
			}
		}
		for tool := range tools {
			if labelled[bundleOf(tool)] && wanted[tool] < minQueriesPerAction {
				t.Errorf("%s: %s is wanted %d times, want at least %d", file, tool, wanted[tool], minQueriesPerAction)
			}
		}
		n := float64(len(queries))
		if none, two := float64(of[0])/n, float64(of[2])/n; none < 0.13 || two < 0.18 {
			t.Errorf("%s: %.3f have no answer and %.3f need two actions, want 0.13 and 0.18", file, none, two)
		}
	}
	if total < 300 {
		t.Errorf("%d queries, want at least 300", total)
	}
}

// labelledRouter returns the router of the program with the labelled bundles
// enabled.
func labelledRouter(t *testing.T) *entrypoint.Router {
	t.Helper()
	labelled := labelledBundles(t)
	return routerIn(t, newHomeWithConfig(t, bundleSwitches(func(key string) bool { return labelled[key] })))
}

// everyBundleRouter returns the router of the program with all bundles enabled.
func everyBundleRouter(t *testing.T) *entrypoint.Router {
	t.Helper()
	return routerIn(t, newHomeWithConfig(t, bundleSwitches(func(string) bool { return true })))
}

// bundleSwitches returns the setting of bundles.yaml that enables the bundles for
// which on is true and disables all others.
func bundleSwitches(on func(key string) bool) string {
	var all []string
	for _, b := range app.KnownBundles((&app.App{}).Bundles()) {
		all = append(all, fmt.Sprintf("%s: {enabled: %t}", b.Key, on(b.Key)))
	}
	return "bundles: {" + strings.Join(all, ", ") + "}\n"
}

// routerIn returns the router of the program in that home.
func routerIn(t *testing.T, home string) *entrypoint.Router {
	t.Helper()
	a := &app.App{Env: environment(t, map[string]string{"KOTA_HOME": home}), Terminal: term.Terminal{Stdout: io.Discard, Stderr: io.Discard}}
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// discoverFive returns the actions that kota_discover_bundles finds for a query.
func discoverFive(t *testing.T, router *entrypoint.Router, query string) []string {
	t.Helper()
	args, err := json.Marshal(object{"query": query, "limit": 5})
	if err != nil {
		t.Fatal(err)
	}
	out, err := router.Call(t.Context(), "kota_discover_bundles", args)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	var found []string
	for _, action := range out.(discovery.Findings).Actions {
		found = append(found, action.Tool)
	}
	return found
}

func labelledQueries(t *testing.T, file string) []labelledQuery {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "discovery", file))
	if err != nil {
		t.Fatal(err)
	}
	var queries []labelledQuery
	if err := json.Unmarshal(raw, &queries); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return queries
}
