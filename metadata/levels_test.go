package metadata

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

type wateredIn struct {
	Plant  string   `json:"plant" doc:"which: \"fern\""`
	Litres float64  `json:"litres"`
	Pots   []string `json:"pots,omitempty" doc:"these alone"`
	Mode   string   `json:"mode,omitempty" enum:"soak,spray" default:"soak"`
}

type wateredOut struct {
	Watered []struct {
		Pot  string `json:"pot"`
		Left int    `json:"left"`
	} `json:"watered"`
	Note string `json:"note,omitempty"`
}

func waterAction(t *testing.T) Action {
	t.Helper()
	return Action{
		Name: "water", Tool: "garden_water", Effect: Writes, Summary: "Water a plant.", Description: "Slowly.", Tags: []string{"watering", "moisten"},
		Examples: []Example{{Title: "The fern", Args: wateredIn{Plant: "fern", Litres: 1}}},
		Errors:   []Code{NotFound, Conflict}, Notes: []string{"Rain counts. So does dew."},
		Scopes: []string{"https://example.org/auth/garden.hose"},
		Input:  mustInfer[wateredIn](t), Output: mustInfer[wateredOut](t),
	}
}

func TestBriefIsOneLine(t *testing.T) {
	const want = "garden_water(plant*, litres*, …) writes: Water a plant. [moisten]"
	if got := waterAction(t).Brief(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSpecHasEverythingThatFits(t *testing.T) {
	const want = `garden_water(plant*:str, litres*:num, pots:[str], mode:soak|spray=soak)
writes; needs garden.hose
Water a plant. Slowly.
- plant: which: "fern"
- pots: these alone
Example: {"plant":"fern","litres":1}
Answers {watered*:[{pot*:str, left*:int}], note:str}
Errors: NOT_FOUND, CONFLICT
Rain counts. So does dew.`
	if got := waterAction(t).Spec(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDeclaredTextsReplaceBothLevels(t *testing.T) {
	a := waterAction(t)
	a.BriefText, a.SpecText = "water it", "water it well"
	if a.Brief() != "water it" || a.Spec() != "water it well" {
		t.Errorf("got %q and %q", a.Brief(), a.Spec())
	}
}

func TestSpecNamesReplacementOfDeprecatedAction(t *testing.T) {
	a := waterAction(t)
	a.Deprecated = "garden_sprinkle"
	if want := "writes; needs garden.hose; deprecated: garden_sprinkle"; !strings.Contains(a.Spec(), want) {
		t.Errorf("no %q in\n%s", want, a.Spec())
	}
}

// The hardest case comes first: an action that fits into no level.
func TestSpecHasEveryRequiredArgument(t *testing.T) {
	a := waterAction(t)
	a.Input = manyArguments(t, 12, 60)
	spec := a.Spec()
	for i := range 12 {
		if name := fmt.Sprintf("needed%d*:str", i); !strings.Contains(spec, name) {
			t.Errorf("no %s in\n%s", name, spec)
		}
	}
}

func TestSpecRefersToWholeSchema(t *testing.T) {
	const rest = `Whole schema: kota_describe_bundle {"bundle":"garden","actions":["water"]}`
	whole, fitted := waterAction(t), waterAction(t)
	fitted.Notes = []string{strings.Repeat("Another sentence about rain. ", 100)}
	if strings.Contains(whole.Spec(), rest) {
		t.Errorf("nothing is left out of\n%s", whole.Spec())
	}
	if spec := fitted.Spec(); !strings.HasSuffix(spec, "\n"+rest) || Tokens(spec) > specBudget {
		t.Errorf("%d tokens, and the last line is not %s:\n%s", Tokens(spec), rest, spec)
	}
}

func TestLevelsKeepBudgets(t *testing.T) {
	for _, arguments := range []int{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144} {
		for _, words := range []int{0, 3, 40} {
			a := waterAction(t)
			a.Input = manyArguments(t, arguments%4, arguments)
			a.Description = strings.Repeat("More of it. ", words)
			a.Notes = []string{strings.Repeat("A note on it. ", words)}
			if got := Tokens(a.Brief()); got > briefBudget {
				t.Errorf("%d arguments, %d words: level 1 has %d tokens:\n%s", arguments, words, got, a.Brief())
			}
			if got := Tokens(a.Spec()); got > specBudget {
				t.Errorf("%d arguments, %d words: level 2 has %d tokens:\n%s", arguments, words, got, a.Spec())
			}
		}
	}
}

// manyArguments returns a schema with so many required and optional arguments.
func manyArguments(t *testing.T, required, optional int) *Schema {
	t.Helper()
	var needed, properties []string
	for i := range required {
		needed = append(needed, fmt.Sprintf("needed%d", i))
	}
	for _, name := range needed {
		properties = append(properties, fmt.Sprintf(`%q:{"type":"string","description":"what cannot be left out"}`, name))
	}
	for i := range optional {
		properties = append(properties, fmt.Sprintf(`"other%d":{"type":"string","enum":["one","two"],"description":"what can be left out"}`, i))
	}
	names, err := json.Marshal(append([]string{}, needed...))
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSchema(json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":` + string(names) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
