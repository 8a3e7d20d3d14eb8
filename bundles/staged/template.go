package staged

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kota/metadata"
)

// starter returns the document with the known data, and placeholders for the rest.
func (t DocumentType) starter(doc Document, answers map[string]json.RawMessage, known map[string]any) (string, error) {
	doc.Answers = answers
	return t.render(doc, known, unanswered)
}

// unanswered returns the placeholder for a field without an answer.
func unanswered(p metadata.Param) any {
	blank := "<" + p.Name + ">"
	if isList(p) {
		return []any{blank}
	}
	return blank
}

// body returns the final document. The answers are complete.
func (t DocumentType) body(doc Document, known map[string]any) (string, error) {
	return t.render(doc, known, func(p metadata.Param) any {
		if isList(p) {
			return []any{}
		}
		return ""
	})
}

func isList(p metadata.Param) bool { return strings.HasPrefix(p.Type, "[") }

// known returns the data of Prefill.
func (t DocumentType) known(ctx context.Context, doc Document) (map[string]any, error) {
	if t.Prefill == nil {
		return nil, nil
	}
	known, err := t.Prefill(ctx, doc)
	if err != nil {
		return nil, fmt.Errorf("gather for %s: %w", t.Name, err)
	}
	return known, nil
}

// render fills in the template, with blank for the fields without an answer.
func (t DocumentType) render(doc Document, known map[string]any, blank func(metadata.Param) any) (string, error) {
	sees, err := t.sees(doc, known, blank)
	if err != nil {
		return "", err
	}
	parsed, err := parseTemplate(t.Name, t.Template)
	if err != nil {
		return "", t.unusable(err)
	}
	var out strings.Builder
	if err := execute(parsed, &out, sees); err != nil {
		return "", t.unusable(err)
	}
	return strings.TrimSpace(out.String()), nil
}

// sees returns the data of the template.
func (t DocumentType) sees(doc Document, known map[string]any, blank func(metadata.Param) any) (map[string]any, error) {
	sees := map[string]any{}
	for name, value := range known {
		sees[name] = value
	}
	for _, p := range t.params() {
		sees[p.Name] = blank(p)
	}
	for name, raw := range doc.Answers {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, fmt.Errorf("read answer %s: %w", name, err)
		}
		sees[name] = value
	}
	sees["type"], sees["period"], sees["title"] = doc.Type, doc.Period, doc.Title
	return sees, nil
}

// unusable returns the error for a template that does not work. The template may be the
// user's own.
func (t DocumentType) unusable(err error) error {
	return metadata.Errorf(metadata.Unavailable, "the template of %s does not work: %w", t.Name, err).
		WithHint("Take another type. A template of the user's own is mended in bundles.yaml.")
}
