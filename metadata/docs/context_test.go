package docs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/metadata"
)

// sampleCatalogue returns a catalogue of 6 bundles with 4 actions each, of growing length.
func sampleCatalogue(t *testing.T) []metadata.Bundle {
	t.Helper()
	type in struct {
		Room  string `json:"room" doc:"which room: \"kitchen\""`
		Level int    `json:"level,omitempty" default:"5" min:"0" max:"10"`
	}
	input, err := metadata.Infer[in]()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]metadata.Bundle, 6)
	for i := range all {
		b := metadata.Bundle{
			Key: fmt.Sprintf("floor%d", i), Name: fmt.Sprintf("Floor %d", i), Description: "Lamps and <doors> of a floor",
			Category: metadata.Core, Tags: []string{"home"}, Enabled: true,
		}
		for j := range 4 {
			name := fmt.Sprintf("dim%d", j)
			b.Actions = append(b.Actions, metadata.Action{
				Name: name, Tool: b.Key + "_" + name, Summary: "Dim a lamp.", Description: strings.Repeat("It is done slowly. ", i),
				Effect: metadata.Writes, Input: input,
				Examples: []metadata.Example{{Title: "The kitchen", Args: in{Room: "kitchen", Level: 3}}},
			})
		}
		all[i] = b
	}
	return all
}

func TestContextKeepsItsBudget(t *testing.T) {
	all := sampleCatalogue(t)
	least, most := metadata.Tokens(Context(all, 1)), metadata.Tokens(Context(all, 0))
	if least*4 > most {
		t.Fatalf("the whole takes %d tokens and the least %d: too near for a test", most, least)
	}
	for budget := least; budget <= most+100; budget += 37 {
		text := Context(all, budget)
		if got := metadata.Tokens(text); got > budget {
			t.Errorf("budget %d: %d tokens", budget, got)
		}
		for _, b := range all {
			if !strings.Contains(text, "`"+b.Key+"`") && !strings.Contains(text, "**"+b.Key+"**") {
				t.Errorf("budget %d: %s is not named", budget, b.Key)
			}
		}
	}
	if Context(all, most) != Context(all, 0) {
		t.Error("a budget that is large enough cuts something")
	}
}

func TestContextJSONKeepsItsBudget(t *testing.T) {
	all := sampleCatalogue(t)
	size := func(budget int) int { return metadata.Tokens(metadata.Compact(ContextJSON(all, budget))) }
	least, most := size(1), size(0)
	for budget := least; budget <= most+100; budget += 37 {
		if got := size(budget); got > budget {
			t.Errorf("budget %d: %d tokens", budget, got)
		}
	}
	if metadata.Compact(ContextJSON(all, most)) != metadata.Compact(ContextJSON(all, 0)) {
		t.Error("a budget that is large enough cuts something")
	}
}

func TestContextGrowsWithBudget(t *testing.T) {
	all := sampleCatalogue(t)
	least, most := metadata.Tokens(Context(all, 1)), metadata.Tokens(Context(all, 0))
	signatures := func(budget int) int { return strings.Count(Context(all, budget), "dim0(room*:str, level:int=5)") }
	if got := signatures(least); got != 0 {
		t.Errorf("%d signatures in the least", got)
	}
	if got := signatures(most); got != len(all) {
		t.Errorf("%d signatures in the whole, want %d", got, len(all))
	}
	middle := Context(all, most/2)
	if !strings.Contains(middle, "\n### floor0_dim0\n") || strings.Contains(middle, "\n### floor5_dim0\n") {
		t.Errorf("half the room does not show the first in full and the last in short:\n%s", middle)
	}
}

func TestContextHasEveryBundle(t *testing.T) {
	all := sampleCatalogue(t)
	for _, budget := range []int{1, 2, 50} {
		text := Context(all, budget)
		if got := strings.Count(text, "\n- **floor"); got != len(all) {
			t.Errorf("budget %d: %d bundles named, want %d", budget, got, len(all))
		}
	}
}

func TestContextWithoutBundlesSaysHowToCall(t *testing.T) {
	for _, budget := range []int{0, 1, 1000} {
		if got := Context(nil, budget); got != contextHead {
			t.Errorf("budget %d: got %q", budget, got)
		}
		if got := metadata.Compact(ContextJSON(nil, budget)); got != `{"bundles":[]}` {
			t.Errorf("budget %d: got %s", budget, got)
		}
	}
}

func TestContextHasNoEmptyBlocks(t *testing.T) {
	all := sampleCatalogue(t)
	for budget := range 60 {
		text := Context(all, budget*50)
		if strings.Contains(text, "\n\n\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("budget %d: empty lines in a row or at the end:\n%s", budget*50, text)
		}
	}
}

func TestContextIsDeterministic(t *testing.T) {
	for _, budget := range []int{0, 1, 300, 900} {
		text, object := Context(sampleCatalogue(t), budget), metadata.Compact(ContextJSON(sampleCatalogue(t), budget))
		for range 5 {
			if Context(sampleCatalogue(t), budget) != text || metadata.Compact(ContextJSON(sampleCatalogue(t), budget)) != object {
				t.Fatalf("budget %d: two answers differ", budget)
			}
		}
	}
}

// The three forms of a bundle in JSON, as a program would read them.
func TestContextJSONNamesActionsInEveryForm(t *testing.T) {
	all := sampleCatalogue(t)
	type action struct {
		Tool      string          `json:"tool_name"`
		Signature string          `json:"signature"`
		Summary   string          `json:"summary"`
		Input     json.RawMessage `json:"inputSchema"`
	}
	var names struct {
		Bundles []struct {
			Key     string   `json:"key"`
			Actions []string `json:"actions"`
		} `json:"bundles"`
	}
	if err := json.Unmarshal([]byte(metadata.Compact(ContextJSON(all, 1))), &names); err != nil {
		t.Fatal(err)
	}
	for i, b := range names.Bundles {
		if b.Key != all[i].Key || !slices.Equal(b.Actions, []string{"dim0", "dim1", "dim2", "dim3"}) {
			t.Errorf("in short: got %v", b)
		}
	}
	signatures := metadata.Tokens(metadata.Compact(map[string]any{"bundles": []any{bundleJSON(all[0], Signatures), bundleJSON(all[1], Signatures)}}))
	for _, budget := range []int{0, signatures} {
		var whole struct {
			Bundles []struct {
				Actions []action `json:"actions"`
			} `json:"bundles"`
		}
		if err := json.Unmarshal([]byte(metadata.Compact(ContextJSON(all[:2], budget))), &whole); err != nil {
			t.Fatal(err)
		}
		first := whole.Bundles[0].Actions[0]
		if first.Tool != "floor0_dim0" || first.Signature != "dim0(room*:str, level:int=5)" {
			t.Errorf("budget %d: got %+v", budget, first)
		}
		if full := first.Input != nil; full != (budget == 0) || full == (first.Summary != "") {
			t.Errorf("budget %d: schema %t, summary %q", budget, full, first.Summary)
		}
	}
}
