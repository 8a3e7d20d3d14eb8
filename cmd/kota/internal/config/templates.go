package config

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kota/bundles/daily"
	"kota/bundles/staged"
)

const (
	templatesAllowed = "a mapping of names to {line, instructions, fields, template}"
	fieldsAllowed    = "a mapping of names to what they are, or to {doc, type, required}"
	fieldTypes       = "text, list, number, yes_no"
)

// templates reads the user's own document types.
func (c *checker) templates(v value) {
	c.namedEntries(v, templatesAllowed, func(name string, entry value) {
		if taken := daily.TypeNames(); slices.Contains(taken, name) {
			c.problem(entry.line, "the template %s comes with KOTA; allowed: a name other than %s", name, strings.Join(taken, ", "))
			return
		}
		before := len(c.problems)
		own, form := c.ownType(name, entry)
		if len(c.problems) == before {
			c.checkType(own, entry, form)
		}
		c.cfg.Templates = append(c.cfg.Templates, own)
	})
}

// checkType records the problems of a type as a whole. form is the value with
// its template.
func (c *checker) checkType(own staged.DocumentType, entry, form value) {
	if err := own.Check(); err != nil {
		c.problem(entry.line, "%s: %v; allowed: a lower_snake_case name, and a line of at most 80 characters", entry.path, err)
		return
	}
	if err := own.CheckTemplate(daily.EmptyPrefill()); err != nil {
		c.problem(form.line, "%s: %v; allowed: a template of Go's text/template", form.path, err)
	}
}

// ownType returns the document type that v describes, and the value with its
// template, for messages.
func (c *checker) ownType(name string, v value) (own staged.DocumentType, form value) {
	own = staged.DocumentType{Name: name, Instructions: "Ask the user for each field. Write only what the user said."}
	c.mapping(v, []field{
		{"line", func(c *checker, v value) { own.Line = c.text(v) }},
		{"instructions", func(c *checker, v value) { own.Instructions = c.text(v) }},
		{"fields", func(c *checker, v value) {
			fields := []staged.Field{}
			c.namedEntries(v, fieldsAllowed, func(name string, entry value) { fields = append(fields, c.ownField(name, entry)) })
			schema, err := staged.FieldList(fields)
			if err != nil {
				c.problem(v.line, "%s: %v; allowed: lower_snake_case names other than type, period and title", v.path, err)
			}
			own.Fields = schema
		}},
		{"template", func(c *checker, v value) { own.Template, form = c.linesOf(v), v }},
	})
	return own, form
}

// ownField reads a field: `cost: in euros`, or `cost: {doc: in euros, type: number}`.
func (c *checker) ownField(name string, v value) staged.Field {
	own := staged.Field{Name: name}
	if doc, ok := textOf(v.node); ok {
		own.Doc = doc
		return own
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: what the field is, or a mapping with the keys doc, type, required", v.path, kindOf(v.node))
		return own
	}
	c.fields(v, m, []field{
		{"doc", func(c *checker, v value) { own.Doc = c.text(v) }},
		{"type", func(c *checker, v value) { own.Type = c.choice(v, "", strings.Split(fieldTypes, ", ")...) }},
		{"required", func(c *checker, v value) {
			on, ok := switchOf(v.node)
			if !ok {
				c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), switchesAllowed)
			}
			own.Required = on
		}},
	})
	return own
}

// namedEntries calls each for every entry of a mapping whose keys the user chooses.
func (c *checker) namedEntries(v value, allowed string, each func(name string, entry value)) {
	if v.node.Type() == ast.NullType {
		return
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), allowed)
		return
	}
	c.entries(v, m, each)
}

// text reads a text, which must not be empty.
func (c *checker) text(v value) string {
	text, ok := textOf(v.node)
	if !ok || strings.TrimSpace(text) == "" {
		c.problem(v.line, "%s is %s; allowed: a text, in quotes if it has special characters", v.path, kindOf(v.node))
	}
	return text
}

// linesOf reads a text, or a list of its lines.
func (c *checker) linesOf(v value) string {
	list, ok := v.node.(*ast.SequenceNode)
	if !ok {
		return c.text(v)
	}
	lines := []string{}
	for _, n := range list.Values {
		line, ok := textOf(n)
		if !ok {
			c.problem(lineOf(n), "%s has %s among its lines; allowed: texts, in quotes", v.path, kindOf(n))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
