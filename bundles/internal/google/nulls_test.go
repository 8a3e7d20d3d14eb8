package google

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestNullsInListsAreRemoved(t *testing.T) {
	for given, want := range map[string]string{
		`{"a":[null]}`:                     `{"a":[]}`,
		`{"a":[null,null , 1]}`:            `{"a":[1]}`,
		`{"a":[1 , null ,2,null]}`:         `{"a":[1,2]}`,
		`{"a":[ {"b":null}, [null,3] ]}`:   `{"a":[{"b":null},[3]]}`,
		`{"null":["null","a\",null]",""]}`: `{"null":["null","a\",null]",""]}`,
		`{"a":null,"b":[]}`:                `{"a":null,"b":[]}`,
		`null`:                             `null`,
		` null `:                           `null`,
	} {
		got := string(withoutNulls([]byte(given)))
		if got != want {
			t.Errorf("%s: got %s, want %s", given, got, want)
		}
	}
}

// FuzzWithoutNulls compares the result with a decoded document.
func FuzzWithoutNulls(f *testing.F) {
	f.Add(`{"a":[null,{"b":[1,null]},"x,null]"],"c":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		var given, got any
		if json.Unmarshal([]byte(text), &given) != nil || !isObject([]byte(text)) {
			return
		}
		if err := json.Unmarshal(withoutNulls([]byte(text)), &got); err != nil {
			t.Fatal(err)
		}
		if want := without(given); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// without is a simple version of withoutNulls.
func without(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = without(inner)
		}
	case []any:
		kept := []any{}
		for _, inner := range v {
			if inner != nil {
				kept = append(kept, without(inner))
			}
		}
		return kept
	}
	return value
}
