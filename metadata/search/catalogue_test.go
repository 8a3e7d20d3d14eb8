package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/metadata"
)

func TestParseCatalogueReadsEveryShapeOfAToolList(t *testing.T) {
	const tool = `{"name":"mail:send","title":"Post a letter","description":"Send a mail. To anybody.\nAt once.",
		"inputSchema":{"type":"object","properties":{"to":{"description":"who gets it"},"how":{"enum":["fast","slow"]}}}}`
	want := []Entry{{
		Tool: "mail:send", Bundle: "mail", Name: "send", Summary: "Send a mail.", Description: "To anybody.\nAt once.",
		Params:  []Param{{Name: "how", Description: "fast slow"}, {Name: "to", Description: "who gets it"}},
		Phrases: []string{"Post a letter"},
	}}
	for _, file := range []string{
		"[" + tool + "]", `{"tools":[` + tool + `]}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + tool + `],"nextCursor":"x"}}`,
		"\uFEFF \n[" + tool + "]\n", "[" + strings.Replace(tool, "inputSchema", "schema", 1) + "]",
		"[" + strings.Replace(tool, "inputSchema", "parameters", 1) + "]", "[" + strings.Replace(tool, "inputSchema", "input_schema", 1) + "]",
		"[" + strings.Replace(tool, `"name"`, `"tool":"send","tool_id"`, 1) + "]", "[" + strings.Replace(tool, `"name"`, `"tool"`, 1) + "]",
	} {
		entries, schemas, _, err := ParseCatalogue([]byte(file))
		if err != nil {
			t.Errorf("ParseCatalogue(%s): %v", file, err)
			continue
		}
		if diff := cmp.Diff(want, entries); diff != "" {
			t.Errorf("ParseCatalogue(%s) (-want +got):\n%s", file, diff)
		}
		if len(schemas) != 1 || !strings.HasPrefix(string(schemas[0]), `{"type":"object"`) {
			t.Errorf("schemas of %s = %s", file, schemas)
		}
	}
}

func TestParseCatalogueReadsBundleFromPrefix(t *testing.T) {
	for name, want := range map[string][2]string{
		"send": {"", "send"}, "mail_send": {"", "mail_send"}, "mail__send": {"", "mail__send"}, "mail:send": {"mail", "send"},
		"mail.send": {"mail", "send"}, "mail/send": {"mail", "send"}, "a.b:send": {"a.b", "send"}, ":send": {"", ":send"}, "send.": {"", "send."},
	} {
		entries, _, _, err := ParseCatalogue([]byte(`[{"name":"` + name + `"}]`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := [2]string{entries[0].Bundle, entries[0].Name}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestParseCatalogueUsesFirstSentenceAsSummary(t *testing.T) {
	for text, want := range map[string]string{
		"Set a zone, e.g. the living room. Holds.": "Set a zone, e.g. the living room.", "Reads v1.2 files": "Reads v1.2 files",
		"One line\nmore": "One line", "": "", ".": ".", "予定を表示。詳細": "予定を表示。", "Ends here.": "Ends here.",
	} {
		if got, _ := metadata.SplitSentence(text); got != want {
			t.Errorf("the first sentence of %q is %q, want %q", text, got, want)
		}
	}
}

func TestParseCatalogueReadsParametersOfAllLevels(t *testing.T) {
	entries, _, _, err := ParseCatalogue([]byte(`[{"name":"x","inputSchema":{"properties":{
		"filter":{"type":"object","properties":{"since":{"description":"first day"}}},
		"lines":{"type":"array","items":{"properties":{"amount":{}}}},
		"target":{"anyOf":[{"properties":{"email":{}}},{"type":"null"}]}},
		"$defs":{"animal":{"description":"a purple elephant","properties":{"trunk":{"$ref":"#/$defs/animal"}}}},"definitions":7}}]`))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, p := range entries[0].Params {
		names = append(names, p.Name)
	}
	if want := []string{"filter", "lines", "target", "since", "amount", "email", "animal", "trunk"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if hits := NewIndex(entries, Options{}).Search("purple elephant", 1); len(hits) != 1 {
		t.Error("the text of a definition is not found")
	}
}

func TestParseCatalogueLimitsSchema(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 500) + `{}` + strings.Repeat(`}}`, 500)
	wide := `{"properties":{"a":{}` + strings.Repeat(`,"b":{}`, 3) + `},"anyOf":[` + strings.Repeat(`{"properties":{"c":{}}},`, 2000) + `{}]}`
	for schema, most := range map[string]int{deep: maxSchemaDepth, wide: maxSchemaParams} {
		entries, _, _, err := ParseCatalogue([]byte(`[{"name":"x","inputSchema":` + schema + `}]`))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(entries[0].Params); got != most {
			t.Errorf("took %d parameters, want %d", got, most)
		}
	}
}

func TestParseCatalogueErrors(t *testing.T) {
	for file, want := range map[string]string{
		"":                                  "the file is empty",
		"\n[{]":                             "line 2, column 3",
		`[{"name":"a"}] x`:                  "line 1, column 16",
		`"tools"`:                           "the file is a string",
		`null`:                              "the file is null",
		`{"tool":[]}`:                       `"tools" is missing`,
		`{"tools":{}}`:                      `"tools" is an object`,
		`{"tools":null}`:                    `"tools" is null`,
		`{"result":[]}`:                     `"result" is an array`,
		`{"result":[{"name":"a"}]}`:         `"result" is an array, want an object with "tools"`,
		`{"result":{}}`:                     `"result.tools" is missing`,
		`[null]`:                            "tool 0: want an object, got null",
		`[{"description":"x"}]`:             `tool 0: "name" is missing`,
		`[{"name":" "}]`:                    `tool 0: "name" is missing`,
		`[{"name":"--"}]`:                   "no letter or digit",
		`[{"name":5}]`:                      `tool 0: "name" is of type number, want a string`,
		`[{"name":"a","inputSchema":[]}]`:   `tool 0: "a": the input schema is an array`,
		`{"tools":[],"tools":[]}`:           `"tools" is given twice`,
		`{"result":{"tools":[],"tools":1}}`: `"result.tools" is given twice`,
		"\xff\xfe[\x00":                     "the file is UTF-16",
		`{"error":{"code":-32601,"message":"Method not found"}}`: "the server answered an error: Method not found",
		`{"tools":[{"name":"a","name":5}]`:                       "line 1",
	} {
		_, _, _, err := ParseCatalogue([]byte(file))
		if metadata.CodeOf(err) != metadata.ValidationError || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseCatalogue(%s) = %v, want a ValidationError with %q", file, err, want)
		}
	}
}

func TestParseCatalogueSkipsToolsThatItCannotRead(t *testing.T) {
	entries, schemas, skipped, err := ParseCatalogue([]byte(`[{"name":"a"},7,{},{"name":"a"},{"name":"b","inputSchema":"none"},{"name":"c"}]`))
	if err != nil || len(entries) != 2 || len(schemas) != 2 || entries[1].Tool != "c" {
		t.Errorf("read %v, %v, %v", entries, schemas, err)
	}
	want := []string{
		"tool 1: want an object, got a number", `tool 2: "name" is missing or has no letter or digit`, `tool 3 has the name of tool 0, "a"`,
		`tool 4: "b": the input schema is a string, want an object`,
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
}

func TestHasNextPage(t *testing.T) {
	for file, want := range map[string]bool{
		`{"tools":[],"nextCursor":"x"}`: true, `{"result":{"tools":[],"nextCursor":"x"}}`: true, `{"tools":[],"nextCursor":7}`: true, "\uFEFF" + `{"nextCursor":"x"}`: true,
		`{"tools":[]}`: false, `{"tools":[],"nextCursor":""}`: false, `{"tools":[],"nextCursor":null}`: false, `[{"nextCursor":"x"}]`: false, `{"result":[]}`: false, "": false,
	} {
		if got := HasNextPage([]byte(file)); got != want {
			t.Errorf("%s: got %v", file, got)
		}
	}
}

func TestParseCatalogueWithoutToolsIsEmpty(t *testing.T) {
	entries, schemas, _, err := ParseCatalogue([]byte(`{"tools":[]}`))
	if err != nil || len(entries) != 0 || len(schemas) != 0 {
		t.Errorf("got %v, %v, %v", entries, schemas, err)
	}
}

func FuzzParseCatalogue(f *testing.F) {
	for _, seed := range []string{
		`[{"name":"a:b","inputSchema":{"properties":{"x":{"enum":["y",1]}},"items":[{}]}}]`, `{"result":{"tools":[{"tool":"x"}]}}`, "[{", "\uFEFF[]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		entries, schemas, _, err := ParseCatalogue(raw)
		if err != nil {
			if metadata.CodeOf(err) != metadata.ValidationError {
				t.Fatalf("error %v has code %s", err, metadata.CodeOf(err))
			}
			return
		}
		if len(entries) != len(schemas) {
			t.Fatalf("%d entries, %d schemas", len(entries), len(schemas))
		}
		x := NewIndex(entries, Options{})
		for i, e := range entries {
			hits := x.Search(e.Tool, 0)
			if len(e.Tool) <= maxQueryBytes && !slices.ContainsFunc(hits, func(h Hit) bool { return h.Entry == i && h.MatchKind == MatchExact }) {
				t.Fatalf("the name %q does not find its tool: %v", e.Tool, hits)
			}
		}
	})
}
