package htmltext

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestCleanJSONCleansEveryString(t *testing.T) {
	for name, c := range map[string][3]string{
		"plain JSON":          {`{"a": [1.50, "b\n\"c\""]}`, `{"a": [1.50, "b\n\"c\""]}`, `{"a": [1.50, "b\n\"c\""]}`},
		"emoji stay":          {`["❤️ é"]`, `["❤️ é"]`, `["❤️ é"]`},
		"as it is":            {"{\"a\u200b\": 1e999, \"b\": \"\U000E0041x\"}", `{"a": 1e999, "b": "x"}`, `{"a\u200b": 1e999, "b": "\udb40\udc41x"}`},
		"as an escape":        {`["a\u200Bb", "\u202e\\u200b", "\ud83d\ude00"]`, `["ab", "\\u200b", "\ud83d\ude00"]`, `["a\u200bb", "\u202e\\u200b", "\ud83d\ude00"]`},
		"as a reference":      {`["a&#x200B;\"&amp;zwj;\\"]`, `["a\"\\"]`, `["a\u0026#x200B;\"\u0026amp;zwj;\\"]`},
		"control characters":  {`["\u001b[31m\u0000\b"]`, `["[31m"]`, `["\u001b[31m\u0000\u0008"]`},
		"what is no JSON":     {"\u200b{", "\u200b{", "\u200b{"},
		"a half of a pair":    {`["\ud83d\u200b"]`, "[\"\uFFFD\"]", `["\ufffd\u200b"]`},
		"a text and no other": {"\"\u200b\"", `""`, `"\u200b"`},
	} {
		if got := string(CleanJSON([]byte(c[0]))); got != c[1] {
			t.Errorf("%s: got %s, want %s", name, got, c[1])
		}
		if got := string(EscapeJSON([]byte(c[0]))); got != c[2] {
			t.Errorf("%s, escaped: got %s, want %s", name, got, c[2])
		}
	}
}

func FuzzCleanJSON(f *testing.F) {
	for _, seed := range []string{`{"a": ["b", 1]}`, `["\ud83d\u200b&amp;zwj;\\"]`, "[\"\U000E0041\\\\\", \"\"]", "\"\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		clean, escaped := CleanJSON([]byte(raw)), EscapeJSON([]byte(raw))
		var was, is, as any
		if json.Unmarshal([]byte(raw), &was) != nil {
			if string(clean) != raw || string(escaped) != raw {
				t.Errorf("%q, which is no JSON, became %q and %q", raw, clean, escaped)
			}
			return
		}
		if json.Unmarshal(clean, &is) != nil || json.Unmarshal(escaped, &as) != nil {
			t.Fatalf("%q became %q and %q", raw, clean, escaped)
		}
		if !reflect.DeepEqual(as, was) {
			t.Errorf("%q, escaped, means something else: %q", raw, escaped)
		}
		if shown, dropped := dropInvisible(string(escaped)); dropped > 0 {
			t.Errorf("%q, escaped, hides something: %q", escaped, shown)
		}
		eachText(is, func(text string) { checkClean(t, text) })
	})
}

// eachText calls do for all strings in a decoded JSON value.
func eachText(v any, do func(string)) {
	switch v := v.(type) {
	case string:
		do(v)
	case []any:
		for _, one := range v {
			eachText(one, do)
		}
	case map[string]any:
		for name, one := range v {
			do(name)
			eachText(one, do)
		}
	}
}
