package staged

import (
	"errors"
	"fmt"
	template "github.com/DataDog/datadog-agent/pkg/template/text"
	"io"
	"reflect"
	"strings"
	"text/template/parse"
)

// These limit the cost of one document, because nested templates may grow endlessly.
const (
	maxSteps       = 50_000  // writes of the template, with one for each execution of a part
	maxOutputBytes = 4 << 20 // bytes of output
)

// parseTemplate parses a template. A name that is missing in the data is an error. In
// addition to Go's functions there is list. Comparisons treat integers and fractions as
// one kind, because a JSON answer does not distinguish them.
func parseTemplate(name, text string) (*template.Template, error) {
	parsed, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"list": bullets, "eq": equalToAny,
		"ne": func(a, b any) (bool, error) { same, err := equal(a, b); return !same, err },
		"lt": func(a, b any) (bool, error) { c, err := compare(a, b); return c < 0, err },
		"le": func(a, b any) (bool, error) { c, err := compare(a, b); return c <= 0, err },
		"gt": func(a, b any) (bool, error) { c, err := compare(a, b); return c > 0, err },
		"ge": func(a, b any) (bool, error) { c, err := compare(a, b); return c >= 0, err },
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	for _, one := range parsed.Templates() {
		markSteps(one.Root)
	}
	return parsed, nil
}

// markSteps adds an empty text at the beginning of each part of a template. Each execution
// of the part writes that text, so a boundedWriter counts it.
func markSteps(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.IfNode:
			markSteps(n.List)
			markSteps(n.ElseList)
		case *parse.WithNode:
			markSteps(n.List)
			markSteps(n.ElseList)
		case *parse.RangeNode:
			markSteps(n.List)
			markSteps(n.ElseList)
		}
	}
	list.Nodes = append([]parse.Node{&parse.TextNode{NodeType: parse.NodeText}}, list.Nodes...)
}

// execute fills in a template, with limits on steps and bytes.
func execute(parsed *template.Template, out io.Writer, data any) error {
	return parsed.Execute(&boundedWriter{out: out, steps: maxSteps, bytes: maxOutputBytes}, data)
}

// A boundedWriter fails after too many writes or bytes.
type boundedWriter struct {
	out          io.Writer
	steps, bytes int
}

func (w *boundedWriter) Write(text []byte) (int, error) {
	w.steps--
	w.bytes -= len(text)
	switch {
	case w.steps < 0:
		return 0, errors.New("it takes too many steps")
	case w.bytes < 0:
		return 0, errors.New("it writes too much")
	}
	return w.out.Write(text)
}

// bullets returns a slice as a Markdown list. It indents the further lines of an item.
func bullets(items any) (string, error) {
	slice := reflect.ValueOf(items)
	if slice.Kind() != reflect.Slice {
		return "", fmt.Errorf("it needs a list, not %T", items)
	}
	lines := make([]string, 0, slice.Len())
	for i := range slice.Len() {
		lines = append(lines, "- "+strings.ReplaceAll(fmt.Sprint(slice.Index(i)), "\n", "\n  "))
	}
	return strings.Join(lines, "\n"), nil
}
