package metadata

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// malformed are calls as models send them, and worse.
var malformed = []string{
	``, `null`, `{}`, `[]`, `""`, `"{\"key\":\"a\",\"value\":1}"`, `{"key":"a","value":1}`, cleanCall,
	`{"Key":5,"value":"[1]","tags":"[\"a\"]","importance":"3","pinned":"TRUE","if-version":5.0}`,
	`{"key":"a","value":1,"tags":null,"filter":"{\"field\":1}","labels":{"a":"1"}}`,
	`{"key":"a","key":"b"}`, `{"key":1e400}`, `{"importance":1e999999999}`, `{"weight":0.00000000000000000001}`,
	`{"key":"\ud800","value":"\u0000"}`, "{\"key\":\"\xff\"}", `{"ranks":["1",[2],{"a":3}]}`, `[[[[[[]]]]]]`,
	`{"a":{"b":[1,2,{"c":"d"}]}}`, ` { "key" : "a" , "value" : [ ] } `, `-0`, `1E+2`, `"\"\\"`, `{"":1}`, `{"expires_at":"0000-00-00T00:00:00Z"}`,
}

func FuzzDecode(f *testing.F) {
	for _, args := range malformed {
		f.Add([]byte(args))
	}
	s := mustInfer[noteIn](f)
	validator, err := s.content().compiled()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		before := bytes.Clone(args)
		var in noteIn
		reading, err := s.Read(args, &in, Writes)
		if !bytes.Equal(before, args) {
			t.Fatalf("the arguments were changed to %q", args)
		}
		if s.Check(args) == nil && (err != nil && !isOutOfRange(err) || len(reading.Repaired) > 0) {
			t.Fatalf("what fits the schema was repaired: %v, %v", reading.Repaired, err)
		}
		if err != nil {
			checkRefusal(t, err)
			return
		}
		repaired, problems := s.parse(args, newRepairLog(Writes))
		if problems != nil {
			t.Fatalf("accepted, then refused: %v", problems)
		}
		text := repaired.append(nil)
		if problems := s.Check(text); problems != nil {
			t.Errorf("Decode accepts what Check refuses: %s: %v", text, problems)
		}
		if err := validator.Validate(repaired.plain()); err != nil {
			t.Errorf("Decode accepts what the validator refuses: %s: %v", text, err)
		}
		var sent struct {
			Key   *string         `json:"key"`
			Value json.RawMessage `json:"value"`
		}
		if json.Unmarshal(args, &sent) != nil || sent.Key == nil {
			return
		}
		if *sent.Key != in.Key {
			t.Errorf("the string %q became %q", *sent.Key, in.Key)
		}
		if sent.Value != nil && string(sent.Value) != string(in.Value) {
			t.Errorf("the value %s became %s", sent.Value, in.Value)
		}
	})
}

// isOutOfRange reports whether a refusal is about a number that fits the schema, but not its
// Go type.
func isOutOfRange(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) {
		return false
	}
	expected := refused.Problems[0].Expected
	return strings.Contains(expected, "at most 64 bits") || strings.Contains(expected, "1.7e308")
}

// checkRefusal fails the test unless the refusal has problems, a hint and the schema, and
// only valid text.
func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != ValidationError {
		t.Fatalf("the error is no refusal: %v", err)
	}
	if len(refused.Problems) == 0 || refused.Hint == "" || refused.Schema == nil {
		t.Errorf("the refusal is of no use: %+v", refused)
	}
	if !utf8.ValidString(refused.Message) || len(refused.Message) > 20_000 {
		t.Errorf("the message of %d bytes: %.200q", len(refused.Message), refused.Message)
	}
	for _, p := range refused.Problems {
		if p.Expected == "" || p.Got == "" {
			t.Errorf("a problem without words: %+v", p)
		}
	}
}

func FuzzParseReadsWhatEncodingJSONReads(f *testing.F) {
	for _, text := range malformed {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, problems := parse(text)
		if problems != nil {
			return
		}
		if want := decoded(t, text); !reflect.DeepEqual(v.plain(), want) {
			t.Errorf("%s was read as %v, want %v", text, v.plain(), want)
		}
		forgetText(v)
		if again := v.append(nil); !reflect.DeepEqual(decoded(t, again), decoded(t, text)) {
			t.Errorf("%s was written as %s", text, again)
		}
	})
}

// forgetText makes v compose its JSON again where possible.
func forgetText(v *value) {
	if v.kind == isArray || v.kind == isObject {
		v.raw = nil
	}
	for _, item := range v.items {
		forgetText(item)
	}
	for _, m := range v.members {
		forgetText(m.value)
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q is no JSON: %v", text, err)
	}
	return v
}

// FuzzShapeAgreesWithValidator checks that the validator accepts every value that a shape
// admits.
func FuzzShapeAgreesWithValidator(f *testing.F) {
	for _, schema := range []string{
		marshalledSchema[noteIn](f), marshalledSchema[searchIn](f),
		`{"type":["string","integer"],"minimum":3,"maxLength":2}`, `{"minimum":3}`, `{"enum":["a",1]}`, `{"enum":["a"]}`,
		`{"properties":{"a":{"type":"number","maximum":1.5}},"required":["a","b"]}`, `{"type":"array","items":{"format":"email"}}`,
		`{"additionalProperties":{"type":"null"}}`, `{"type":"object","additionalProperties":true,"properties":{"x":{}}}`,
		`{"anyOf":[{"type":"string"}]}`, `{"type":"string","pattern":"^a"}`, `{"type":"array","minItems":1,"uniqueItems":true}`,
	} {
		for _, value := range append(malformed, `3`, `2.5`, `"a"`, `"abc"`, `{"a":1.50000000000000000001}`, `{"a":1,"b":2}`, `["x"]`, `{"x":null}`, `[1,1]`) {
			f.Add([]byte(schema), []byte(value))
		}
	}
	f.Fuzz(func(t *testing.T, schema, text []byte) {
		s, err := ParseSchema(schema)
		if err != nil {
			return
		}
		Signature("f", s)
		s.Params()
		v, problems := parse(text)
		if problems != nil {
			return
		}
		validator, err := s.content().compiled()
		if err != nil {
			return // the schema is not valid JSON Schema
		}
		invalid := validator.Validate(v.plain())
		if invalid != nil && s.content().shape.admits(v) {
			t.Errorf("schema %s: %s is admitted, though %v", schema, text, invalid)
		}
		if problems := s.Check(text); (invalid == nil) != (problems == nil) {
			t.Errorf("schema %s: %s: Check says %v, the validator %v", schema, text, problems, invalid)
		}
	})
}

func marshalledSchema[T any](t testing.TB) string {
	return marshalled(t, mustInfer[T](t))
}
