package metadata

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/jsonschema-go/jsonschema"
)

type described struct {
	Name string `json:"name" doc:"a \"quoted\" <name> ünd\nline"`
}

type allTypes struct {
	Text   string            `json:"text" doc:"text" min:"1" max:"9" format:"email"`
	Choice string            `json:"choice,omitempty" enum:"a,b" default:"a"`
	Count  int               `json:"count,omitempty" default:"3" min:"-1" max:"5"`
	Large  int64             `json:"large,omitempty" max:"1000000"`
	Huge   float64           `json:"huge,omitempty" max:"1e20"`
	Ratio  float64           `json:"ratio,omitempty" min:"0.25"`
	Flag   *bool             `json:"flag,omitempty"`
	List   []string          `json:"list,omitempty" min:"1" max:"4" enum:"x,y" default:"x,y"`
	Any    json.RawMessage   `json:"any"`
	When   time.Time         `json:"when,omitzero"`
	Day    string            `json:"day,omitempty" format:"date"`
	Inner  described         `json:"inner"`
	Inners []described       `json:"inners,omitempty"`
	Map    map[string]int    `json:"map,omitempty"`
	Open   map[string]any    `json:"open,omitempty"`
	Texts  map[string]string `json:"texts,omitempty" doc:"by name"`
	page
}

// For every type that Infer supports, the shape and the JSON of its schema must agree: the
// shape decides about calls, and callers see the JSON.
func TestShapeOfTypeEqualsShapeOfItsJSON(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[allTypes](), reflect.TypeFor[struct{}](), reflect.TypeFor[searchIn](), reflect.TypeFor[sizes](),
	} {
		s, err := infer(typ)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseSchema(s.content().raw)
		if err != nil {
			t.Fatal(err)
		}
		comparing := []cmp.Option{cmp.AllowUnexported(shape{}, property{}, value{}, member{}), cmpopts.EquateEmpty()}
		if diff := cmp.Diff(again.content().shape, s.content().shape, comparing...); diff != "" {
			t.Errorf("%v: its JSON -, the type +\n%s", typ, diff)
		}
	}
}

type sizes struct {
	A int8            `json:"a"`
	B uint8           `json:"b"`
	C int16           `json:"c"`
	D uint16          `json:"d"`
	E int32           `json:"e"`
	F uint32          `json:"f"`
	G int64           `json:"g"`
	H uint64          `json:"h"`
	I uint            `json:"i"`
	J float32         `json:"j"`
	K [3]int          `json:"k"`
	L bool            `json:"l"`
	M map[string]int8 `json:"m"`
	N struct {
		O [][]string `json:"o"`
	} `json:"n"`
}

// Without KOTA's tags, Infer and another library must infer the same schema.
func TestSchemaOfPlainTypesEqualsLibrary(t *testing.T) {
	got, err := infer(reflect.TypeFor[sizes]())
	if err != nil {
		t.Fatal(err)
	}
	want, err := jsonschema.For[sizes](nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withoutNull(parsedJSON(t, []byte(marshalled(t, want)))), parsedJSON(t, got.content().raw)); diff != "" {
		t.Errorf("library -, ours +\n%s", diff)
	}
}

// withoutNull removes null from the types of a schema, because no schema of KOTA accepts it.
func withoutNull(v any) any {
	schema, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for name, inner := range schema {
		schema[name] = withoutNull(inner)
	}
	if types, ok := schema["type"].([]any); ok && types[0] == "null" {
		schema["type"] = types[1]
	}
	return schema
}

func parsedJSON(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}
