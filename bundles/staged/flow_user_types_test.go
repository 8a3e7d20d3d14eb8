package staged_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kota/bundles/staged"
	"kota/metadata"
)

// userType returns a type that a user could define.
func userType(t testing.TB, template string, fields ...staged.Field) staged.DocumentType {
	t.Helper()
	list, err := staged.FieldList(fields)
	if err != nil {
		t.Fatal(err)
	}
	return staged.DocumentType{Name: "one_on_one", Line: "a talk of two", Instructions: "Ask.", Fields: list, Template: template}
}

func TestUserTypes(t *testing.T) {
	person := staged.Field{Name: "person", Doc: `who, by "name"`, Required: true}
	own := userType(t, "With {{.person}}: {{list .agreed}} {{.minutes}} {{if .again}}again{{end}}", person,
		staged.Field{Name: "agreed", Type: "list"}, staged.Field{Name: "minutes", Type: "number"}, staged.Field{Name: "again", Type: "yes_no"})
	d := newFlowFixture()
	types := []staged.DocumentType{own}
	d.userTypes = func(context.Context) ([]staged.DocumentType, error) { return types, nil }

	t.Run("are listed behind the others", func(t *testing.T) {
		if got := d.call(t, `{}`).Types; len(got) != 3 || got[2] != (staged.TypeLine{Type: "one_on_one", Line: "a talk of two"}) {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("are written as any other", func(t *testing.T) {
		out := d.call(t, `{"type": "one on one"}`)
		if got, want := encodeJSON(t, out.Fields), `["person*:str who, by \"name\"","agreed:[str]","minutes:num","again:bool"]`; got != want {
			t.Errorf("the fields are %s, want %s", got, want)
		}
		if got := encodeJSON(t, out.Next.Call.Answers); got != `{"person":"…"}` {
			t.Errorf("the next call answers %s", got)
		}
		out = d.call(t, `{"handle": "`+out.Handle+`", "answers": {"person": "Ida", "again": "true", "minutes": "12.5"}}`)
		if out.Stage != "created" || d.created[0].Body != "With Ida:  12.5 again" {
			t.Errorf("got %s of %q", encodeJSON(t, out), d.created[0].Body)
		}
	})
	t.Run("that lose a field keep the rest of what was answered", func(t *testing.T) {
		handle := d.call(t, `{"type": "one_on_one", "answers": {"agreed": ["tea"], "minutes": 5}}`).Handle
		types = []staged.DocumentType{userType(t, "{{.person}} {{.minutes}}", person, staged.Field{Name: "minutes", Type: "number"})}
		out := d.call(t, `{"handle": "`+handle+`", "answers": {"person": "Ida"}}`)
		if out.Stage != "created" || d.created[1].Body != "Ida 5" {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("that are taken away lead back to the types", func(t *testing.T) {
		handle := d.call(t, `{"type": "one_on_one"}`).Handle
		types = nil
		if out := d.call(t, `{"handle": "`+handle+`", "answers": {"person": "Ida"}}`); out.Stage != "discovery" || !strings.Contains(out.Note, "no longer exists") {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("whose template does not work say so", func(t *testing.T) {
		for _, template := range []string{"{{.nobody}}", "{{if}}", "{{list .person}}"} {
			types = []staged.DocumentType{userType(t, template, person)}
			_, err := d.tryCall(t.Context(), `{"type": "one_on_one"}`)
			e := (*metadata.Error)(nil)
			if !errors.As(err, &e) || e.Code != metadata.Unavailable || !strings.Contains(e.Message, "one_on_one") || e.Hint == "" {
				t.Errorf("%s: got %v", template, err)
			}
		}
	})
}

func TestFieldListRejectsInvalidFields(t *testing.T) {
	for says, fields := range map[string][]staged.Field{
		`"a b" cannot name a field`:                                      {{Name: "a b"}},
		`"title" cannot name a field`:                                    {{Name: "title"}},
		`"` + strings.Repeat("x", 33) + `" cannot`:                       {{Name: strings.Repeat("x", 33)}},
		`two fields are named "a"`:                                       {{Name: "a"}, {Name: "a"}},
		`has the unknown type "date"; known: text, list, number, yes_no`: {{Name: "a", Type: "date"}},
	} {
		if _, err := staged.FieldList(fields); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: got %v, want %q", fields, err, says)
		}
	}
}

func TestDocumentTypeCheckRejectsInvalidTypes(t *testing.T) {
	for says, breaks := range map[string]func(*staged.DocumentType){
		"lower_snake_case":       func(d *staged.DocumentType) { d.Name = "One" },
		"the line of one_on_one": func(d *staged.DocumentType) { d.Line = strings.Repeat("é", 81) },
	} {
		own := userType(t, "{{.a}}", staged.Field{Name: "a"})
		if err := own.Check(); err != nil {
			t.Fatal(err)
		}
		breaks(&own)
		if err := own.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
}

func TestCheckTemplateRejectsUnknownNames(t *testing.T) {
	fields := []staged.Field{{Name: "who"}, {Name: "agreed", Type: "list"}}
	prefill := map[string]any{"entries": ""}
	for template, says := range map[string]string{
		"{{.title}} {{.period}} {{.type}} {{.who}} {{list .agreed}} {{.entries}}": "",
		"{{range .agreed}}{{.}} of {{$.who}}{{else}}{{.who}}{{end}}":              "",
		"{{with .who}}{{len .}}{{end}}{{/* .nowhere */}}":                         "",
		"{{define \"row\"}}{{.}}{{end}}{{template \"row\" .who}}":                 "",
		"{{.a":                                  "unclosed action",
		"{{nowhere}}":                           `function "nowhere" not defined`,
		"{{.agred}}":                            "there is no .agred (did you mean .agreed?); there are .agreed, .entries, .period, .title, .type, .who",
		"{{if .entries}}{{list .facts}}{{end}}": "there is no .facts;",
		"{{if .who}}{{else}}{{.one | printf .two}}{{end}}": "there is no .one and no .two;",
		"{{range .agreed}}{{$.whom}}{{end}}":               "there is no .whom (did you mean .who?)",
		"{{range .agreed}}{{else}}{{.nobody.name}}{{end}}": "there is no .nobody;",
		"{{template \"none\" .none}}":                      "there is no .none;",
		"{{with $x := .hidden}}{{$x}}{{end}}":              "there is no .hidden;",
		"{{range .agreed}}{{.who}}{{end}}":                 "can't evaluate field who",
		"{{list .who}}":                                    "it needs a list, not string",
	} {
		err := userType(t, template, fields...).CheckTemplate(prefill)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: got %v, want %q", template, err, says)
		}
	}
}

func TestBindPanicsOnInvalidFlows(t *testing.T) {
	for says, breaks := range map[string]func(*staged.Flow){
		"there are no types":           func(f *staged.Flow) { f.Types = nil },
		`two types are named "toast"`:  func(f *staged.Flow) { f.Types[1].Name = "toast" },
		"is not lower_snake_case":      func(f *staged.Flow) { f.Types[0].Name = "A toast" },
		"the line of toast is empty":   func(f *staged.Flow) { f.Types[0].Line = "" },
		"Stages and Create are both":   func(f *staged.Flow) { f.Create = nil },
		"Stages and Create are both n": func(f *staged.Flow) { f.Stages = nil },
	} {
		f := newFlowFixture().flow()
		breaks(&f)
		expectBindPanic(t, f, says)
	}
}

// expectBindPanic checks that the flow cannot be bound, and checks the text of the panic.
func expectBindPanic(t *testing.T, f staged.Flow, says string) {
	t.Helper()
	defer func() {
		if text, _ := recover().(string); !strings.HasPrefix(text, `bind flow "write": `) || !strings.Contains(text, says) {
			t.Errorf("got the panic %q, want one that says %q", text, says)
		}
	}()
	staged.Bind(f)
}

func TestDocumentDecode(t *testing.T) {
	doc := staged.Document{Answers: map[string]json.RawMessage{"to": json.RawMessage(`"Anna"`), "length": json.RawMessage(`4`)}}
	var got toastFields
	if err := doc.Decode(&got); err != nil || got.To != "Anna" || got.Length != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Every call gets a helpful error or an answer that names the next call. A repeated last
// call makes nothing more.
func FuzzFlow(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"type":"toast"}`, `{"type":"menu","answers":{}}`, `{"handle":"s_0"}`, `{"handle":"s_0","cancel":true}`, `{"handle":"s_9","answers":{"to":"x"}}`,
		`{"handle":"s_0",` + completeAnswers + `}`, `{"type":"toast","period":"x"}`, `{"handle":"s_0","type":"menu","period":"2026-01"}`, `{"answers":{"to":null,"merits":"…"}}`,
		`{"handle":"s_0","answers":{"to":"{{.title}}","merits":["\u0000","<a>"],"length":1e0}}`,
	} {
		f.Add(seed, `{"handle":"s_0",`+completeAnswers+`}`)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		d := newFlowFixture()
		d.call(t, `{"type": "toast"}`)
		for _, args := range []string{first, second, second} {
			out, err := d.tryCall(t.Context(), args)
			if err != nil {
				if metadata.CodeOf(err) != metadata.ValidationError {
					t.Fatalf("%s: %v", args, err)
				}
				continue
			}
			if out.Stage != "created" && out.Next.Call == nil {
				t.Fatalf("%s leads nowhere: %s", args, encodeJSON(t, out))
			}
		}
		before := len(d.created)
		if out, err := d.tryCall(t.Context(), second); err == nil && out.Handle != "" && out.Stage == "created" && len(d.created) != before {
			t.Fatalf("%s made one more", second)
		}
	})
}
