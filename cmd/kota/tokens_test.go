package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/tiktoken-go/tokenizer/codec"
)

// budgets are the most o200k tokens that a model may have to read.
const (
	kotaToolsBudget     = 1000
	memoryToolsBudget   = 2200
	gmailToolsBudget    = 5000
	calendarToolsBudget = 4500
	dailyToolsBudget    = 2500
	discoverBudget      = 400
)

// askedFor are searches of kota_discover_bundles; the dearest answer counts.
var askedFor = []string{
	"remember a preference", "what did I tell you about Anna", "forget everything about my old job", "undo my last change",
	"which categories are there", "search memories by tag", "list what I saved last week", "add a phone number to a contact",
	"store a value under a key", "show the history of a memory",
}

// A tool counts as it stands in tools/list, annotations included: more than
// any model is shown of it.
func TestDisclosureKeepsToItsBudgets(t *testing.T) {
	p := serveIn(t, t.TempDir())
	for i, query := range askedFor {
		p.send(toolCall(i, "kota_discover_bundles", object{"query": query, "limit": 5}))
	}
	answers := p.end()

	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	count := tokenCounter(t)
	var tools struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(listed(t, everythingOn), &tools); err != nil {
		t.Fatal(err)
	}
	spent := map[string]int{}
	for _, raw := range tools.Tools {
		var named tool
		if err := json.Unmarshal(raw, &named); err != nil {
			t.Fatal(err)
		}
		bundle, _, _ := strings.Cut(named.Name, "_")
		n := count(string(raw))
		spent[bundle] += n
		fmt.Fprintf(w, "%s\t%d\n", named.Name, n)
	}
	dearest := 0
	for i, query := range askedFor {
		result := answers[float64(i)].call(t)
		var found struct{ Actions []object }
		if err := json.Unmarshal(result.StructuredContent, &found); err != nil || len(found.Actions) == 0 {
			t.Errorf("%q: found nothing (%v)", query, err)
		}
		n := count(result.text())
		dearest = max(dearest, n)
		fmt.Fprintf(w, "discover %q, %d actions\t%d\n", query, len(found.Actions), n)
	}
	for _, sum := range []struct {
		of          string
		spent, most int
	}{
		{"the kota tools", spent["kota"], kotaToolsBudget},
		{"the memory tools", spent["memory"], memoryToolsBudget},
		{"the gmail tools", spent["gmail"], gmailToolsBudget},
		{"the calendar tools", spent["calendar"], calendarToolsBudget},
		{"the daily tools", spent["daily"], dailyToolsBudget},
		{"the dearest discover answer", dearest, discoverBudget},
	} {
		fmt.Fprintf(w, "%s\t%d\tof at most %d\n", sum.of, sum.spent, sum.most)
		if sum.spent == 0 || sum.spent > sum.most {
			t.Errorf("%s: %d tokens, want 1 to %d", sum.of, sum.spent, sum.most)
		}
	}
	w.Flush()
	t.Logf("o200k tokens\n%s", table.String())
}

func tokenCounter(t *testing.T) func(string) int {
	encoding := codec.NewO200kBase()
	return func(text string) int {
		n, err := encoding.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}
