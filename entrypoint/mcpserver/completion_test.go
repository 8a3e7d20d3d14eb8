package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/metadata"
)

func TestCompletion(t *testing.T) {
	bundle := bundles.New(metadata.Bundle{Key: "notes", Name: "Notes", Description: "Things", Category: metadata.Core, Tags: []string{"x"}, Version: "1.0.0"},
		bundles.Bind(metadata.Action{Name: "get", Summary: "Show one.", Effect: metadata.Reads}, func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }))
	bundle.Enabled = true
	many := func(_ context.Context, typed string) ([]string, error) {
		if typed == "broken" {
			return nil, errors.New("the disk has a secret")
		}
		all := []string{}
		for i := range 150 {
			all = append(all, fmt.Sprintf("%s%d", typed, i))
		}
		return all, nil
	}
	bundle.Resources = []bundles.Resource{{Action: "get", URI: "notes://{name}", Name: "notes", MIME: "text/plain", Description: "One.", Complete: many,
		Read: func(context.Context, string) (string, error) { return "", nil }}}
	bundle.Prompts = []bundles.Prompt{{Action: "get", Name: "look", Description: "Look.", Text: func(context.Context, map[string]string) (string, error) { return "", nil },
		Arguments: []bundles.Argument{
			{Name: "what", Description: "what", Complete: func(context.Context, string) ([]string, error) { return []string{"hid\u200bden"}, nil }},
			{Name: "why", Description: "why"},
		}}}
	router, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{bundle}})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, New(router, Options{}).mcp, "one")
	for name, c2 := range map[string]struct{ ref, argument, value, want string }{
		"bundles":                 {`"type":"ref/resource","uri":"kota://bundles/{key}"`, "key", "NO", `{"completion":{"values":["notes"]}}`},
		"budgets":                 {`"type":"ref/resource","uri":"kota://context/{budget}"`, "budget", "1", `{"completion":{"values":["1000","16000"]}}`},
		"no more than it may":     {`"type":"ref/resource","uri":"notes://{name}"`, "name", "a", `"a99"],"hasMore":true}`},
		"what shows nothing":      {`"type":"ref/prompt","name":"look"`, "what", "", `{"completion":{"values":["hidden"]}}`},
		"what nobody knows":       {`"type":"ref/prompt","name":"look"`, "why", "", `{"completion":{"values":[]}}`},
		"another argument":        {`"type":"ref/prompt","name":"look"`, "who", "", `{"completion":{"values":[]}}`},
		"a prompt there is not":   {`"type":"ref/prompt","name":"peek"`, "what", "", `{"completion":{"values":[]}}`},
		"a resource there is not": {`"type":"ref/resource","uri":"notes://a"`, "name", "", `{"completion":{"values":[]}}`},
	} {
		got := c.roundTrip(fmt.Sprintf(`"completion/complete","params":{"ref":{%s},"argument":{"name":%q,"value":%q}}`, c2.ref, c2.argument, c2.value))
		if !strings.Contains(got, c2.want) || strings.Contains(got, `"a100"`) {
			t.Errorf("%s: got %s, want %s", name, got, c2.want)
		}
	}
	answer := c.server.HandleMessage(c.server.WithContext(t.Context(), c), []byte(`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"notes://{name}"},"argument":{"name":"name","value":"broken"}}}`))
	if text := fmt.Sprint(answer); strings.Contains(text, "secret") {
		t.Errorf("the answer quotes the fault: %s", text)
	}
}
