package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
)

// field is a key that a mapping may have, and the function that applies its
// value.
type field struct {
	name string
	set  func(*checker, value)
}

// value is the value of a key, with its path and line for messages.
type value struct {
	path string // "bundles.memory.enabled"
	line int
	node ast.Node
}

// inside returns " in PATH" for messages about a key of v, or "" at the top.
func (v value) inside() string {
	if v.path == "" {
		return ""
	}
	return " in " + v.path
}

// checker fills a Config from bundles.yaml and collects the problems.
type checker struct {
	cfg      *Config
	file     string // for messages
	known    []KnownBundle
	profile  value // checked once every profile is known
	problems []problem
}

// applyConfig applies raw, the text of file, to cfg. If raw has problems, it
// returns the error of problemsError; cfg then has only some of the settings.
func applyConfig(cfg *Config, file string, raw []byte, known []KnownBundle) error {
	root, found := parseConfig(raw)
	if found != nil {
		return problemsError(file, found)
	}
	c := &checker{cfg: cfg, file: file, known: known}
	c.fields(value{line: 1, node: root}, root, topFields)
	if c.profile.node != nil {
		cfg.Profile, cfg.ProfileLine = c.choice(c.profile, cfg.Profile, ProfileNames(cfg.Profiles)...), c.profile.line
	}
	return problemsError(file, c.problems)
}

func (c *checker) problem(line int, format string, args ...any) {
	c.problems = append(c.problems, problem{line, fmt.Sprintf(format, args...)})
}

// mapping checks that v is a mapping of these fields and applies its entries. A
// mapping in which every line is commented out counts as empty.
func (c *checker) mapping(v value, fields []field) {
	if v.node.Type() == ast.NullType {
		return
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a mapping with the keys %s", v.path, kindOf(v.node), names(fields))
		return
	}
	c.fields(v, m, fields)
}

func (c *checker) fields(v value, m *ast.MappingNode, fields []field) {
	c.entries(v, m, func(key string, entry value) {
		for _, f := range fields {
			if f.name == key {
				f.set(c, entry)
				return
			}
		}
		c.problem(entry.line, "unknown key %q%s%s; allowed: %s", mistake.Shorten(key), v.inside(), mistake.DidYouMean(key, fieldNames(fields)), names(fields))
	})
}

// entries calls each for every entry of m, except repeated keys.
func (c *checker) entries(v value, m *ast.MappingNode, each func(key string, entry value)) {
	first := map[string]int{}
	for _, pair := range m.Values {
		key, line := pair.Key.GetToken().Value, lineOf(pair.Key)
		entry := value{path: strings.TrimPrefix(v.path+"."+key, "."), line: line, node: pair.Value}
		if at, twice := first[key]; twice {
			c.problem(line, "the key %q is given twice%s, first on line %d; allowed: once", mistake.Shorten(key), v.inside(), at)
			continue
		}
		first[key] = line
		each(key, entry)
	}
}

// choice returns the text of v if it is one of allowed. Otherwise it records a
// problem and returns fallback.
func (c *checker) choice(v value, fallback string, allowed ...string) string {
	text, ok := textOf(v.node)
	switch {
	case !ok:
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), strings.Join(allowed, ", "))
	case !slices.Contains(allowed, text):
		c.problem(v.line, "%s is %s%s; allowed: %s", v.path, kindOf(v.node), mistake.DidYouMean(text, allowed), strings.Join(allowed, ", "))
	default:
		return text
	}
	return fallback
}

// list returns the texts of v, or nil if v is not a list. An empty value is an
// empty list. list records a problem for each text that is repeated or is not
// one of allowed.
func (c *checker) list(v value, allowed []string) []string {
	if v.node.Type() == ast.NullType {
		return []string{}
	}
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a list of %s", v.path, kindOf(v.node), strings.Join(allowed, ", "))
		return nil
	}
	texts := []string{}
	for i, n := range s.Values {
		item := value{path: fmt.Sprintf("%s[%d]", v.path, i), line: lineOf(n), node: n}
		if n.Type() == ast.NullType {
			item.line = v.line
		}
		text := c.choice(item, "", allowed...)
		if text != "" && slices.Contains(texts, text) {
			c.problem(item.line, "%s names %s a second time; allowed: once", v.path, text)
		}
		texts = append(texts, text)
	}
	return texts
}

// nonEmptyList is list for a list that must not be empty. Users could not tell
// whether an empty list allows nothing or everything.
func (c *checker) nonEmptyList(v value, allowed []string) []string {
	texts := c.list(v, allowed)
	if texts != nil && len(texts) == 0 {
		c.problem(v.line, "%s is empty; allowed: a list of %s, or omit the key to allow all", v.path, strings.Join(allowed, ", "))
	}
	return texts
}

// textOf returns the text of n, or false if n is not a text.
func textOf(n ast.Node) (string, bool) {
	s, ok := n.(*ast.StringNode)
	if !ok {
		return "", false
	}
	return s.Value, true
}

func fieldNames(fields []field) []string {
	list := []string{}
	for _, f := range fields {
		list = append(list, f.name)
	}
	return list
}

func names(fields []field) string { return strings.Join(fieldNames(fields), ", ") }
