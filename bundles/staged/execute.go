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

// What one document may cost: templates in templates may grow without end.
const (
	mostSteps = 50_000  // parts of templates that are written
	mostBytes = 4 << 20 // written
)

// parseTemplate reads a template. A name that the data does not have is an
// error. Besides what Go's templates know there is list, and a comparison takes
// whole and broken numbers for one kind: an answer in JSON does not tell them
// apart.
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
		countSteps(one.Root)
	}
	return parsed, nil
}

// countSteps puts an empty text before each part of a template, so that a
// boundedWriter learns of each time the part is written.
func countSteps(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.IfNode:
			countSteps(n.List)
			countSteps(n.ElseList)
		case *parse.WithNode:
			countSteps(n.List)
			countSteps(n.ElseList)
		case *parse.RangeNode:
			countSteps(n.List)
			countSteps(n.ElseList)
		}
	}
	list.Nodes = append([]parse.Node{&parse.TextNode{NodeType: parse.NodeText}}, list.Nodes...)
}

// execute fills in a template, within limits of steps and bytes.
func execute(parsed *template.Template, out io.Writer, data any) error {
	return parsed.Execute(&boundedWriter{out: out, steps: mostSteps, bytes: mostBytes}, data)
}

// A boundedWriter refuses to write too often or too much.
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

// bullets writes a slice as a Markdown list, an item's lines below each other.
func bullets(items any) (string, error) {
	slice := reflect.ValueOf(items)
	if slice.Kind() != reflect.Slice {
		return "", fmt.Errorf("it wants a list, not %T", items)
	}
	lines := make([]string, 0, slice.Len())
	for i := range slice.Len() {
		lines = append(lines, "- "+strings.ReplaceAll(fmt.Sprint(slice.Index(i)), "\n", "\n  "))
	}
	return strings.Join(lines, "\n"), nil
}
