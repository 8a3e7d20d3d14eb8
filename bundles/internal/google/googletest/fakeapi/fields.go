package fakeapi

import (
	"fmt"
	"strings"
)

// mask selects fields of an object. The mask of each field selects parts of
// that field. An empty mask selects everything.
type mask map[string]mask

// parseFields reads a selector such as "messages(id,payload/headers),nextPageToken"
// (developers.google.com/workspace/gmail/api/guides/performance#partial).
func parseFields(selector string) (mask, error) {
	m, rest, err := parseMask(selector)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		return nil, fmt.Errorf("unexpected %q in %q", rest, selector)
	}
	return m, nil
}

func parseMask(text string) (mask, string, error) {
	selected := mask{}
	for {
		rest, err := selected.parseField(text)
		if err != nil {
			return nil, "", err
		}
		if !strings.HasPrefix(rest, ",") {
			return selected, rest, nil
		}
		text = rest[1:]
	}
}

// parseField reads one path, with the parentheses after it.
func (m mask) parseField(text string) (string, error) {
	end := strings.IndexAny(text, "/(),")
	if end < 0 {
		end = len(text)
	}
	name := strings.TrimSpace(text[:end])
	if name == "" {
		return "", fmt.Errorf("a field is missing before %q", text)
	}
	if m[name] == nil {
		m[name] = mask{}
	}
	rest := text[end:]
	switch {
	case strings.HasPrefix(rest, "/"):
		return m[name].parseField(rest[1:])
	case strings.HasPrefix(rest, "("):
		inner, after, err := parseMask(rest[1:])
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(after, ")") {
			return "", fmt.Errorf("a parenthesis is not closed before %q", after)
		}
		for field, fields := range inner {
			m[name][field] = fields
		}
		return after[1:], nil
	}
	return rest, nil
}

// checkFields returns an error naming a field that the schema does not have.
func (d *document) checkFields(m mask, s *schema) error {
	s = d.resolve(s)
	for s != nil && s.Type == "array" {
		s = d.resolve(s.Items)
	}
	for name, inner := range m {
		if name == "*" {
			continue
		}
		var field *schema
		if s != nil {
			field = s.Properties[name]
			if field == nil {
				field = s.Additional
			}
		}
		if field == nil {
			return fmt.Errorf("invalid field selection %s", name)
		}
		if err := d.checkFields(inner, field); err != nil {
			return err
		}
	}
	return nil
}

// selectFrom returns the part of a decoded JSON value that the mask selects.
func (m mask) selectFrom(value any) any {
	if len(m) == 0 {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		kept := Object{}
		for name, field := range v {
			inner, wanted := m[name]
			if !wanted {
				inner, wanted = m["*"]
			}
			if wanted {
				kept[name] = inner.selectFrom(field)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, item := range v {
			kept[i] = m.selectFrom(item)
		}
		return kept
	}
	return value
}
