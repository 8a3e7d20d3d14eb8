package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/tiktoken-go/tokenizer/codec"

	"kota/cmd/kota/internal/costs"
	"kota/entrypoint/mcpserver"
	"kota/metadata"
)

// budgets are the maximum o200k tokens that a model may have to read.
const (
	kotaToolsBudget     = 1000
	memoryToolsBudget   = 2200
	gmailToolsBudget    = 5000
	calendarToolsBudget = 4500
	dailyToolsBudget    = 2500
	contactsToolsBudget = 1800
	discoverBudget      = 400
)

// discoverQueries are searches of kota_discover_bundles; the largest answer counts.
var discoverQueries = []string{
	"remember a preference", "what did I tell you about Anna", "forget everything about my old job", "undo my last change",
	"which categories are there", "search memories by tag", "list what I saved last week", "add a phone number to a contact",
	"store a value under a key", "show the history of a memory",
	"find the mails from Anna about the invoice", "send an email to my boss", "reply to that message", "archive the newsletters", "save the attachment as a file",
	"set an out of office reply", "forward this to accounting", "which mails wait for an answer", "unsubscribe from this list",
	"book lunch with Tom on Friday at noon", "when am I free next week", "move the dentist to Monday", "decline the invitation",
	"what is on my calendar today", "cancel the standup", "which of us is busy on Tuesday",
	"log that I slept badly", "plan my day", "how was my week", "remind me to call mum", "find the invoice and put its due date in my calendar",
}

// A tool counts as in tools/list, with annotations: more than any model is
// shown of it.
func TestDisclosureStaysWithinBudgets(t *testing.T) {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	count := tokenCounter(t)
	var tools struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(toolsListOf(t, exposeAll()), &tools); err != nil {
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
	for _, config := range []string{"{}", exposeAll()} {
		for query, answer := range discoverAnswers(t, config) {
			n := count(answer)
			dearest = max(dearest, n)
			fmt.Fprintf(w, "discover %q\t%d\n", query, n)
		}
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
		{"the contacts tools", spent["contacts"], contactsToolsBudget},
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

// discoverAnswers asks a server with that bundles.yaml and returns its answers.
func discoverAnswers(t *testing.T, config string) map[string]string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(config))
	p := serveIn(t, home)
	for i, query := range discoverQueries {
		p.send(toolCall(i, "kota_discover_bundles", object{"query": query, "limit": 5}))
	}
	answers, texts := p.end(), map[string]string{}
	for i, query := range discoverQueries {
		texts[query] = answers[float64(i)].call(t).text()
	}
	return texts
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

// The promise of `kota tokens`, for each whole listing.
func TestTokenEstimateIsWithinAQuarterOfO200k(t *testing.T) {
	count := tokenCounter(t)
	for mode, config := range listings() {
		text := string(toolsListOf(t, config))
		if off := float64(metadata.Tokens(text)) / float64(count(text)); off < .75 || off > 1.25 {
			t.Errorf("%s: the estimate is %.2f of what o200k counts", mode, off)
		} else {
			t.Logf("%s: the estimate is %.2f of what o200k counts", mode, off)
		}
	}
}

func TestTokensCommandPricesEachMode(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte("expose: core\n"+allBundlesOn()))
	var report costs.TokenReport
	if err := json.Unmarshal([]byte(kotaOutput(t, home, "tokens", "--json")), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Modes) != 4 || len(report.Bundles) < 5 || len(report.Tools) < 50 {
		t.Fatalf("%d modes, %d bundles, %d tools: want 4, at least 5 and all", len(report.Modes), len(report.Bundles), len(report.Tools))
	}
	for i, m := range report.Modes {
		text := string(toolsListOf(t, listings()[string(m.Expose)]))
		if near := float64(m.Tokens) / float64(metadata.Tokens(text)); near < .97 || near > 1.03 {
			t.Errorf("%s is priced at %d tokens, and tools/list takes %d", m.Expose, m.Tokens, metadata.Tokens(text))
		}
		if m.Current != (m.Expose == mcpserver.ExposeCore) {
			t.Errorf("%s: current is %t under expose: core", m.Expose, m.Current)
		}
		if i > 0 && (m.Saved <= 0 || m.BreakEvenSearches != m.Saved/report.Turn.Find || m.BreakEvenDescribed >= m.BreakEvenSearches || m.BreakEvenDescribed < 1) {
			t.Errorf("%+v at %+v a turn", m, report.Turn)
		}
	}
	listed := 0
	for _, b := range report.Bundles {
		listed += b.Listed
	}
	if all := report.Modes[0]; all.Tokens != listed || all.Saved != 0 || all.BreakEvenSearches != 0 {
		t.Errorf("all: got %+v, and its bundles take %d", all, listed)
	}
}

// kotaOutput returns what the program prints on that home; it must succeed.
func kotaOutput(t *testing.T, home string, args ...string) string {
	t.Helper()
	env := map[string]string{"KOTA_HOME": home, "KOTA_NOW": testTime}
	var out, stderr bytes.Buffer
	if err := run(t.Context(), args, func(name string) string { return env[name] }, strings.NewReader(""), &out, &stderr); err != nil {
		t.Fatalf("kota %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out.String()
}
