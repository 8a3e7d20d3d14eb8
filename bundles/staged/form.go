package staged

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// A form is a template in the language of text/template, without methods: they
// are called by names that are known at run time alone, for which the linker
// keeps every exported method of every type in the program, an eighth of it. A
// name that the data does not have is an error. Of the functions it has those
// for text and for comparing, and list.
type form struct {
	name  string
	trees map[string]*parse.Tree
}

func parseForm(name, text string) (*form, error) {
	known := map[string]any{}
	for function, of := range formFunctions {
		known[function] = of
	}
	trees, err := parse.Parse(name, text, "", "", known)
	if err != nil {
		return nil, err
	}
	if trees[name] == nil { // the text only defines others, or is empty
		trees[name] = &parse.Tree{Name: name, Root: &parse.ListNode{NodeType: parse.NodeList}}
	}
	return &form{name, trees}, nil
}

// write fills the form in. One that writes more than a document may be, or takes
// very many steps, is an error: templates in templates may grow without end.
func (f *form) write(out io.Writer, data any) error {
	w := &formWriter{form: f, out: out, steps: new(int)}
	w.vars = []formVariable{{"$", data}}
	return w.list(f.trees[f.name].Root, data)
}

// mostSteps is how many parts of templates are looked at for one document.
const mostSteps = 200_000

// A formWriter walks through one template.
type formWriter struct {
	form  *form
	out   io.Writer
	vars  []formVariable // the last of a name counts
	depth int            // of templates in templates
	steps *int           // taken by all of them
}

type formVariable struct {
	name  string
	value any
}

var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

func (w *formWriter) list(list *parse.ListNode, dot any) error {
	if list == nil {
		return nil
	}
	for _, node := range list.Nodes {
		if err := w.node(node, dot); err != nil {
			return err
		}
	}
	return nil
}

func (w *formWriter) node(node parse.Node, dot any) error {
	if *w.steps++; *w.steps > mostSteps {
		return errors.New("it takes too many steps")
	}
	switch n := node.(type) {
	case *parse.TextNode:
		_, err := w.out.Write(n.Text)
		return err
	case *parse.ActionNode:
		value, err := w.pipe(n.Pipe, dot)
		if err != nil || len(n.Pipe.Decl) > 0 {
			return err
		}
		_, err = fmt.Fprint(w.out, printed(value))
		return err
	case *parse.IfNode:
		return w.branch(&n.BranchNode, dot, false)
	case *parse.WithNode:
		return w.branch(&n.BranchNode, dot, true)
	case *parse.RangeNode:
		return w.each(n, dot)
	case *parse.TemplateNode:
		return w.template(n, dot)
	case *parse.BreakNode:
		return errBreak
	case *parse.ContinueNode:
		return errContinue
	case *parse.CommentNode:
		return nil
	}
	return fmt.Errorf("%s cannot be used", node)
}

// branch writes one of two ways. with is whether the dot becomes what was asked.
func (w *formWriter) branch(n *parse.BranchNode, dot any, with bool) error {
	defer w.forget(len(w.vars))
	value, err := w.pipe(n.Pipe, dot)
	if err != nil {
		return err
	}
	if !isTrue(value) {
		return w.list(n.ElseList, dot)
	}
	if with {
		dot = value
	}
	return w.list(n.List, dot)
}

func (w *formWriter) forget(from int) { w.vars = w.vars[:from] }

// each writes a part for each element of a list.
func (w *formWriter) each(n *parse.RangeNode, dot any) error {
	defer w.forget(len(w.vars))
	declared := len(w.vars)
	value, err := w.commands(n.Pipe, dot)
	if err != nil {
		return err
	}
	keys, elements, err := elementsOf(value)
	if err != nil {
		return err
	}
	if len(elements) == 0 {
		return w.list(n.ElseList, dot)
	}
	for i, element := range elements {
		w.forget(declared)
		for at, decl := range n.Pipe.Decl {
			of := element
			if at == 0 && len(n.Pipe.Decl) == 2 {
				of = keys[i]
			}
			if err := w.declare(n.Pipe, decl.Ident[0], of); err != nil {
				return err
			}
		}
		switch err := w.list(n.List, element); err {
		case nil, errContinue:
		case errBreak:
			return nil
		default:
			return err
		}
	}
	return nil
}

// template writes another template, which sees what it is given alone.
func (w *formWriter) template(n *parse.TemplateNode, dot any) error {
	const deepest = 50
	tree := w.form.trees[n.Name]
	switch {
	case tree == nil:
		return fmt.Errorf("there is no template %q", n.Name)
	case w.depth == deepest:
		return fmt.Errorf("template %q goes too deep", n.Name)
	}
	var given any
	if n.Pipe != nil {
		var err error
		if given, err = w.pipe(n.Pipe, dot); err != nil {
			return err
		}
	}
	inner := &formWriter{form: w.form, out: w.out, vars: []formVariable{{"$", given}}, depth: w.depth + 1, steps: w.steps}
	return inner.list(tree.Root, given)
}

// elementsOf are the elements of a list, or of a map in the order of its keys.
func elementsOf(value any) (keys, elements []any, err error) {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Invalid:
		return nil, nil, nil
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			keys, elements = append(keys, i), append(elements, v.Index(i).Interface())
		}
		return keys, elements, nil
	case reflect.Map:
		sorted := v.MapKeys()
		slices.SortFunc(sorted, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, key := range sorted {
			keys, elements = append(keys, key.Interface()), append(elements, v.MapIndex(key).Interface())
		}
		return keys, elements, nil
	}
	return nil, nil, fmt.Errorf("range wants a list, not %T", value)
}
