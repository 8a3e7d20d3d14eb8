package staged

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template/parse"
)

// pipe is the value of a pipeline, which is given to the variables that it
// declares or sets.
func (w *formWriter) pipe(p *parse.PipeNode, dot any) (any, error) {
	value, err := w.commands(p, dot)
	if err != nil {
		return nil, err
	}
	for _, decl := range p.Decl {
		if err := w.declare(p, decl.Ident[0], value); err != nil {
			return nil, err
		}
	}
	return value, nil
}

func (w *formWriter) commands(p *parse.PipeNode, dot any) (value any, err error) {
	for i, command := range p.Cmds {
		if value, err = w.command(command, dot, value, i > 0); err != nil {
			return nil, err
		}
	}
	return value, nil
}

// declare gives a variable of the pipeline its value.
func (w *formWriter) declare(p *parse.PipeNode, name string, value any) error {
	if !p.IsAssign {
		w.vars = append(w.vars, formVariable{name, value})
		return nil
	}
	at := w.variable(name)
	if at < 0 {
		return fmt.Errorf("there is no variable %s", name)
	}
	w.vars[at].value = value
	return nil
}

// variable is where the last variable of that name is, -1 when there is none.
func (w *formWriter) variable(name string) int {
	for at := len(w.vars) - 1; at >= 0; at-- {
		if w.vars[at].name == name {
			return at
		}
	}
	return -1
}

// command is one value, or the call of a function; last is what the command
// before it in the pipeline came to.
func (w *formWriter) command(c *parse.CommandNode, dot, last any, piped bool) (any, error) {
	name, isCall := c.Args[0].(*parse.IdentifierNode)
	if !isCall {
		if len(c.Args) > 1 || piped {
			return nil, fmt.Errorf("%s is no function", c.Args[0])
		}
		return w.value(c.Args[0], dot)
	}
	given := c.Args[1:]
	if name.Ident == "and" || name.Ident == "or" { // the rest is not looked at once it is decided
		return w.decide(name.Ident == "or", given, dot, last, piped)
	}
	var args []any
	for _, arg := range given {
		value, err := w.value(arg, dot)
		if err != nil {
			return nil, err
		}
		args = append(args, value)
	}
	if piped {
		args = append(args, last)
	}
	value, err := formFunctions[name.Ident](args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name.Ident, err)
	}
	return value, nil
}

func (w *formWriter) decide(by bool, given []parse.Node, dot, last any, piped bool) (value any, err error) {
	if len(given) == 0 && !piped {
		return nil, errors.New("and and or want something to decide")
	}
	for _, arg := range given {
		if value, err = w.value(arg, dot); err != nil || isTrue(value) == by {
			return value, err
		}
	}
	if piped {
		value = last
	}
	return value, nil
}

func (w *formWriter) value(node parse.Node, dot any) (any, error) {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return nil, errors.New("nil is not a command")
	case *parse.FieldNode:
		return follow(dot, n.Ident)
	case *parse.VariableNode:
		at := w.variable(n.Ident[0])
		if at < 0 {
			return nil, fmt.Errorf("there is no variable %s", n.Ident[0])
		}
		return follow(w.vars[at].value, n.Ident[1:])
	case *parse.ChainNode:
		value, err := w.value(n.Node, dot)
		if err != nil {
			return nil, err
		}
		return follow(value, n.Field)
	case *parse.PipeNode:
		return w.pipe(n, dot)
	case *parse.StringNode:
		return n.Text, nil
	case *parse.BoolNode:
		return n.True, nil
	case *parse.NumberNode:
		return number(n)
	case *parse.IdentifierNode:
		return formFunctions[n.Ident](nil)
	}
	return nil, fmt.Errorf("%s cannot be used", node)
}

func number(n *parse.NumberNode) (any, error) {
	switch {
	case n.IsComplex:
		return nil, fmt.Errorf("%s cannot be used", n.Text)
	case n.IsFloat && writtenBroken(n.Text):
		return n.Float64, nil
	case n.IsInt:
		return int(n.Int64), nil
	}
	return nil, fmt.Errorf("%s is too large", n.Text)
}

// writtenBroken reports whether a number is written with a fraction or an
// exponent, and is no character or whole number in base 16 that has those letters.
func writtenBroken(text string) bool {
	hex := strings.Contains(strings.ToLower(text), "0x") && !strings.ContainsAny(text, "pP")
	return !hex && text[0] != '\'' && strings.ContainsAny(text, ".eEpP")
}

// follow goes from a value to a field of a field of it.
func follow(value any, names []string) (any, error) {
	for _, name := range names {
		v := reflect.ValueOf(value)
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		var field reflect.Value
		switch {
		case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
			field = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		case v.Kind() == reflect.Struct:
			if t, there := v.Type().FieldByName(name); there && t.IsExported() {
				field, _ = v.FieldByIndexErr(t.Index)
			}
		}
		if !field.IsValid() {
			return nil, fmt.Errorf("there is no .%s in %T", name, value)
		}
		value = field.Interface()
	}
	return value, nil
}

// isTrue is what if takes for true: all but false, zero, nil and what is empty.
func isTrue(value any) bool {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

// printed is what is written of a value: of a pointer what it points to.
func printed(value any) any {
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid():
		return "<no value>"
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return v.Elem().Interface()
	}
	return value
}
