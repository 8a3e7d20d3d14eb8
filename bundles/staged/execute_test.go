package staged

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// sampleData returns the data of the test templates: values of decoded JSON, and values of
// Go code.
func sampleData() map[string]any {
	return map[string]any{
		"title": "Trip <to> Rome", "period": "2026-11", "cost": 12.5, "days": 3, "none": nil, "yes": true, "no": false, "empty": "",
		"words": []any{"a", "b\nc", 3.0}, "nothing": []any{}, "names": []string{"Ann", "Bob"},
		"who":  map[string]any{"first": "Ann", "age": 41.0},
		"rows": []struct{ Name string }{{"x"}, {"y"}}, "row": &struct{ Name string }{"p"},
	}
}

var templateOutputs = map[string]string{
	"":      "",
	"plain": "plain",
	"# {{.title}}\n\n{{.cost}} {{.days}} {{.yes}} {{.none}}":                                                                   "# Trip <to> Rome\n\n12.5 3 true <no value>",
	"{{if .words}}yes{{else}}no{{end}}":                                                                                        "yes",
	"{{if .nothing}}yes{{else if .cost}}cost{{else}}no{{end}}":                                                                 "cost",
	"{{with .who}}{{.first}} is {{.age}} in {{$.period}}{{end}}":                                                               "Ann is 41 in 2026-11",
	"{{range .words}}- {{.}}\n{{else}}none{{end}}":                                                                             "- a\n- b\nc\n- 3\n",
	"{{range $i, $w := .words}}{{$i}}={{$w}} {{end}}":                                                                          "0=a 1=b\nc 2=3 ",
	"{{range .nothing}}x{{else}}none{{end}}":                                                                                   "none",
	"{{range .rows}}{{.Name}};{{end}}{{.row.Name}}":                                                                            "x;y;p",
	"{{range $k, $v := .who}}{{$k}}:{{$v}} {{end}}":                                                                            "age:41 first:Ann ",
	"{{len .words}} {{len .title}} {{index .words 0}} {{index .who \"first\"}}":                                                "3 14 a Ann",
	"{{if eq .period \"2026-11\"}}now{{end}} {{ne .days 3}} {{lt .days 4}} {{gt .cost 12.0}} {{le .cost 12.5}} {{ge .days 9}}": "now false true true true false",
	"{{if and .yes (not .no)}}both{{end}} {{or .empty .title}} {{and .yes .empty .title}}":                                     "both Trip <to> Rome ",
	"{{printf \"%.2f of %s\" .cost .title}} {{print .title .days}} {{.title | printf \"%q\"}}":                                 "12.50 of Trip <to> Rome Trip <to> Rome3 \"Trip <to> Rome\"",
	"{{$x := .title}}{{$x}}{{$x = .period}}{{$x}}":                                                                             "Trip <to> Rome2026-11",
	"{{define \"row\"}}<{{.}}>{{end}}{{range .names}}{{template \"row\" .}}{{end}}":                                            "<Ann><Bob>",
	"{{range .words}}{{if eq . \"a\"}}{{continue}}{{end}}{{break}}{{end}}end":                                                  "end",
	"{{/* said */}}{{- .title -}} x":                                                                                           "Trip <to> Romex",
	"{{list .names}}\n{{.words | list}}":                                                                                       "- Ann\n- Bob\n- a\n- b\n  c\n- 3",
	"{{(index .words 0)}}{{(print .who.first)}}":                                                                               "aAnn",
	"{{with $x := .who}}{{$x.first}}{{end}}":                                                                                   "Ann",
	"{{$x := 1}}{{range $x = .names}}{{$x}} {{end}}{{$x}}":                                                                     "Ann Bob Bob",
}

var invalidTemplates = []string{
	"{{range $i, $x := .names}}{{end}}{{with $x}}{{end}}",
	"{{.nowhere}}",
	"{{.title.first}}",
	"{{.who.last}}",
	"{{range .title}}{{end}}",
	"{{template \"none\"}}",
	"{{list .title}}",
	"{{lt .title 3}}",
	"{{len .days}}",
	"{{index .words 9}}",
	"{{.title 3}}",
	"{{if}}",
	"{{nofunction .title}}",
	"{{",
	"{{$y}}",
	"{{end}}",
	"{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}",
	"{{nil}}",
	"{{1000000000000000000000}}",
	"{{eq .words .words}}",
}

func fill(text string) (string, error) {
	parsed, err := parseTemplate("form", text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = execute(parsed, &out, sampleData())
	return out.String(), err
}

func TestTemplatesAreFilledIn(t *testing.T) {
	for text, want := range templateOutputs {
		if got, err := fill(text); err != nil || got != want {
			t.Errorf("%q makes %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestTemplatesCompareIntegersWithFractions(t *testing.T) {
	const text = `{{eq .days 3.0}} {{gt .cost 12}} {{le .who.age 41}} {{ne .days 2.5}} {{eq .period "x" "2026-11"}}`
	if got, err := fill(text); err != nil || got != "true true true true true" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestInvalidTemplatesFail(t *testing.T) {
	for _, text := range invalidTemplates {
		if got, err := fill(text); err == nil {
			t.Errorf("%q makes %q", text, got)
		}
	}
}

func TestEndlessTemplatesFail(t *testing.T) {
	doubled := `{{define "t0"}}x{{end}}`
	for i := 1; i < 45; i++ {
		doubled += fmt.Sprintf(`{{define "t%d"}}{{template "t%d"}}{{template "t%[2]d"}}{{end}}`, i, i-1)
	}
	for text, says := range map[string]string{
		doubled + `{{template "t44"}}`:                                   "too many steps",
		`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`:          "too many steps",
		`{{range 1000000000}}{{end}}`:                                    "too many steps",
		`{{range 1000000000}}{{if .}}{{else}}{{end}}{{end}}`:             "too many steps",
		`{{range 100}}{{printf "%100000d" 1}}{{end}}`:                    "too much",
		`{{range 1000000000}}{{with $x := .}}{{continue}}{{end}}{{end}}`: "too many steps",
	} {
		parsed, err := parseTemplate("form", text)
		if err != nil {
			t.Fatal(err)
		}
		if err := execute(parsed, io.Discard, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60s: got %v, want that it says %q", text, err, says)
		}
	}
}

func FuzzTemplates(f *testing.F) {
	for text := range templateOutputs {
		f.Add(text)
	}
	for _, text := range invalidTemplates {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := fill(text); err == nil && len(got) > maxOutputBytes {
			t.Errorf("%q makes %d bytes", text, len(got))
		}
	})
}
