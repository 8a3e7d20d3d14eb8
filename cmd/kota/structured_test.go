package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kota/cmd/kota/internal/app"
)

// The structuredContent that a client gets fits the outputSchema that the
// server declares, for every example of every action. It has the same content
// as the text.
func TestStructuredAnswersFitTheirDeclaredSchemas(t *testing.T) {
	t.Parallel()
	d := newUsedHome(t)
	a := &app.App{Env: d.env}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	p := serveIn(t, d.home)
	schemas, tools := map[string]*jsonschema.Schema{}, map[string]string{} // by tool; the tool by id
	for _, b := range a.Bundles() {
		p.send(toolCall(b.Key, "kota_describe_bundle", object{"bundle": b.Key}))
		for _, action := range b.Actions {
			for i, example := range action.Examples {
				id := fmt.Sprint(action.Tool, " ", i)
				tools[id] = action.Tool
				p.send(toolCall(id, action.Tool, example.Args))
			}
		}
	}
	answers := p.end()
	for _, b := range a.Bundles() {
		var described struct {
			Actions []struct {
				Tool   string          `json:"tool_name"`
				Output json.RawMessage `json:"outputSchema"`
			}
		}
		if err := json.Unmarshal(answers[b.Key].call(t).StructuredContent, &described); err != nil {
			t.Fatal(err)
		}
		for _, action := range described.Actions {
			schemas[action.Tool] = compileSchema(t, action.Tool, action.Output)
		}
	}
	fit := 0
	for id, tool := range tools {
		result := answers[id].call(t)
		if result.IsError {
			if len(result.StructuredContent) > 0 {
				t.Errorf("%s: an error has structured content, which no schema is of: %s", id, result.StructuredContent)
			}
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(result.StructuredContent))
		if err != nil {
			t.Errorf("%s: %v: %s", id, err, result.StructuredContent)
			continue
		}
		if err := schemas[tool].Validate(doc); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		text, err := jsonschema.UnmarshalJSON(strings.NewReader(result.text()))
		if diff := cmp.Diff(doc, text); err != nil || diff != "" {
			t.Errorf("%s: %v; the text says something else (-structured +text):\n%s", id, err, diff)
		}
		fit++
	}
	if fit < len(tools)/2 {
		t.Errorf("of %d examples only %d were answered well", len(tools), fit)
	}
}

func compileSchema(t *testing.T, name string, raw json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, raw)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schema
}
