package bundles_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

type lampIn struct {
	Room  string   `json:"room" enum:"kitchen,hall"`
	Level int      `json:"level,omitempty" default:"5" min:"0" max:"10"`
	Tags  []string `json:"tags,omitempty"`
}

type lampOut struct {
	Room  string   `json:"room"`
	Level int      `json:"level"`
	Tags  []string `json:"tags"`
}

func dim(_ context.Context, in lampIn) (lampOut, error) {
	return lampOut{Room: in.Room, Level: in.Level, Tags: append([]string{}, in.Tags...)}, nil
}

// lampAction returns a valid description; each test breaks one part.
func lampAction() metadata.Action {
	return metadata.Action{
		Name: "dim", Effect: metadata.Writes, Summary: "Dim the light of a room.",
		Examples: []metadata.Example{{Title: "The hall", Args: lampIn{Room: "hall", Level: 3}}},
	}
}

func testBundle() metadata.Bundle {
	return metadata.Bundle{
		Key: "house", Name: "House", Description: "Lights and doors", Category: metadata.Optional, Tags: []string{"home"},
	}
}

func TestBindRefuses(t *testing.T) {
	tests := []struct {
		fault  string
		breaks func(*metadata.Action)
		reason string
	}{
		{"no name", func(a *metadata.Action) { a.Name = "" }, "lower_snake_case"},
		{"a capital in the name", func(a *metadata.Action) { a.Name = "dimLight" }, "lower_snake_case"},
		{"a hyphen in the name", func(a *metadata.Action) { a.Name = "dim-light" }, "lower_snake_case"},
		{"a name that ends in _", func(a *metadata.Action) { a.Name = "dim_" }, "lower_snake_case"},
		{"a name that starts with a digit", func(a *metadata.Action) { a.Name = "2dim" }, "lower_snake_case"},
		{"a line break behind the name", func(a *metadata.Action) { a.Name = "dim\n" }, "lower_snake_case"},
		{"no effect", func(a *metadata.Action) { a.Effect = "" }, `effect "" is not one of`},
		{"an effect there is not", func(a *metadata.Action) { a.Effect = "deletes" }, `effect "deletes" is not one of`},
		{"no summary", func(a *metadata.Action) { a.Summary = " \t" }, "there is no summary"},
		{"a summary of 81 characters", func(a *metadata.Action) { a.Summary = strings.Repeat("é", 81) }, "longer than 80 characters"},
		{"a summary of two lines", func(a *metadata.Action) { a.Summary = "Dim.\nBrighten." }, "longer than a line"},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			about := lampAction()
			test.breaks(&about)
			requirePanic(t, func() { bundles.Bind(about, dim) }, fmt.Sprintf("bind action %q: ", about.Name), test.reason)
		})
	}
}

func TestCheckRefusesAnExample(t *testing.T) {
	tests := []struct {
		fault  string
		breaks func(*metadata.Action)
		reason string
	}{
		{"an example outside its enum", func(a *metadata.Action) { a.Examples[0].Args = lampIn{Room: "cellar"} }, `example "The hall": room: expected`},
		{"an example that needs repair", func(a *metadata.Action) {
			a.Examples[0].Args = map[string]any{"room": "hall", "level": "3"}
		}, `example "The hall": level: expected`},
		{"an example without what is required", func(a *metadata.Action) { a.Examples[0].Args = map[string]any{} }, `example "The hall": room`},
		{"an example with an unknown argument", func(a *metadata.Action) {
			a.Examples[0].Args = map[string]any{"room": "hall", "colour": "red"}
		}, `example "The hall": colour`},
		{"an example that is no JSON", func(a *metadata.Action) { a.Examples[0].Args = func() {} }, `example "The hall": json`},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			about := lampAction()
			test.breaks(&about)
			err := bundles.Bundle{Actions: []bundles.Action{bundles.Bind(about, dim)}}.Check()
			if want := `action "dim": ` + test.reason; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

func TestBindRefusesTypesWithoutSchema(t *testing.T) {
	about := metadata.Action{Name: "dim", Effect: metadata.Writes, Summary: "Dim the light."}
	t.Run("a tag that means nothing", func(t *testing.T) {
		type in struct {
			Room string `json:"room" jsonschema:"the room"`
		}
		requirePanic(t, func() { bundles.Bind(about, zeroHandler[in, lampOut]).Input.Make() }, `bind action "dim": input: `, "Room", `"jsonschema"`)
	})
	t.Run("a field without a name", func(t *testing.T) {
		type in struct{ Room string }
		requirePanic(t, func() { bundles.Bind(about, zeroHandler[in, lampOut]).Input.Make() }, "input: ", "Room", "no json name")
	})
	t.Run("arguments that are no struct", func(t *testing.T) {
		requirePanic(t, func() { bundles.Bind(about, zeroHandler[[]string, lampOut]).Input.Make() }, "input: ", "structs")
	})
	t.Run("an answer that is no struct", func(t *testing.T) {
		requirePanic(t, func() { bundles.Bind(about, zeroHandler[lampIn, string]).Output.Make() }, "output: ", "structs")
	})
	t.Run("a default its own schema refuses", func(t *testing.T) {
		type in struct {
			Level int `json:"level" default:"11" max:"10"`
		}
		requirePanic(t, func() { bundles.Bind(about, zeroHandler[in, lampOut]).Input.Make() }, "input: ", `"level"`)
	})
}

func zeroHandler[In, Out any](context.Context, In) (out Out, err error) { return out, nil }

func TestNewRefuses(t *testing.T) {
	dimmer := func() bundles.Action { return bundles.Bind(lampAction(), dim) }
	tests := []struct {
		fault   string
		breaks  func(*metadata.Bundle)
		actions []bundles.Action
		reason  string
	}{
		{"no key", func(b *metadata.Bundle) { b.Key = "" }, nil, "lower_snake_case"},
		{"a capital in the key", func(b *metadata.Bundle) { b.Key = "House" }, nil, "lower_snake_case"},
		{"no name", func(b *metadata.Bundle) { b.Name = "" }, nil, "name and description"},
		{"no description", func(b *metadata.Bundle) { b.Description = "" }, nil, "name and description"},
		{"no category", func(b *metadata.Bundle) { b.Category = "" }, nil, `category "" is neither`},
		{"a category there is not", func(b *metadata.Bundle) { b.Category = "extra" }, nil, `category "extra" is neither`},
		{"no tags", func(b *metadata.Bundle) { b.Tags = nil }, nil, "no tags"},
		{"a relationship of no type", func(b *metadata.Bundle) {
			b.Relationships = []metadata.Relationship{{Type: "needs", Bundle: "power"}}
		}, nil, `relationship type "needs" is neither`},
		{"two actions of one name", func(*metadata.Bundle) {}, []bundles.Action{dimmer(), dimmer()}, `two actions are named "dim"`},
		{"a tool name of 33 characters", func(b *metadata.Bundle) { b.Key = strings.Repeat("h", 29) }, []bundles.Action{dimmer()}, "longer than 32 characters"},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			about := testBundle()
			test.breaks(&about)
			requirePanic(t, func() { bundles.New(about, test.actions...) }, fmt.Sprintf("assemble bundle %q: ", about.Key), test.reason)
		})
	}
}

// requirePanic checks that f panics with a text that contains all parts.
func requirePanic(t *testing.T, f func(), parts ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		text, ok := recover().(string)
		if !ok {
			t.Fatal("it was accepted")
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("panicked with %q, which does not say %q", text, part)
			}
		}
	}()
	f()
}

func TestBindAcceptsLongestTexts(t *testing.T) {
	about := lampAction()
	about.Summary = strings.Repeat("é", 80)
	long := testBundle()
	long.Key = strings.Repeat("h", 28)
	if got := bundles.New(long, bundles.Bind(about, dim)).Actions[0].Tool; len(got) != 32 {
		t.Errorf("the tool name %q has %d characters, want 32", got, len(got))
	}
}

func TestBoundAction(t *testing.T) {
	b := bundles.New(testBundle(), bundles.Bind(lampAction(), dim))
	a := b.Actions[0]

	t.Run("is described alike in the bundle and in its action", func(t *testing.T) {
		if a.Tool != "house_dim" || b.Bundle.Actions[0].Tool != "house_dim" {
			t.Errorf("tool names %q and %q, want house_dim", a.Tool, b.Bundle.Actions[0].Tool)
		}
		if want := "dim(room*:kitchen|hall, level:int=5, tags:[str])"; a.Signature() != want {
			t.Errorf("got signature %s, want %s", a.Signature(), want)
		}
	})
	t.Run("shows the very JSON of its examples that was checked", func(t *testing.T) {
		raw, err := json.Marshal(a.Examples[0].Args)
		if want := `{"room":"hall","level":3}`; err != nil || string(raw) != want {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
		if problems := a.Input.Check(raw); problems != nil {
			t.Error(problems)
		}
	})
	t.Run("leaves the description it was given alone", func(t *testing.T) {
		about := lampAction()
		bundles.Bind(about, dim)
		if _, ok := about.Examples[0].Args.(lampIn); !ok {
			t.Errorf("the caller's example became %T", about.Examples[0].Args)
		}
	})
	t.Run("repairs what models get wrong, and fills in defaults", func(t *testing.T) {
		for args, want := range map[string]string{
			`{"room": "hall"}`: `{"room":"hall","level":5,"tags":[]}`,
			`{"room": "hall", "level": "7", "tags": "[\"a\"]"}`:  `{"room":"hall","level":7,"tags":["a"]}`,
			`{"room": "hall", "level": null, "tags": "evening"}`: `{"room":"hall","level":5,"tags":["evening"]}`,
			`"{\"room\": \"kitchen\"}"`:                          `{"room":"kitchen","level":5,"tags":[]}`,
		} {
			if got, err := callJSON(t, a, args); err != nil || got != want {
				t.Errorf("%s: got %s, %v; want %s", args, got, err, want)
			}
		}
	})
	t.Run("runs nothing when arguments do not fit", func(t *testing.T) {
		ran := false
		a := bundles.Bind(lampAction(), func(context.Context, lampIn) (lampOut, error) { ran = true; return lampOut{}, nil })
		_, err := a.Prepare(json.RawMessage(`{"room": "hall", "level": 11}`))
		if metadata.CodeOf(err) != metadata.ValidationError || ran {
			t.Errorf("got %v, ran %t", err, ran)
		}
	})
	t.Run("keeps one call's arguments from another's", func(t *testing.T) {
		first, err := a.Prepare(json.RawMessage(`{"room": "hall", "tags": ["a"]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Prepare(json.RawMessage(`{"room": "kitchen", "tags": ["b"]}`)); err != nil {
			t.Fatal(err)
		}
		out, err := first.Do(t.Context())
		if got := out.(lampOut); err != nil || got.Room != "hall" || got.Tags[0] != "a" {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("passes the handler's error on as it is", func(t *testing.T) {
		want := metadata.Errorf(metadata.NotFound, "the hall has no lamp")
		a := bundles.Bind(lampAction(), func(context.Context, lampIn) (lampOut, error) { return lampOut{}, want })
		if _, err := callJSON(t, a, `{"room": "hall"}`); err != error(want) {
			t.Errorf("got %v, want %v", err, want)
		}
	})
}

func TestBindOfAnyResultHasNoOutputSchema(t *testing.T) {
	about := metadata.Action{Name: "look", Effect: metadata.Reads, Summary: "Look around."}
	if a := bundles.Bind(about, zeroHandler[lampIn, any]); a.Output != nil {
		t.Error("an answer of any type has an output schema")
	}
	if a := bundles.Bind(about, zeroHandler[lampIn, lampOut]); a.Output == nil {
		t.Error("an answer of a known type has no output schema")
	}
}

type lockIn struct {
	Weld bool `json:"weld,omitempty"`
}

func (in lockIn) Effect() metadata.Effect {
	if in.Weld {
		return metadata.Destroys
	}
	return metadata.Writes
}

func TestCallEffectDependsOnArguments(t *testing.T) {
	about := metadata.Action{Name: "lock", Effect: metadata.Destroys, Summary: "Lock the door."}
	lock := bundles.Bind(about, zeroHandler[lockIn, lampOut])
	if !lock.EffectVaries {
		t.Error("the action is not marked as graded")
	}
	for args, want := range map[string]metadata.Effect{`{}`: metadata.Writes, `{"weld": true}`: metadata.Destroys} {
		call, err := lock.Prepare(json.RawMessage(args))
		if err != nil || call.Effect != want {
			t.Errorf("%s: got %s, %v; want %s", args, call.Effect, err, want)
		}
	}
	plain := bundles.Bind(about, zeroHandler[lampIn, lampOut])
	call, err := plain.Prepare(json.RawMessage(`{"room": "hall"}`))
	if plain.EffectVaries || err != nil || call.Effect != metadata.Destroys {
		t.Errorf("an ungraded action: graded %t, effect %s, %v", plain.EffectVaries, call.Effect, err)
	}
}

// callJSON prepares and runs one call and returns the JSON of its answer.
func callJSON(t *testing.T, a bundles.Action, args string) (string, error) {
	t.Helper()
	call, err := a.Prepare(json.RawMessage(args))
	if err != nil {
		return "", err
	}
	out, err := call.Do(t.Context())
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), nil
}

// effectsIn reports a worse effect than a read may have.
type effectsIn struct {
	Effects metadata.Effect `json:"effect"`
}

func (r effectsIn) Effect() metadata.Effect { return r.Effects }

func TestPrepareRefusesUndeclaredEffect(t *testing.T) {
	for declared, worse := range map[metadata.Effect][]metadata.Effect{
		metadata.Reads:    {metadata.Writes, metadata.Destroys, metadata.Sends, "", "other"},
		metadata.Writes:   {metadata.Destroys, metadata.Sends},
		metadata.Destroys: {metadata.Sends},
		metadata.Sends:    {""},
	} {
		action := bundles.Bind(metadata.Action{Name: "dare", Effect: declared, Summary: "Dare it."},
			func(context.Context, effectsIn) (any, error) { return nil, nil })
		for _, effect := range worse {
			if _, err := action.Prepare([]byte(`{"effect": "` + string(effect) + `"}`)); err == nil {
				t.Errorf("an action that %s made a call that %q", declared, effect)
			}
		}
		if _, err := action.Prepare([]byte(`{"effect": "reads"}`)); err != nil {
			t.Errorf("an action that %s may read: %v", declared, err)
		}
	}
}
