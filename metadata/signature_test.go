package metadata

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestSignature(t *testing.T) {
	type setIn struct {
		Key      string          `json:"key"`
		Value    json.RawMessage `json:"value"`
		Category string          `json:"category,omitempty"`
		Mode     string          `json:"mode,omitempty" enum:"upsert,create,append,merge" default:"upsert"`
		Tags     []string        `json:"tags,omitempty"`
		Limit    int             `json:"limit,omitempty" default:"8"`
		Until    *time.Time      `json:"until,omitempty"`
		Scores   map[string]int  `json:"scores,omitempty"`
		Pinned   *bool           `json:"pinned,omitempty"`
		Filter   *filterIn       `json:"filter,omitempty"`
	}
	const want = "set(key*:str, value*:any, category:str, mode:upsert|create|append|merge=upsert, tags:[str], limit:int=8, " +
		"until:date-time, scores:{str:int}, pinned:bool, filter:{field*:str, depth:int=2})"
	if got := Signature("set", mustInfer[setIn](t)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := Signature("list", mustInfer[struct{}](t)), "list()"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSignatureShowsDefaultsInWords(t *testing.T) {
	type listIn struct {
		From string   `json:"from,omitempty" doc:"a day; default now"`
		To   string   `json:"to,omitempty" doc:"default a week on"`
		Days []string `json:"days,omitempty" doc:"default mon, tue"`
		Zone string   `json:"zone,omitempty" doc:"not by default UTC"`
		Many int      `json:"many,omitempty" default:"8" doc:"default many"`
	}
	const want = "list(from:str=now, to:str=a week on, days:[str], zone:str, many:int=8)"
	if got := Signature("list", mustInfer[listIn](t)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSignatureHasEveryRequiredArgument(t *testing.T) {
	var properties, required []string
	for i := range 100 {
		properties = append(properties, fmt.Sprintf(`"argument%d":{"type":"string"}`, i))
		if i%3 == 0 {
			required = append(required, fmt.Sprintf("argument%d", i))
		}
	}
	s, err := ParseSchema([]byte(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":["` + strings.Join(required, `","`) + `"]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := Signature("huge", s)
	for _, name := range required {
		if !strings.Contains(got, name+"*:str") {
			t.Errorf("%s is missing", name)
		}
	}
	if strings.Contains(got, "argument98:") || !strings.HasSuffix(got, ", …)") {
		t.Errorf("the optional ones are not left out visibly: %s", got)
	}
}

func TestSignatureOfParsedSchemas(t *testing.T) {
	for _, test := range []struct{ schema, want string }{
		{`{}`, "f()"},
		{`{"properties":{"a":true,"b":{"$ref":"#/$defs/x"},"c":{"anyOf":[{"type":"string"}]}}}`, "f(a:any, b:any, c:any)"},
		{`{"properties":{"a":{"type":["string","null"]},"b":{"type":["integer","string"]}}}`, "f(a:str, b:str|int)"},
		{`{"properties":{"a":{"type":"array"},"b":{"type":"object"}}}`, "f(a:[any], b:obj)"},
		{`{"properties":"nonsense","required":7,"type":false}`, "f()"},
		{`{"properties":{"a":{"enum":["1","2","3","4","5","6","7","8","9"]}}}`, "f(a:1|2|3|4|5|6|7|8|…)"},
	} {
		s, err := ParseSchema([]byte(test.schema))
		if err != nil {
			t.Fatal(err)
		}
		if got := Signature("f", s); got != test.want {
			t.Errorf("%s: got %s, want %s", test.schema, got, test.want)
		}
	}
}

func TestParseSchemaSaysThatASchemaHasTooManyLevels(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 60) + `{}` + strings.Repeat(`}}`, 60)
	if _, err := ParseSchema([]byte(deep)); err == nil || err.Error() != "parse schema: expected at most 100 levels of nesting, got more" {
		t.Errorf("got %v", err)
	}
	if _, err := ParseSchema([]byte(`{"properties":{"a":1,"a":2}}`)); err == nil || !strings.Contains(err.Error(), "properties.a") {
		t.Errorf("a repeated key: %v", err)
	}
}

func TestParseSchemaRefusesOtherJSON(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `"x"`, `null`, `{"a":1,"a":2}`, strings.Repeat(`{"items":`, 200) + `{}` + strings.Repeat(`}`, 200)} {
		if s, err := ParseSchema([]byte(text)); err == nil {
			t.Errorf("%.40s: parsed as %v", text, s.Params())
		}
	}
}
