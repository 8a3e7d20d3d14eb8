package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type page struct {
	Limit  int    `json:"limit,omitempty" doc:"How many to return." default:"8" min:"1" max:"50"`
	Cursor string `json:"cursor,omitempty" doc:"Where the last page ended."`
}

type searchIn struct {
	Query string   `json:"query" doc:"What to look for, such as \"tax\"." min:"1"`
	Kinds []string `json:"kinds,omitempty" enum:"mail,event" default:"mail" max:"2"`
	page
	Since  *time.Time        `json:"since,omitempty"`
	Day    string            `json:"day,omitempty" format:"date"`
	Match  any               `json:"match,omitempty"`
	Words  map[string]string `json:"words,omitempty"`
	Extra  map[string]any    `json:"extra,omitempty"`
	Either []any             `json:"either,omitempty"`
	Nested *struct {
		Deep []json.RawMessage `json:"deep"`
	} `json:"nested,omitempty"`
	Ratio  float64     `json:"ratio"`
	Exact  json.Number `json:"exact"`
	Hidden string      `json:"-"`
}

func TestInferredSchema(t *testing.T) {
	const want = `{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "What to look for, such as \"tax\".", "minLength": 1},
    "kinds": {"type": "array", "items": {"type": "string", "enum": ["mail", "event"]}, "default": ["mail"], "maxItems": 2},
    "limit": {"type": "integer", "description": "How many to return.", "default": 8, "minimum": 1, "maximum": 50},
    "cursor": {"type": "string", "description": "Where the last page ended."},
    "since": {"type": "string", "format": "date-time"},
    "day": {"type": "string", "format": "date"},
    "match": {"minProperties": 0, "description": "Any JSON value."},
    "words": {"type": "object", "additionalProperties": {"type": "string"}},
    "extra": {"type": "object"},
    "either": {"type": "array", "items": {"minProperties": 0, "description": "Any JSON value."}},
    "nested": {
      "type": "object",
      "properties": {"deep": {"type": "array", "items": {"minProperties": 0, "description": "Any JSON value."}}},
      "required": ["deep"],
      "additionalProperties": false
    },
    "ratio": {"type": "number"},
    "exact": {"type": "number"}
  },
  "required": ["query", "ratio", "exact"],
  "additionalProperties": false
}`
	s := mustInfer[searchIn](t)
	if diff := cmp.Diff(withoutSpace(t, want), marshalled(t, s)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	if first, second := marshalled(t, s), marshalled(t, mustInfer[*searchIn](t)); first != second {
		t.Errorf("the schema of a pointer differs:\n%s\n%s", first, second)
	}
	if _, err := s.content().compile(); err != nil {
		t.Errorf("the schema does not compile: %v", err)
	}
}

func TestLazySchemaIsMadeOnceOnFirstUse(t *testing.T) {
	made := 0
	s := LazySchema(func() *Schema {
		made++
		return mustInfer[page](t)
	})
	if made != 0 {
		t.Error("it was made before its use")
	}
	s.Make()
	if got, want := marshalled(t, s), marshalled(t, mustInfer[page](t)); got != want || made != 1 {
		t.Errorf("got %s, made %d times; want %s", got, made, want)
	}
}

func TestEmptySchemaHasProperties(t *testing.T) {
	const want = `{"type":"object","properties":{},"additionalProperties":false}`
	if got := marshalled(t, mustInfer[struct{}](t)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSchemaMarshalsAndUnmarshals(t *testing.T) {
	s := mustInfer[searchIn](t)
	var again Schema
	if err := json.Unmarshal([]byte(marshalled(t, s)), &again); err != nil {
		t.Fatal(err)
	}
	if marshalled(t, &again) != marshalled(t, s) {
		t.Errorf("it came back as %s", marshalled(t, &again))
	}
	if diff := cmp.Diff(s.Params(), again.Params()); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
}

func TestParamsAreInDeclaredOrder(t *testing.T) {
	want := []Param{
		{Name: "zeal", Type: "num", Required: true},
		{Name: "mode", Type: "a|b", Description: "How.", Enum: []string{"a", "b"}, Default: json.RawMessage(`"a"`)},
		{Name: "apples", Type: "[int]"},
	}
	got := mustInfer[struct {
		Zeal   float64 `json:"zeal"`
		Mode   string  `json:"mode" doc:"How." enum:"a,b" default:"a"`
		Apples []int   `json:"apples,omitempty"`
	}](t).Params()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
}

type (
	tree       struct{ Children []tree }
	inner      struct{ Took time.Duration }
	customJSON struct{ A int }
)

func (customJSON) MarshalJSON() ([]byte, error) { return []byte(`"a"`), nil }

// TestInferRefuses lists every type and tag that Infer must refuse, with the words that the
// error must have: the field and the reason.
func TestInferRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		infer func() (*Schema, error)
		want  []string
	}{
		{"a type that is no struct", Infer[[]string], []string{"[]string", "structs"}},
		{"an any", Infer[any], []string{"interface"}},
		{"a known type", Infer[time.Time], []string{"time.Time", "structs"}},
		{"a tree", Infer[struct {
			Root tree `json:"root"`
		}], []string{"metadata.tree.Children", "no json name"}},
		{"a type that contains itself", Infer[struct {
			Root recursive `json:"root"`
		}], []string{"Root", "metadata.recursive", "contains itself"}},
		{"a type with JSON methods", Infer[struct {
			By customJSON `json:"by"`
		}], []string{"By", "metadata.customJSON", "JSON methods"}},
		{"a slice of such", Infer[struct {
			By []*customJSON `json:"by"`
		}], []string{"By", "JSON methods"}},
		{"an interface", Infer[struct {
			Out fmt.Stringer `json:"out"`
		}], []string{"Out", "fmt.Stringer", "interface"}},
		{"a channel", Infer[struct {
			C chan int `json:"c"`
		}], []string{"C", "chan int"}},
		{"a function", Infer[struct {
			F func() `json:"f"`
		}], []string{"F", "no JSON"}},
		{"bytes", Infer[struct {
			B []byte `json:"b"`
		}], []string{"B", "base64", "use a string"}},
		{"a duration", Infer[struct {
			D time.Duration `json:"d"`
		}], []string{"D", "nanoseconds"}},
		{"keys that are numbers", Infer[struct {
			M map[int]string `json:"m"`
		}], []string{"M", "map[int]string", "keys"}},
		{"a field without a name", Infer[struct{ Name string }], []string{"Name", "no json name"}},
		{"a name of 33 characters", Infer[struct {
			A int `json:"a23456789012345678901234567890123"`
		}], []string{"A", "32 characters"}},
		{"a name with a space", Infer[struct {
			A int `json:"a b"`
		}], []string{`"a b"`}},
		{"a name taken twice", inferTags(`json:"a"`, `json:"a"`), []string{"B", "two fields have the name"}},
		{"the json option string", Infer[struct {
			A int `json:"a,string"`
		}], []string{"A", "option string"}},
		{"an embedded struct with a tag", Infer[struct {
			page `json:"page"`
		}], []string{"page", "without tags"}},
		{"an embedded pointer", Infer[struct {
			*page
		}], []string{"page", "embed plain structs"}},
		{"a tag that means nothing", Infer[struct {
			A int `json:"a" minimum:"3"`
		}], []string{"A", `"minimum"`, "json, doc, enum"}},
		{"a tag of another library", Infer[struct {
			A int `json:"a" jsonschema:"How many."`
		}], []string{"A", `"jsonschema"`, "doc"}},
		{"a tag without quotes", inferTags(`json:"a" doc:How`), []string{"A", "not quoted"}},
		{"a description of 1,001 characters", inferTags(`json:"a" doc:"` + strings.Repeat("x", 1001) + `"`), []string{"1000 characters"}},
		{"a list of numbers", Infer[struct {
			A int `json:"a" enum:"1,2"`
		}], []string{"A", `enum:"1,2"`, "only strings"}},
		{"an empty value in a list", Infer[struct {
			A string `json:"a" enum:"x,,y"`
		}], []string{"A", "empty"}},
		{"a value listed twice", Infer[struct {
			A string `json:"a" enum:"x,x"`
		}], []string{"A", "listed twice"}},
		{"a limit that is no number", Infer[struct {
			A int `json:"a" min:"few"`
		}], []string{"A", `min:"few"`, "not of the type integer"}},
		{"a fraction as the limit of an integer", Infer[struct {
			A int `json:"a" max:"1.5"`
		}], []string{"A", "not of the type integer"}},
		{"a negative length", Infer[struct {
			A string `json:"a" min:"-1"`
		}], []string{"A", "not a whole number"}},
		{"a limit of a boolean", Infer[struct {
			A bool `json:"a" max:"1"`
		}], []string{"A", "only numbers, strings and slices"}},
		{"an unknown format", Infer[struct {
			A string `json:"a" format:"datetime"`
		}], []string{"A", `format:"datetime"`}},
		{"the format of a number", Infer[struct {
			A int `json:"a" format:"date"`
		}], []string{"A", "only strings"}},
		{"a default of another type", Infer[struct {
			A int `json:"a" default:"\"x\""`
		}], []string{`"a"`, "an integer"}},
		{"a default that is no JSON", Infer[struct {
			A int `json:"a" default:"x"`
		}], []string{"A", "not JSON"}},
		{"a default beyond the limit", Infer[struct {
			A int `json:"a" default:"51" max:"50"`
		}], []string{`"a"`, "at most 50"}},
		{"a default that is not listed", Infer[struct {
			A string `json:"a" default:"z" enum:"x,y"`
		}], []string{`"a"`, `one of "x", "y"`}},
		{"a nested fault", Infer[struct {
			A []struct {
				In map[string]inner `json:"in"`
			} `json:"a"`
		}], []string{"A", "In", "metadata.inner.Took", "no json name"}},
		{"an alias that is another name", Infer[struct {
			A string `json:"a" alias:"B"`
			B string `json:"b"`
		}], []string{"A", "alias", `"B"`, "taken"}},
		{"an empty alias", Infer[struct {
			A string `json:"a" alias:"x,"`
		}], []string{"A", "alias", "empty"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := test.infer()
			if err == nil {
				t.Fatalf("it was described as %s", marshalled(t, s))
			}
			for _, want := range append(test.want, "infer schema of ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
		})
	}
}

type recursive struct {
	Next *recursive `json:"next"`
}

// inferTags infers a struct of integers A, B, … with those tags. In a declared type, go vet
// would refuse the tags.
func inferTags(tags ...string) func() (*Schema, error) {
	fields := make([]reflect.StructField, len(tags))
	for i, tag := range tags {
		fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(tag)}
	}
	return func() (*Schema, error) {
		s, err := infer(reflect.StructOf(fields))
		if err != nil {
			return nil, fmt.Errorf("infer schema of a struct: %w", err)
		}
		return s, nil
	}
}

func marshalled(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func withoutSpace(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
