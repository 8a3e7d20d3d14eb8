package bundletest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/staged"
	"kota/metadata"
)

// checkStagedActions takes every staged action through its stages, for each of its types.
func checkStagedActions(t *testing.T, c Case) {
	for _, a := range c.New(t).Actions {
		if staged.FlowOf(a) == nil {
			continue
		}
		for _, kind := range staged.FlowOf(a).Types {
			t.Run(a.Name+": "+kind.Name, func(t *testing.T) {
				checkDocumentType(t, kind)
				f := stagedTest{t: t, c: c, tool: a.Tool, kind: kind, examples: staged.FlowOf(a).Examples(kind)}
				steps := f.examples[len(f.examples)-3:]
				f.begin, f.last, f.atOnce = steps[0].Args, steps[1].Args, steps[2].Args
				f.checkExamples()
				f.checkRepeat()
				f.checkCreatesOnce()
				f.checkUnknownHandle()
			})
		}
	}
}

// checkDocumentType checks the parts of a type that do not need a call.
func checkDocumentType(t *testing.T, kind staged.DocumentType) {
	t.Helper()
	if err := errors.Join(kind.Check(), kind.CheckTemplate(kind.Example.Prefill)); err != nil {
		t.Error(err)
	}
	if strings.TrimSpace(kind.Instructions) == "" {
		t.Error("there are no instructions")
	}
	if kind.Fields == nil {
		return
	}
	checkSchema(t, "fields", kind.Fields)
	for _, p := range kind.Fields.Params() {
		if p.Name == "type" || p.Name == "period" || p.Name == "title" {
			t.Errorf("the field %s has the name of an argument, which the template sees instead", p.Name)
		}
		if p.Description == "" {
			t.Errorf("the field %s does not say what it is", p.Name)
		}
	}
}

// A stagedTest is one type of a staged action under test.
type stagedTest struct {
	t        *testing.T
	c        Case
	tool     string
	kind     staged.DocumentType
	examples []staged.Example

	begin, last, atOnce staged.Call // from the examples
}

// checkExamples compares answers with those of the examples. Handles and ids may
// differ.
func (f stagedTest) checkExamples() {
	f.t.Helper()
	b, handle := f.c.newSeeded(f.t), ""
	for _, e := range f.examples {
		if e.Stage == "created" && e.Args.Handle == "" {
			b = f.c.newSeeded(f.t) // at once, without an earlier document
		}
		if e.Args.Handle != "" {
			e.Args.Handle = handle
		}
		raw, got := f.call(b, e.Args)
		if got.Handle != "" {
			handle = got.Handle
		}
		want, err := metadata.Plain(e.Answer)
		if err != nil {
			f.t.Errorf("%s: the example's answer: %v", e.Title, err)
			continue
		}
		names := strings.NewReplacer(quote(handle), quote(staged.ExampleHandle), quote(got.ID), quote(f.kind.Example.Created.ID))
		if answer := names.Replace(canonicalJSON(f.t, raw)); answer != canonicalJSON(f.t, want) {
			f.t.Errorf("%s: the call answers\n%s, and the example says\n%s", e.Title, answer, want)
		}
		f.checkNextStep(b, e.Title, got)
	}
}

// checkNextStep checks that an answer names a next step. A next call may use only existing
// fields. A next action of the same bundle must exist and accept its arguments.
func (f stagedTest) checkNextStep(b bundles.Bundle, title string, got staged.Answer) {
	f.t.Helper()
	if got.Next.Call == nil && len(got.Next.Actions) == 0 {
		f.t.Errorf("%s: the answer names no next step", title)
	}
	for _, step := range got.Next.Actions {
		if strings.HasPrefix(step.Tool, b.Key+"_") {
			a := find(f.t, b, step.Tool)
			args, err := json.Marshal(step.Args)
			if problems := a.Input.Check(args); err != nil || len(problems) > 0 {
				f.t.Errorf("%s: the next step %s does not take %s: %v %v", title, step.Tool, args, problems, err)
			}
		}
	}
	if got.Next.Call == nil || len(got.Next.Call.Answers) == 0 {
		return
	}
	known := map[string]bool{}
	for _, p := range f.kind.Fields.Params() {
		known[p.Name] = true
	}
	for name := range got.Next.Call.Answers {
		if !known[name] {
			f.t.Errorf("%s: the next call answers %s, which is no field", title, name)
		}
	}
}

// checkRepeat makes the last call twice.
func (f stagedTest) checkRepeat() {
	f.t.Helper()
	b := f.c.newSeeded(f.t)
	_, begun := f.call(b, f.begin)
	last := f.last
	last.Handle = begun.Handle
	_, first := f.call(b, last)
	_, second := f.call(b, last)
	if first.Repeated || !second.Repeated || first.ID == "" || first.ID != second.ID {
		f.t.Errorf("the last call made %q, and repeated %q (repeated: %t)", first.ID, second.ID, second.Repeated)
	}
}

// checkCreatesOnce calls Create twice with one key. That happens after a crash between the
// creation of the document and the save of its stage.
func (f stagedTest) checkCreatesOnce() {
	f.t.Helper()
	b := f.c.newSeeded(f.t)
	a := find(f.t, b, f.tool)
	doc := staged.Document{
		Type: f.kind.Name, Period: f.atOnce.Period, Title: f.atOnce.Title, Answers: f.atOnce.Answers,
		Body: "body", Key: staged.ExampleHandle,
	}
	first, err := staged.FlowOf(a).Create(f.t.Context(), doc)
	second, err2 := staged.FlowOf(a).Create(f.t.Context(), doc)
	if err != nil || err2 != nil || first.Repeated || !second.Repeated || first.ID != second.ID {
		f.t.Errorf("with one key Create makes %+v, %v, and then %+v, %v", first, err, second, err2)
	}
}

// checkUnknownHandle calls with an unknown handle. The flow must keep the answers, and must
// not create anything before the caller has seen the note.
func (f stagedTest) checkUnknownHandle() {
	f.t.Helper()
	b := f.c.newSeeded(f.t)
	unknown := f.atOnce
	unknown.Handle = "s_nobody"
	_, got := f.call(b, unknown)
	if got.Stage != "instructions" || got.Note == "" || got.Next.Call == nil || len(got.Missing) > 0 {
		f.t.Fatalf("with a handle that nobody minted it answers %+v", got)
	}
	if _, created := f.call(b, *got.Next.Call); created.Stage != "created" {
		f.t.Errorf("then it answers %+v", created)
	}
}

// call makes one call, which must succeed.
func (f stagedTest) call(b bundles.Bundle, args staged.Call) (json.RawMessage, staged.Answer) {
	f.t.Helper()
	raw, err := Call(f.t, b, f.tool, args)
	if err != nil {
		f.t.Fatalf("%+v: %v", args, err)
	}
	var answer staged.Answer
	if err := json.Unmarshal(raw, &answer); err != nil {
		f.t.Fatal(err)
	}
	return raw, answer
}

// canonicalJSON returns the JSON with sorted names and without spaces, for a comparison.
func canonicalJSON(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	text, err := metadata.Plain(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func quote(s string) string { return `"` + s + `"` }
