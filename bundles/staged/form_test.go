package staged

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"text/template"
)

// seen is what the forms of these tests see: what JSON decodes to, and what Go
// code gathers.
func seen() map[string]any {
	return map[string]any{
		"title": "Trip <to> Rome", "period": "2026-11", "cost": 12.5, "days": 3, "none": nil, "yes": true, "no": false, "empty": "",
		"words": []any{"a", "b\nc", 3.0}, "nothing": []any{}, "names": []string{"Ann", "Bob"},
		"who":  map[string]any{"first": "Ann", "age": 41.0},
		"rows": []struct{ Name string }{{"x"}, {"y"}}, "row": &struct{ Name string }{"p"},
	}
}

var forms = []string{
	"", "plain", "# {{.title}}\n\n{{.cost}} {{.days}} {{.yes}} {{.none}}", "{{if .words}}yes{{else}}no{{end}}",
	"{{if .nothing}}yes{{else if .cost}}cost{{else}}no{{end}}", "{{with .who}}{{.first}} is {{.age}} in {{$.period}}{{end}}",
	"{{range .words}}- {{.}}\n{{else}}none{{end}}", "{{range $i, $w := .words}}{{$i}}={{$w}} {{end}}", "{{range .nothing}}x{{else}}none{{end}}",
	"{{range .rows}}{{.Name}};{{end}}{{.row.Name}}", "{{range $k, $v := .who}}{{$k}}:{{$v}} {{end}}", "{{len .words}} {{len .title}} {{index .words 0}} {{index .who \"first\"}}",
	"{{if eq .period \"2026-11\"}}now{{end}} {{ne .days 3}} {{lt .days 4}} {{gt .cost 12.0}} {{le .cost 12.5}} {{ge .days 9}}",
	"{{if and .yes (not .no)}}both{{end}} {{or .empty .title}} {{and .yes .empty .title}}", "{{printf \"%.2f of %s\" .cost .title}} {{print .title .days}} {{.title | printf \"%q\"}}",
	"{{$x := .title}}{{$x}}{{$x = .period}}{{$x}}", "{{define \"row\"}}<{{.}}>{{end}}{{range .names}}{{template \"row\" .}}{{end}}", "{{range .words}}{{if eq . \"a\"}}{{continue}}{{end}}{{break}}{{end}}end",
	"{{/* said */}}{{- .title -}} x", "{{list .names}}\n{{.words | list}}", "{{(index .words 0)}}{{(print .who.first)}}", "{{with $x := .who}}{{$x.first}}{{end}}",
	"{{$x := 1}}{{range $x = .names}}{{$x}} {{end}}{{$x}}", "{{range $i, $x := .names}}{{end}}{{with $x}}{{end}}",
	"{{.nowhere}}", "{{.title.first}}", "{{.who.last}}", "{{range .title}}{{end}}", "{{template \"none\"}}", "{{list .title}}", "{{lt .title 3}}", "{{len .days}}", "{{index .words 9}}", "{{.title 3}}",
	"{{if}}", "{{nofunction .title}}", "{{", "{{$y}}", "{{end}}", "{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}", "{{nil}}", "{{1000000000000000000000}}", "{{eq .words .words}}",
}

// TestFormsAreWrittenAsTheStandardLibraryDoes holds forms to text/template, where
// the two have the same functions: the same text, or an error of both.
func TestFormsAreWrittenAsTheStandardLibraryDoes(t *testing.T) {
	for _, text := range forms {
		agree(t, text)
	}
}

func TestAFormThatGrowsWithoutEndIsAnError(t *testing.T) {
	text := `{{define "t0"}}x{{end}}`
	for i := 1; i < 45; i++ {
		text += fmt.Sprintf(`{{define "t%d"}}{{template "t%d"}}{{template "t%[2]d"}}{{end}}`, i, i-1)
	}
	form, err := parseForm("form", text+`{{template "t44"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := form.write(io.Discard, nil); err == nil || !strings.Contains(err.Error(), "too many steps") {
		t.Errorf("got %v, want that it takes too many steps", err)
	}
}

func FuzzForms(f *testing.F) {
	for _, text := range forms {
		f.Add(text)
	}
	f.Fuzz(agree)
}

func agree(t *testing.T, text string) {
	for _, ours := range []string{"html", "js", "call", "slice", "urlquery", "block"} {
		if strings.Contains(text, ours) {
			return // a form has none of them
		}
	}
	data := seen()
	want, wrong := byTheLibrary(text, data)
	var got strings.Builder
	form, err := parseForm("form", text)
	if err == nil {
		err = form.write(&got, data)
	}
	switch {
	case wrong == nil && err == nil && got.String() != want:
		t.Errorf("%q makes %q, want %q", text, got.String(), want)
	case wrong == nil && err != nil && !stricter(err):
		t.Errorf("%q: %v, want %q", text, err, want)
	case wrong != nil && err == nil && !laxer(wrong):
		t.Errorf("%q makes %q, want the error %v", text, got.String(), wrong)
	}
}

func byTheLibrary(text string, data map[string]any) (string, error) {
	functions := template.FuncMap{"list": func(items any) (any, error) { return bullets(items) }}
	parsed, err := template.New("form").Option("missingkey=error").Funcs(functions).Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = parsed.Execute(&out, data)
	return out.String(), err
}

// stricter reports whether an error is of what a form leaves out on purpose:
// ranges over numbers, complex numbers and what only Go code could mean.
func stricter(err error) bool {
	for _, words := range []string{"range wants a list", "cannot be compared", "is too large", "has no element", "has no length", "goes too deep", "cannot be used"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// laxer reports whether the library refuses what is no mistake in a form: whole
// and broken numbers are compared.
func laxer(err error) bool {
	for _, words := range []string{"incompatible types", "error calling eq", "error calling ne", "error calling l", "error calling g", "exceeded maximum template depth"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}
