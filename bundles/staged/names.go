package staged

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template/parse"

	"kota/metadata"
)

// CheckTemplate returns an error if the template cannot be parsed, uses a name that no
// document of the type has, or cannot make a starter. The argument knows is what Prefill
// may return.
func (t DocumentType) CheckTemplate(knows map[string]any) error {
	parsed, err := parseTemplate(t.Name, t.Template)
	if err != nil {
		return err
	}
	values, err := t.sees(Document{}, knows, unanswered)
	if err != nil {
		return err
	}
	used, unknown := &usedNames{}, []string{}
	used.in(parsed.Root, true)
	there := slices.Sorted(maps.Keys(values))
	for _, name := range used.names {
		if slices.Contains(there, name) {
			continue
		}
		if near := metadata.Nearest(name, there, 1); len(near) > 0 {
			name += " (did you mean ." + near[0] + "?)"
		}
		unknown = append(unknown, "."+name)
	}
	if len(unknown) > 0 {
		return fmt.Errorf("there is no %s; there are .%s", strings.Join(unknown, " and no "), strings.Join(there, ", ."))
	}
	return execute(parsed, io.Discard, values)
}

// usedNames holds the names that a template uses, each once.
type usedNames struct{ names []string }

func (u *usedNames) add(name string) {
	if !slices.Contains(u.names, name) {
		u.names = append(u.names, name)
	}
}

// in collects the names in a part of a template. whole reports whether the dot is the
// data of the whole template. Inside with and range it is not.
func (u *usedNames) in(node parse.Node, whole bool) {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, one := range n.Nodes {
			u.in(one, whole)
		}
	case *parse.ActionNode:
		u.in(n.Pipe, whole)
	case *parse.IfNode:
		u.branch(n.BranchNode, whole, whole)
	case *parse.WithNode:
		u.branch(n.BranchNode, whole, false)
	case *parse.RangeNode:
		u.branch(n.BranchNode, whole, false)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			u.in(n.Pipe, whole)
		}
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, arg := range command.Args {
				u.in(arg, whole)
			}
		}
	case *parse.ChainNode:
		u.in(n.Node, whole)
	case *parse.FieldNode:
		if whole {
			u.add(n.Ident[0])
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" && len(n.Ident) > 1 {
			u.add(n.Ident[1])
		}
	}
}

// branch collects the names in both branches of a part.
func (u *usedNames) branch(n parse.BranchNode, whole, within bool) {
	u.in(n.Pipe, whole)
	u.in(n.List, within)
	if n.ElseList != nil {
		u.in(n.ElseList, whole)
	}
}
