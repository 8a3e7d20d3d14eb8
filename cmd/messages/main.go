// Command messages prints docs/reference/messages.md. The page lists the texts
// in the source that people and models read. Run the command at the root of the
// project.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := write(out, ".")
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "messages:", err)
		os.Exit(1)
	}
}

const head = "# Messages\n\n" +
	"This page lists the texts that people and models read. `go run ./cmd/messages > docs/reference/messages.md` generates it from the source.\n" +
	"`%s` and the like stand for a value, `…` for a part that the program computes, and `⏎` for a new line.\n"

// write prints the page for the source at root.
func write(out io.Writer, root string) error {
	packages := map[string][]message{}
	if err := visit(root, "cmd/kota", packages); err != nil {
		return err
	}
	if _, err := io.WriteString(out, head); err != nil {
		return err
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		list := packages[pkg]
		slices.SortStableFunc(list, func(a, b message) int { return cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)) })
		for i, m := range slices.Compact(list) {
			if i == 0 {
				fmt.Fprintf(out, "\n## %s\n\n", pkg)
			}
			fmt.Fprintf(out, "- %s: %s (%s)\n", m.kind, code(m.text), m.file)
		}
	}
	return nil
}

// visit adds the messages of a package, and of the packages of this module that
// it imports, to found.
func visit(root, pkg string, found map[string][]message) error {
	if _, visited := found[pkg]; visited {
		return nil
	}
	found[pkg] = nil
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") { // a page is read in its template
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool { return c.List[0].Text == "//go:build conformance" }) {
			continue
		}
		c := collector{file: filepath.Base(name)}
		c.walk(file, text)
		found[pkg] = append(found[pkg], c.found...)
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(path, "kota/") {
				if err := visit(root, strings.TrimPrefix(path, "kota/"), found); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// A message is a text in the source.
type message struct{ kind, text, file string }

const (
	failure     = "error"
	hint        = "hint"
	description = "description" // of a bundle, an action or a prompt
	argument    = "argument"    // the description of a field in a request or an answer
	help        = "help"
	question    = "question"
	record      = "log"
	text        = "text" // anything else, such as a note or a label
	unread      = ""     // not for readers
)

var kinds = []string{failure, hint, question, description, argument, help, text, record}

// The kind of a literal depends on the function, field or type that it is for.
var (
	calls = []struct {
		name *regexp.Regexp
		kind string
	}{
		{regexp.MustCompile(`^(panic|MustCompile|NewReplacer|Getenv|LookupEnv|HasPrefix|HasSuffix|Contains|EqualFold|Trim\w*|Cut\w*|Split\w*|Index|Fields|Join|Walk|(Query|Exec|Prepare)(Row|Context)*)$`), unread},
		{regexp.MustCompile(`(?i)^(\w*errorf?|\w*invalid|\w*refused?)$`), failure},
		{regexp.MustCompile(`^WithHint$`), hint},
		{regexp.MustCompile(`^(Confirm|ConfirmSend|ConfirmDestroy)$`), question},
		{regexp.MustCompile(`^(Debug|Info|Warn|Error)(Context)?$`), record},
		{regexp.MustCompile(`^(String|Bool|Int|Int64|Float64|Duration|Count)(Slice|Array)?(Var)?P?$`), help},
	}
	fields = map[string]string{
		"Message": failure, "Expected": failure, "Hint": hint, "Suggestion": hint,
		"Description": description, "Summary": description, "Title": description, "Scenario": description, "Instructions": description,
		"Short": help, "Long": help, "Example": help,
		"Aliases": unread, "Args": unread, "Got": unread,
	}
	types = map[string]string{"Outgoing": question, "Deletion": question, "Form": question, "Shown": question}
)

// A collector finds the messages of one file.
type collector struct {
	file  string
	found []message
}

// walk collects the literals below a node. kind is their kind unless a call,
// field or type below the node has another.
func (c *collector) walk(node ast.Node, kind string) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CaseClause: // its cases are compared, not shown
			for _, statement := range n.Body {
				c.walk(statement, kind)
			}
			return false
		case *ast.CallExpr:
			kind := callKind(n.Fun, kind)
			c.walk(n.Fun, kind)
			for _, arg := range n.Args {
				c.walk(arg, kind)
			}
			return false
		case *ast.CompositeLit:
			if kind, ok := types[nameOf(n.Type)]; ok {
				for _, element := range n.Elts {
					c.walk(element, kind)
				}
				return false
			}
		case *ast.KeyValueExpr:
			if kind, ok := fields[nameOf(n.Key)]; ok {
				c.walk(n.Value, kind)
				return false
			}
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value)
				c.add(argument, reflect.StructTag(tag).Get("doc"))
			}
			c.walk(n.Type, kind)
			return false
		case *ast.BinaryExpr:
			if n.Op == token.ADD {
				c.add(kind, joined(n))
			}
			return n.Op != token.ADD && n.Op != token.EQL && n.Op != token.NEQ
		case *ast.BasicLit:
			c.add(kind, joined(n))
		}
		return true
	})
}

// callKind returns the kind of the arguments of a call to a function. For a
// function that is not in calls, it returns outside, the kind of the call
// itself.
func callKind(function ast.Expr, outside string) string {
	name := nameOf(function)
	if pkg, ok := function.(*ast.SelectorExpr); ok && nameOf(pkg.X) == "errors" && name == "New" {
		return failure
	}
	for _, call := range calls {
		if call.name.MatchString(name) {
			return call.kind
		}
	}
	return outside
}

// nameOf returns the last name of an expression such as pkg.Name, and "" for others.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// joined returns the text of a literal or of a concatenation, in which "…"
// stands for the parts that are not literals.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return joined(e.X)
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	}
	return "…"
}

var (
	verb  = regexp.MustCompile(`%[-+#.\[\]0-9]*[a-zA-Z]`)
	words = regexp.MustCompile(`\pL\S*\s+\S*\pL`)
	// What is not for readers: SQL, lists of columns, HTTP headers, HTML.
	technical = regexp.MustCompile(`^\s*\(?(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|WHERE|AND|OR|ORDER|FROM|JOIN|LEFT|PRAGMA|BEGIN|VACUUM|SAVEPOINT|RELEASE|ROLLBACK|ON|LIMIT|GROUP|SET|VALUES|EXPLAIN|ATTACH|DETACH|NOT|EXISTS|UNION|REINDEX|ANALYZE|RETURNING)\b` +
		`|[=<>] ?\?|\bIS (NOT )?NULL\b|\bDESC\b|^\w+(, \w+)+$|^(text|application)/|^<`)
)

// add records a text that readers see and that has at least two words.
func (c *collector) add(kind, text string) {
	if kind != unread && words.MatchString(verb.ReplaceAllString(text, "")) && !technical.MatchString(text) {
		c.found = append(c.found, message{kind, strings.TrimSpace(text), c.file})
	}
}

// code returns text as code in Markdown, on one line.
func code(text string) string {
	text = strings.ReplaceAll(text, "\n", " ⏎ ")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
