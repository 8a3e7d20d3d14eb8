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
// document of the type has, or cannot make a starter. The argument prefill is an example
// of the data that Prefill returns.
func (t DocumentType) CheckTemplate(prefill map[string]any) error {
	parsed, err := parseTemplate(t.Name, t.Template)
	if err != nil {
		return err
	}
	values, err := t.templateData(Document{}, prefill, fieldPlaceholder)
	if err != nil {
		return err
	}
	used, unknown := &usedNames{}, []string{}
	used.collect(parsed.Root, true)
	available := slices.Sorted(maps.Keys(values))
	for _, name := range used.names {
		if slices.Contains(available, name) {
			continue
		}
		if near := metadata.Nearest(name, available, 1); len(near) > 0 {
			name += " (did you mean ." + near[0] + "?)"
		}
		unknown = append(unknown, "."+name)
	}
	if len(unknown) > 0 {
		return fmt.Errorf("there is no %s; there are .%s", strings.Join(unknown, " and no "), strings.Join(available, ", ."))
	}
	return execute(parsed, io.Discard, values)
}

// usedNames holds the names of data that a template uses, each once.
type usedNames struct{ names []string }

func (u *usedNames) add(name string) {
	if !slices.Contains(u.names, name) {
		u.names = append(u.names, name)
	}
}

// collect collects the names in a part of a template. isTop reports whether the dot is the
// data of the whole template. Inside with and range it is not.
func (u *usedNames) collect(node parse.Node, isTop bool) {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, one := range n.Nodes {
			u.collect(one, isTop)
		}
	case *parse.ActionNode:
		u.collect(n.Pipe, isTop)
	case *parse.IfNode:
		u.collectBranch(n.BranchNode, isTop, isTop)
	case *parse.WithNode:
		u.collectBranch(n.BranchNode, isTop, false)
	case *parse.RangeNode:
		u.collectBranch(n.BranchNode, isTop, false)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			u.collect(n.Pipe, isTop)
		}
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, arg := range command.Args {
				u.collect(arg, isTop)
			}
		}
	case *parse.ChainNode:
		u.collect(n.Node, isTop)
	case *parse.FieldNode:
		if isTop {
			u.add(n.Ident[0])
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" && len(n.Ident) > 1 {
			u.add(n.Ident[1])
		}
	}
}

// collectBranch collects the names in the condition and both branches of a part. isBodyTop
// is isTop for the first branch.
func (u *usedNames) collectBranch(n parse.BranchNode, isTop, isBodyTop bool) {
	u.collect(n.Pipe, isTop)
	u.collect(n.List, isBodyTop)
	if n.ElseList != nil {
		u.collect(n.ElseList, isTop)
	}
}
