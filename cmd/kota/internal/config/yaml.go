package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"kota/cmd/kota/internal/mistake"
)

// maxConfigTokens is the limit on YAML tokens in bundles.yaml, comments not
// counted. It is several times what a hundred bundles need.
const maxConfigTokens = 5000

// problem is one mistake in bundles.yaml.
type problem struct {
	line int
	text string // "message; allowed values"
}

// maxProblems is how many problems an error lists.
const maxProblems = 20

// problemsError returns an error that wraps a *mistake.Error, or nil if there are
// no problems. It lists the first maxProblems problems in the order of their lines.
func problemsError(file string, found []problem) error {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b problem) int { return a.line - b.line })
	lines := []string{}
	for i, p := range found {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("%s:%d: there are %d more problems", file, p.line, len(found)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", file, p.line, p.text))
	}
	return &contentError{&mistake.Error{Lines: lines}}
}

// contentError is a mistake in what bundles.yaml says.
type contentError struct{ mistaken *mistake.Error }

func (e *contentError) Error() string { return e.mistaken.Error() }

func (e *contentError) Unwrap() error { return e.mistaken }

// IsContentError reports whether an error of Load is about what bundles.yaml
// says, and not about the file itself or the environment.
func IsContentError(err error) bool {
	content := (*contentError)(nil)
	return errors.As(err, &content)
}

// parseConfig returns the mapping in raw, or the problems that keep it from
// being parsed.
func parseConfig(raw []byte) (*ast.MappingNode, []problem) {
	if found := textProblems(raw); found != nil {
		return nil, found
	}
	// The remaining tabs are before or in comments, where the parser rejects
	// them. One space for each keeps every column.
	tokens := lexer.Tokenize(strings.ReplaceAll(configText(raw), "\t", " "))
	content := slices.DeleteFunc(slices.Clone(tokens), func(t *token.Token) bool { return t.Type == token.CommentType })
	if len(content) > maxConfigTokens {
		line := content[maxConfigTokens].Position.Line
		return nil, []problem{{line, fmt.Sprintf("the file is too long; allowed: %d YAML tokens", maxConfigTokens)}}
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, []problem{syntaxProblem(err)}
	}
	return singleMapping(file)
}

func syntaxProblem(err error) problem {
	if e := yaml.Error(nil); errors.As(err, &e) && e.GetToken() != nil {
		return problem{e.GetToken().Position.Line, "this is not YAML: " + e.GetMessage() + "; allowed: `key: value` lines, indented with spaces"}
	}
	return problem{1, "this is not YAML: " + err.Error() + "; allowed: `key: value` lines, indented with spaces"}
}

func singleMapping(file *ast.File) (*ast.MappingNode, []problem) {
	forms := &formChecker{}
	var bodies []ast.Node
	for i, doc := range file.Docs {
		if doc.Body != nil {
			bodies = append(bodies, doc.Body)
			ast.Walk(forms, doc.Body)
		}
		if i > 0 && forms.problems == nil {
			forms.problems = append(forms.problems, problem{lineOf(doc), "a second document starts here; allowed: one document"})
		}
	}
	if forms.problems != nil {
		return nil, forms.problems
	}
	if len(bodies) == 0 {
		return nil, []problem{{1, "the file has no settings; allowed: the keys " + names(topFields) + ", or {} for the defaults"}}
	}
	mapping, ok := bodies[0].(*ast.MappingNode)
	if !ok {
		return nil, []problem{{lineOf(bodies[0]), "the file is " + kindOf(bodies[0]) + "; allowed: the keys " + names(topFields)}}
	}
	return mapping, nil
}

// lineOf returns the line of n, or 1 if unknown.
func lineOf(n ast.Node) int {
	if doc, ok := n.(*ast.DocumentNode); ok {
		switch {
		case doc.Start != nil:
			return doc.Start.Position.Line
		case doc.Body == nil:
			return 1
		}
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

// formChecker collects YAML forms that bundles.yaml does not need. A reader who
// does not know these forms can then understand the whole file.
type formChecker struct{ problems []problem }

func (f *formChecker) Visit(n ast.Node) ast.Visitor {
	var text string
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode:
		text = "anchors and aliases (& and *) are not used here; allowed: the value written out"
	case *ast.TagNode:
		text = "tags (!) are not used here; allowed: the plain value"
	case *ast.DirectiveNode:
		text = "directives (%) are not used here; allowed: the keys " + names(topFields)
	case *ast.MappingKeyNode:
		text = "keys with ? are not used here; allowed: key: value"
	default:
		return f
	}
	f.problems = append(f.problems, problem{lineOf(n), text})
	return nil
}

// kindOf names the kind of n in words.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "empty"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "the number " + mistake.Shorten(n.GetToken().Value)
	case *ast.BoolNode:
		return n.GetToken().Value
	}
	return fmt.Sprintf("the text %q", mistake.Shorten(n.GetToken().Value))
}
