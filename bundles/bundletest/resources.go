package bundletest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

// checkResources reads every resource. A resource with a fixed URI must always exist. A
// resource with a variable must return NOT_FOUND or VALIDATION_ERROR for an unknown name.
func checkResources(t *testing.T, b bundles.Bundle) {
	for _, r := range b.Resources {
		t.Run(r.URI, func(t *testing.T) {
			if scheme, _, ok := strings.Cut(r.URI, "://"); !ok || scheme == "" {
				t.Error("the URI has no scheme")
			}
			if r.Name == "" || r.Description == "" || r.MIME == "" {
				t.Error("a name, a description and a MIME type are all needed")
			}
			if !hasAction(b, r.Action) {
				t.Errorf("it shows what the action %q does, which the bundle does not have", r.Action)
			}
			if strings.HasSuffix(r.URI, "}") {
				_, err := r.Read(t.Context(), "no such thing\x00%2F/")
				if code := metadata.CodeOf(err); code != metadata.NotFound && code != metadata.ValidationError {
					t.Errorf("a name nobody gave: got %v, want %s", err, metadata.NotFound)
				}
				return
			}
			text, err := r.Read(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			if r.MIME == "application/json" && !json.Valid([]byte(text)) {
				t.Errorf("the text is no JSON: %s", text)
			}
		})
	}
}

// checkPrompts gets the text of every prompt, with all arguments.
func checkPrompts(t *testing.T, b bundles.Bundle) {
	for _, p := range b.Prompts {
		t.Run(p.Name, func(t *testing.T) {
			if p.Name == "" || p.Description == "" {
				t.Error("a name and a description are both needed")
			}
			if !hasAction(b, p.Action) {
				t.Errorf("it asks for the action %q, which the bundle does not have", p.Action)
			}
			args := map[string]string{}
			for _, argument := range p.Arguments {
				if argument.Name == "" || argument.Description == "" {
					t.Errorf("the argument %q does not say what it is", argument.Name)
				}
				args[argument.Name] = "something"
			}
			text, err := p.Text(t.Context(), args)
			if err != nil || strings.TrimSpace(text) == "" {
				t.Errorf("got the text %q, %v", text, err)
			}
		})
	}
}

func hasAction(b bundles.Bundle, name string) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Name == name })
}
