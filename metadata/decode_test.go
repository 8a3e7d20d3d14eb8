package metadata

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// noteIn is as large as the largest input of KOTA's bundles.
type noteIn struct {
	Key        string          `json:"key" doc:"Name of the note, such as \"wifi password\"." min:"1" max:"200" alias:"name,k"`
	Value      json.RawMessage `json:"value"`
	Category   string          `json:"category,omitempty"`
	Tags       []string        `json:"tags,omitempty" max:"3"`
	ExpiresAt  *time.Time      `json:"expires_at,omitempty"`
	Importance int             `json:"importance,omitempty" min:"1" max:"5" default:"3"`
	Weight     float64         `json:"weight,omitempty"`
	Pinned     bool            `json:"pinned,omitempty"`
	Mode       string          `json:"mode,omitempty" enum:"upsert,create,append" default:"upsert"`
	IfVersion  *int64          `json:"if_version,omitempty"`
	Ranks      []int           `json:"ranks,omitempty"`
	Filter     *filterIn       `json:"filter,omitempty"`
	Labels     map[string]int  `json:"labels,omitempty"`
}

type filterIn struct {
	Field string `json:"field"`
	Depth int    `json:"depth,omitempty" default:"2"`
}

func mustInfer[T any](t testing.TB) *Schema {
	t.Helper()
	s, err := Infer[T]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecodeRepairsBySchema(t *testing.T) {
	s := mustInfer[noteIn](t)
	for _, test := range []struct{ name, args, want string }{
		{"a list sent as JSON text", `{"key":"a","value":1,"tags":"[\"x\",\"y\"]"}`, `"tags":["x","y"]`},
		{"tags between commas", `{"key":"a","value":1,"tags":"x, y,"}`, `"tags":["x","y"]`},
		{"a list in a block of code", `{"key":"a","value":1,"ranks":"` + "```json\\n[1,2]\\n```" + `"}`, `"ranks":[1,2]`},
		{"one word for a list", `{"key":"a","value":1,"tags":"work"}`, `"tags":["work"]`},
		{"a word that looks like a broken list", `{"key":"a","value":1,"tags":"[draft"}`, `"tags":["[draft"]`},
		{"a number for a list of strings", `{"key":"a","value":1,"tags":7}`, `"tags":["7"]`},
		{"a list of numbers sent as strings", `{"key":"a","value":1,"ranks":["1",2.0,"3e1"]}`, `"ranks":[1,2,30]`},
		{"one number in a string for a list of numbers", `{"key":"a","value":1,"ranks":"4"}`, `"ranks":[4]`},
		{"an object sent as JSON text", `{"key":"a","value":1,"filter":"{\"field\":\"x\"}"}`, `"filter":{"field":"x","depth":2}`},
		{"a number in a string", `{"key":"a","value":1,"weight":" 2.5 "}`, `"weight":2.5`},
		{"a whole float for an integer", `{"key":"a","value":1,"importance":5.0}`, `"importance":5`},
		{"a boolean in a string", `{"key":"a","value":1,"pinned":"True"}`, `"pinned":true`},
		{"a number for a string keeps its digits", `{"key":12345678901234567890.10,"value":1}`, `"key":"12345678901234567890.10"`},
		{"a boolean for a string", `{"key":true,"value":1}`, `"key":"true"`},
		{"null for an absent argument", `{"key":"a","value":1,"importance":null,"tags":null}`, `"importance":3`},
		{"the word null for an absent list", `{"key":"a","value":1,"tags":"null"}`, `"key":"a","value":1`},
		{"an enum in another case", `{"key":"a","value":1,"mode":" Create "}`, `"mode":"create"`},
		{"keys in other spellings", `{"KEY":"a","value":1,"ifVersion":3,"expires-at":null}`, `"if_version":3`},
		{"an alias", `{"name":"a","value":1}`, `"key":"a"`},
		{"defaults of absent arguments", `{"key":"a","value":1}`, `"importance":3,"mode":"upsert"`},
		{"the whole as JSON text", `"{\"key\":\"a\",\"value\":1}"`, `"key":"a","value":1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got, want noteIn
			args := json.RawMessage(test.args)
			if err := s.Decode(args, &got); err != nil {
				t.Fatal(err)
			}
			if string(args) != test.args {
				t.Errorf("the arguments were changed to %s", args)
			}
			complete := `{"key":"a","value":1,"importance":3,"mode":"upsert"}`
			for _, part := range []string{complete, "{" + test.want + "}"} {
				if err := json.Unmarshal([]byte(part), &want); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeLeavesAnyValueAsItWasSent(t *testing.T) {
	s := mustInfer[noteIn](t)
	for _, value := range []string{
		`"[1,2]"`, `"5"`, `"true"`, `"null"`, `null`, `9007199254740993`, `1.10`, `-0`, `1e2`,
		`{"b":1,"a":{"Tags":null}}`, `"\u00e9<&"`, `[[],{}]`, `""`,
	} {
		var in noteIn
		if err := s.Decode(json.RawMessage(`{"name":"a","value":`+value+`,"tags":"x"}`), &in); err != nil {
			t.Fatal(err)
		}
		if string(in.Value) != value {
			t.Errorf("%s became %s", value, in.Value)
		}
	}
}

func TestDecodeKeepsStrings(t *testing.T) {
	s := mustInfer[noteIn](t)
	for _, text := range []string{"5", "true", "null", `["a"]`, `{"a":1}`, " padded ", "\u202e", `"`} {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var in noteIn
		if err := s.Decode(json.RawMessage(`{"key":`+string(raw)+`,"value":1}`), &in); err != nil {
			t.Fatal(err)
		}
		if in.Key != text {
			t.Errorf("%q became %q", text, in.Key)
		}
	}
}

func TestDecodeNamesEveryProblem(t *testing.T) {
	s := mustInfer[noteIn](t)
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, test := range []struct {
		name, args string
		want       []string
	}{
		{"nothing at all", ``, []string{
			"key is missing; give a string of 1 to 200 characters",
			"value is missing; give any JSON value",
		}},
		{"many at once, in declared order", `{"mode":"upsrt","key":"","importance":9,"value":1,"tags":["a",["b"]],"pinned":1}`, []string{
			"key: expected a string of 1 to 200 characters, got \"\"",
			"tags[1]: expected a string, got [\"b\"]",
			"importance: expected an integer between 1 and 5, got 9",
			"pinned: expected true or false, got 1",
			`mode: expected one of "upsert", "create", "append", got "upsrt" (did you mean "upsert"?)`,
		}},
		{"null for a required string", `{"key":null,"value":null}`, []string{"key: expected a string of 1 to 200 characters, got null"}},
		{"a key that does not exist", `{"key":"a","value":1,"catgory":"x"}`, []string{
			`catgory: an unknown argument (did you mean "category"?)`,
		}},
		{"two spellings of one key", `{"tags":["a"],"Tags":["b"],"key":"a","value":1}`, []string{
			`Tags: expected each argument only once, got another spelling of "tags"`,
		}},
		{"a key given twice", `{"key":"a","value":{"x":1,"x":2},"key":"b"}`, []string{
			"value.x is given twice; give it once",
			"key is given twice; give it once",
		}},
		{"a fraction for an integer", `{"key":"a","value":1,"if_version":1.5}`, []string{"if_version: expected an integer, got 1.5"}},
		{"text for a number", `{"key":"a","value":1,"importance":"many"}`, []string{`importance: expected an integer between 1 and 5, got "many"`}},
		{"an empty string for a list", `{"key":"a","value":1,"tags":""}`, []string{`tags: expected an array of at most 3 items, each a string, got ""`}},
		{"the word null for an item", `{"key":"a","value":1,"ranks":[1,"null"]}`, []string{`ranks[1]: expected an integer, got "null"`}},
		{"a date without time", `{"key":"a","value":1,"expires_at":"2026-01-31"}`, []string{
			`expires_at: expected a date and time with its offset, such as "2026-01-31T09:30:00Z", got "2026-01-31"`,
		}},
		{"a leap second, which Go cannot hold", `{"key":"a","value":1,"expires_at":"2016-12-31T23:59:60Z"}`, []string{
			`expires_at: expected a date and time with its offset, such as "2026-01-31T09:30:00Z", got "2016-12-31T23:59:60Z"`,
		}},
		{"a wrong value inside", `{"key":"a","value":1,"filter":{"depth":"x"},"labels":{"odd key":"y"}}`, []string{
			"filter.field is missing; give a string",
			`filter.depth: expected an integer, got "x"`,
			`labels["odd key"]: expected an integer, got "y"`,
		}},
		{"more than 64 bits", `{"key":"a","value":1,"if_version":9223372036854775808}`, []string{
			"if_version: expected an integer of at most 64 bits, got 9223372036854775808",
		}},
		{"a number that stands for a gigabyte", `{"key":"a","value":1,"importance":1e999999999}`, []string{
			`importance: expected a number of at most 1,000 characters and an exponent within ±400, got 1e999999999`,
		}},
		{"a list for the whole", `[1]`, []string{
			"expected an object with the arguments key, value, category, tags, expires_at, importance, weight, pinned, mode, if_version, ranks, filter, labels, got [1]",
		}},
		{"half a JSON text", `{"key":"a"`, []string{`expected valid JSON, got {"key":"a" (unexpected end of JSON input)`}},
		{"two JSON texts", `{"key":"a"}{}`, []string{`expected valid JSON, got {"key":"a"}{} (invalid character '{' after top-level value)`}},
		{"bytes that are no text", "{\"key\":\"\xff\"}", []string{"expected text in UTF-8, got bytes that are not UTF-8"}},
		{"a long text, shortened between characters", `{"key":"a","value":1,"importance":"` + strings.Repeat("é", 300) + `"}`, []string{
			`importance: expected an integer between 1 and 5, got "` + strings.Repeat("é", 59) + `… (300 characters)`,
		}},
		{"deep nesting", `{"key":"a","value":` + deep + `}`, []string{
			"value" + strings.Repeat("[0]", 7) + `: expected at most 100 levels of nesting, got more`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var in noteIn
			err := s.Decode(json.RawMessage(test.args), &in)
			var refused *Error
			if !errors.As(err, &refused) || refused.Code != ValidationError {
				t.Fatalf("got %v, want a %s", err, ValidationError)
			}
			var got []string
			for _, p := range refused.Problems {
				got = append(got, p.String())
				if !strings.Contains(refused.Message, p.Path) {
					t.Errorf("the message does not name %s: %s", p.Path, refused.Message)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if refused.Hint == "" || !json.Valid(refused.Schema) {
				t.Errorf("hint %q, schema %s", refused.Hint, refused.Schema)
			}
		})
	}
}

func TestDecodeLimitsInput(t *testing.T) {
	s := mustInfer[noteIn](t)
	for _, test := range []struct{ name, args, path, expected string }{
		{"a text of 9 MiB", `{"key":"a","value":"` + strings.Repeat("x", 9<<20) + `"}`, "value", "at most 8 MiB of JSON"},
		{"a million values", `{"key":"a","value":[` + strings.Repeat("1,", 1_000_000) + `1]}`, "value[99997]", "at most 100,000 values"},
		{"a key of 1 MiB", `{"key":"a","value":1,"` + strings.Repeat("k", 1<<20) + `":1}`, `["` + strings.Repeat("k", 60) + `…"]`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var in noteIn
			err := s.Decode(json.RawMessage(test.args), &in)
			var refused *Error
			if !errors.As(err, &refused) || len(refused.Problems) != 1 {
				t.Fatalf("got %.200v", err)
			}
			p := refused.Problems[0]
			if p.Path != test.path || !strings.HasPrefix(p.Expected, test.expected) {
				t.Errorf("got %v", p)
			}
			if len(refused.Message) > 1000 {
				t.Errorf("the message has %d bytes", len(refused.Message))
			}
		})
	}
	for name, args := range map[string]string{
		"90,000 unknown names": `{"key":"a","value":1,` + manyMembers(90_000) + `}`,
		"90,000 wrong values":  `{"key":"a","value":1,"labels":{` + manyMembers(90_000) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := s.parse(json.RawMessage(args), &repairLog{})
			if len(problems) != maxFindings {
				t.Errorf("got %d problems, want %d", len(problems), maxFindings)
			}
		})
	}
	t.Run("a thousand wrong items", func(t *testing.T) {
		var in noteIn
		err := s.Decode(json.RawMessage(`{"key":"a","value":1,"ranks":[`+strings.Repeat(`"x",`, 999)+`"x"]}`), &in)
		var refused *Error
		if !errors.As(err, &refused) || len(refused.Problems) != maxProblems || !strings.Contains(refused.Message, "1000 problems") {
			t.Fatalf("got %.200v", err)
		}
	})
}

// manyMembers returns n members whose values are not integers.
func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"member %d":"x"`, i)
	}
	return strings.Join(members, ",")
}

func TestDecodeConcurrently(t *testing.T) {
	s := mustInfer[noteIn](t)
	var wait sync.WaitGroup
	for _, args := range malformed {
		for range 4 {
			wait.Go(func() {
				var in noteIn
				err := s.Decode(json.RawMessage(args), &in)
				if err == nil && in.Mode == "" {
					t.Errorf("%s: the default is missing", args)
				}
			})
		}
	}
	wait.Wait()
}

func TestCheckSuggestsTheRightSpelling(t *testing.T) {
	s := mustInfer[noteIn](t)
	for _, name := range []string{"ifVersion", "IF VERSION", "if_vresion"} {
		problems := s.Check(json.RawMessage(`{"key":"a","value":1,"` + name + `":1}`))
		if len(problems) != 1 || problems[0].Suggestion != "if_version" {
			t.Errorf("%s: got %v", name, problems)
		}
	}
}

func TestDecodeWithoutArguments(t *testing.T) {
	type in struct {
		Limit int `json:"limit,omitempty" default:"8"`
	}
	s := mustInfer[in](t)
	for _, args := range []string{"", " ", "null", "{}", `""`, `"null"`} {
		var got in
		if err := s.Decode(json.RawMessage(args), &got); err != nil || got.Limit != 8 {
			t.Errorf("%q: got %+v, %v", args, got, err)
		}
	}
}

func TestCheckIsStrict(t *testing.T) {
	type out struct {
		Tags  []string `json:"tags"`
		Count int      `json:"count"`
		Note  string   `json:"note,omitempty"`
	}
	s := mustInfer[out](t)
	for _, test := range []struct {
		value any
		want  int
	}{
		{out{Tags: []string{}}, 0},
		{out{}, 1}, // a nil slice is null
		{map[string]any{"tags": "x", "count": "1", "note": nil}, 3},
		{map[string]any{"Tags": []string{}, "count": 1}, 2},
		{math.MaxInt64, 1},
	} {
		raw, err := json.Marshal(test.value)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Check(raw); len(got) != test.want {
			t.Errorf("%s: got %v, want %d problems", raw, got, test.want)
		}
	}
}
