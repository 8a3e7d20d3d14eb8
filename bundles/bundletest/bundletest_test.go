package bundletest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/staged"
	"kota/metadata"
)

// faultVariable is the environment variable that names the fault of TestContract's bundle.
// TestFaults sets it for the test binary.
const faultVariable = "KOTA_BROKEN_BUNDLE"

// TestContract runs the contract with a bundle that keeps it. TestFaults runs this test
// again with one fault at a time.
func TestContract(t *testing.T) {
	fault := func(*bookcase) {}
	if name := os.Getenv(faultVariable); name != "" {
		fault = faults[name].breaks
	}
	var s *bookcase
	bundletest.Run(t, bundletest.Case{
		New: func(*testing.T) bundles.Bundle {
			s = newBookcase(fault)
			return s.Bundle
		},
		Seed: func(t *testing.T, b bundles.Bundle) {
			if _, err := bundletest.Call(t, b, "bookcase_put", putIn{Title: "Emma"}); err != nil {
				t.Fatal(err)
			}
		},
		ConcurrentChanges: []bundletest.ConcurrentChange{
			{
				Title: "a book that was put there, then lent", Tool: "bookcase_put",
				Args:   func(*testing.T, bundles.Bundle) any { return putIn{Title: "Persuasion"} },
				Change: func(*testing.T, bundles.Bundle, json.RawMessage) { s.lent["Persuasion"] = !s.ignoresLending },
				State: func(*testing.T, bundles.Bundle, json.RawMessage) string {
					return fmt.Sprint(s.books, s.lent["Persuasion"])
				},
			},
		},
		Others: []string{"memory"},
	})
}

// TestFaults checks that the contract fails for every fault, and says why.
func TestFaults(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := exec.CommandContext(t.Context(), binary, "-test.run=^TestContract$")
			run.Env = append(os.Environ(), faultVariable+"="+name)
			out, err := run.CombinedOutput()
			if _, failed := err.(*exec.ExitError); !failed {
				t.Fatalf("the contract passed it (%v):\n%s", err, out)
			}
			if !strings.Contains(string(out), fault.says) {
				t.Errorf("it does not say %q:\n%s", fault.says, out)
			}
		})
	}
}

// faults are ways to break the contract, with the expected message of each.
var faults = map[string]struct {
	breaks func(*bookcase)
	says   string
}{
	"an undo that overwrites":          {func(s *bookcase) { s.undoOverwrites = true }, "the undo overwrote what somebody else had changed"},
	"an undo that offers no overwrite": {func(s *bookcase) { s.overwriteHint = "Ask for it." }, "the hint does not offer overwrite"},
	"a foreign change of nothing":      {func(s *bookcase) { s.ignoresLending = true }, "Change changed nothing"},
	"a change without an undo_id":      {func(s *bookcase) { s.omitsUndoID = true }, "bookcase_put answered no undo_id"},
	"an undo that nobody tried":        {func(s *bookcase) { s.findAction().Output = s.putAction().Output }, "bookcase_find returns an undo_id, but ConcurrentChanges has no change for it"},
	"a change that cannot be undone": {func(s *bookcase) {
		s.Actions[0].Output = s.findAction().Output
	}, "bookcase_put writes: either its answer has an undo_id"},
	"no action at all": {func(s *bookcase) { s.Bundle.Actions, s.Bundle.Workflows = nil, nil }, "it has no actions"},
	"four phrases":     {func(s *bookcase) { s.putAction().Phrases = s.putAction().Phrases[:4] }, "bookcase_put: 4 phrases"},
	"seventeen phrases": {func(s *bookcase) {
		s.putAction().Phrases = strings.Split("a b c d e f g h i j k l m n o p q", " ")
	}, "bookcase_put: 17 phrases"},
	"a phrase that names the tool": {func(s *bookcase) { s.putAction().Phrases[0] = "call bookcase_put" }, "names the tool"},
	"a phrase for two actions":     {func(s *bookcase) { s.putAction().Phrases[0] = "WHERE is Emma" }, "leads to bookcase_put already"},
	"an empty phrase":              {func(s *bookcase) { s.putAction().Phrases[0] = " " }, "a phrase is empty"},
	"a long phrase":                {func(s *bookcase) { s.putAction().Phrases[0] = strings.Repeat("ü", 81) }, "longer than 80 characters"},
	"a phrase of its summary":      {func(s *bookcase) { s.putAction().Phrases[0] = "put a Book" }, "is in its summary"},
	"a summary without full stop":  {func(s *bookcase) { s.putAction().Summary = "Put" }, `the summary "Put" is no sentence`},
	"a description without end":    {func(s *bookcase) { s.putAction().Description = strings.Repeat("long ", 400) }, "cut descriptions"},
	"another action's name":        {func(s *bookcase) { s.putAction().Aliases = metadata.Aliases{"find: - book"} }, "the alias find is the name of another action"},
	"no example":                   {func(s *bookcase) { s.putAction().Examples = nil }, "bookcase_put: there is no example"},
	"an example without title":     {func(s *bookcase) { s.putAction().Examples[0].Title = "" }, "example 0 has no title"},
	"an example that needs repair": {func(s *bookcase) {
		s.putAction().Examples[0].Args = map[string]any{"title": []string{"Emma"}}
	}, `action "put": example "A novel": title: expected`},
	"an example that fails when seeded": {func(s *bookcase) {
		s.findAction().Examples[0].Args = findIn{Title: "Ulysses"}
	}, "runs_its_examples_when_seeded/find:_Emma"},
	"an example that fails when empty": {func(s *bookcase) { s.missing = metadata.Unavailable }, "UNAVAILABLE: there is no"},
	"an undeclared code":               {func(s *bookcase) { s.findAction().Errors = nil }, "bookcase_find answered NOT_FOUND, which it does not declare"},
	"an error without next step":       {func(s *bookcase) { s.hint = "" }, "without a message and a hint"},
	"a nil slice in the answer":        {func(s *bookcase) { s.books = nil }, "bookcase_find: the answer does not fit its schema: books: expected"},
	"an answer that is no object": {func(s *bookcase) {
		s.Actions[0] = bundles.Bind(s.putAction().Action, func(context.Context, putIn) (any, error) { return []string{"Emma"}, nil })
		s.putAction().Tool = "bookcase_put"
	}, `the answer is no object: ["Emma"]`},
	"more effect than declared": {func(s *bookcase) { s.putAction().Effect = metadata.Reads }, "the call writes, and its action declares only that it reads"},
	"a relationship to an unknown bundle": {func(s *bookcase) {
		s.Relationships[0].Bundle = "library"
	}, `related_to "library", which is no other bundle`},
	"a relationship to itself":            {func(s *bookcase) { s.Relationships[0].Bundle = "bookcase" }, "which is no other bundle"},
	"a relationship without reason":       {func(s *bookcase) { s.Relationships[0].Description = "" }, "does not say why"},
	"a workflow with a missing tool":      {func(s *bookcase) { s.Workflows[0].Steps[1].Tool = "bookcase_burn" }, "has no tool bookcase_burn"},
	"a workflow that fails":               {func(s *bookcase) { s.Workflows[0].Steps = s.Workflows[0].Steps[1:] }, "bookcase_find: NOT_FOUND"},
	"an open object":                      {withInputSchema(`{"type":"object","properties":{}}`), "bookcase_put input: the object is not closed"},
	"an open object in a list":            {withInputSchema(closedSchema(`"a":{"type":"array","items":{"type":"object","properties":{}}}`)), "bookcase_put input.a[]: the object is not closed"},
	"an open object in a map":             {withInputSchema(closedSchema(`"a":{"type":"object","additionalProperties":{"type":"object","properties":{}}}`)), "bookcase_put input.a{}: the object is not closed"},
	"an object without properties":        {withInputSchema(`{"type":"object","additionalProperties":false}`), "there is no member properties"},
	"a choice of schemas at the top":      {withInputSchema(`{"type":"object","properties":{},"additionalProperties":false,"anyOf":[{}]}`), "anyOf at the top"},
	"a top that is no object":             {withInputSchema(`{"properties":{},"additionalProperties":false}`), "the top is of type <nil>"},
	"a list of types":                     {withInputSchema(closedSchema(`"a":{"type":["string","null"]}`)), "input.a: the type [string null] is a list"},
	"an argument name too long":           {withInputSchema(closedSchema(`"` + strings.Repeat("a", 33) + `":{"type":"string"}`)), "longer than 32 characters"},
	"a schema description too long":       {withInputSchema(closedSchema(`"a":{"type":"string","description":"` + strings.Repeat("a", 1001) + `"}`)), "longer than 1,000 characters"},
	"nonsense taken for arguments":        {(*bookcase).acceptAnyArguments, `"[]": got <nil>`},
	"a resource that cannot be read":      {func(s *bookcase) { s.Resources[0].MIME = "application/json" }, "the text is no JSON"},
	"a resource without scheme":           {func(s *bookcase) { s.Resources[0].URI = "bookcase" }, "the URI has no scheme"},
	"a resource that says nothing":        {func(s *bookcase) { s.Resources[0].Description = "" }, "a MIME type are all needed"},
	"a resource of no action":             {func(s *bookcase) { s.Resources[0].Action = "burn" }, `the action "burn" does, which the bundle does not have`},
	"a prompt of no action":               {func(s *bookcase) { s.Prompts[0].Action = "" }, `asks for the action "", which the bundle does not have`},
	"a resource of every name":            {func(s *bookcase) { s.Resources[1].Read = s.Resources[0].Read }, "a name nobody gave"},
	"a prompt without text":               {func(s *bookcase) { s.Prompts[0].Text = noText }, `got the text ""`},
	"a type without instructions":         {func(s *bookcase) { s.reviewType().Instructions = " " }, "there are no instructions"},
	"a template that is none":             {func(s *bookcase) { s.reviewType().Template = "{{.opinion" }, "unclosed action"},
	"a template of other names":           {func(s *bookcase) { s.reviewType().Template = "{{.stars}} {{.least}}" }, "the template of review failed"},
	"an answer that is not the example's": {func(s *bookcase) { s.reviewType().Example.Created.Title = "Ulysses" }, "and the example says"},
	"a starter that is not the example's": {func(s *bookcase) { s.reviewType().Example.Prefill["most"] = 10 }, "and the example says"},
	"an example that lacks an answer":     {func(s *bookcase) { s.reviewType().Example.Answers = map[string]any{"stars": 1} }, `"missing":["opinion"]`},
	"an example of an unknown field":      {func(s *bookcase) { s.reviewType().Example.Answers = map[string]any{"opinions": "x"} }, "opinions: an unknown argument"},
	"a field that hides an argument": {func(s *bookcase) {
		s.reviewType().Fields = staged.FieldsOf[struct {
			Title string `json:"title" doc:"x"`
		}]()
	}, "has the name of an argument"},
	"a field that says nothing": {func(s *bookcase) {
		s.reviewType().Fields = staged.FieldsOf[struct {
			Opinion string `json:"opinion"`
			Stars   int    `json:"stars,omitempty" doc:"x"`
		}]()
	}, "does not say what it is"},
	"two documents of one key":      {func(s *bookcase) { s.changeCreated(func(c *staged.CreateResult) { c.Repeated = false }) }, "with one key Create makes"},
	"a document that leads nowhere": {func(s *bookcase) { s.changeCreated(func(c *staged.CreateResult) { c.Next = nil }) }, "names no next step"},
	"a next step with wrong arguments": {func(s *bookcase) {
		s.changeCreated(func(c *staged.CreateResult) { c.Next = []metadata.Step{{Tool: "bookcase_find", Args: struct{}{}}} })
	}, "the next step bookcase_find does not take {}"},
	"a prompt's unexplained argument": {func(s *bookcase) { s.Prompts[0].Arguments[0].Description = "" }, `the argument "mood" does not say`},
}

func withInputSchema(schema string) func(*bookcase) {
	return func(s *bookcase) {
		parsed, err := metadata.ParseSchema([]byte(schema))
		if err != nil {
			panic(err)
		}
		s.putAction().Input = parsed
	}
}

func closedSchema(properties string) string {
	return `{"type":"object","properties":{` + properties + `},"additionalProperties":false}`
}

func noText(context.Context, map[string]string) (string, error) { return "", nil }
