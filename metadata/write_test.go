package metadata

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// What schemaJSON writes must be what the library writes, for everything that
// Infer can say.
func TestSchemaJSONIsTheLibrarys(t *testing.T) {
	type inner struct {
		Name string `json:"name" doc:"a \"quoted\" <name> ünd\nline"`
	}
	type everything struct {
		Text   string            `json:"text" doc:"text" min:"1" max:"9" format:"email"`
		Choice string            `json:"choice,omitempty" enum:"a,b" default:"a"`
		Count  int               `json:"count,omitempty" default:"3" min:"-1" max:"5"`
		Ratio  float64           `json:"ratio,omitempty" min:"0.25"`
		Flag   *bool             `json:"flag,omitempty"`
		List   []string          `json:"list,omitempty" min:"1" max:"4" enum:"x,y"`
		Any    json.RawMessage   `json:"any"`
		When   time.Time         `json:"when,omitzero"`
		Inner  inner             `json:"inner"`
		Inners []inner           `json:"inners,omitempty"`
		Map    map[string]int    `json:"map,omitempty"`
		Open   map[string]any    `json:"open,omitempty"`
		Texts  map[string]string `json:"texts,omitempty" doc:"by name"`
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[everything](), reflect.TypeFor[struct{}](), reflect.TypeFor[inner]()} {
		s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: knownTypes})
		if err != nil {
			t.Fatal(err)
		}
		if err := dress(s, typ); err != nil {
			t.Fatal(err)
		}
		got, err := schemaJSON(s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parsedJSON(t, want), parsedJSON(t, got)); diff != "" {
			t.Errorf("%v: library -, ours +\n%s", typ, diff)
		}
	}
}

func parsedJSON(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}
