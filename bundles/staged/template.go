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
	return t.render(doc, known, fieldPlaceholder)
}

// fieldPlaceholder returns the placeholder for a field without an answer.
func fieldPlaceholder(p metadata.Param) any {
	blank := "<" + p.Name + ">"
	if isList(p) {
		return []any{blank}
	}
	return blank
}

// finalText returns the final document. Fields without an answer are empty.
func (t DocumentType) finalText(doc Document, known map[string]any) (string, error) {
	return t.render(doc, known, func(p metadata.Param) any {
		if isList(p) {
			return []any{}
		}
		return ""
	})
}

func isList(p metadata.Param) bool { return strings.HasPrefix(p.Type, "[") }

// prefillData returns the data of Prefill.
func (t DocumentType) prefillData(ctx context.Context, doc Document) (map[string]any, error) {
	if t.Prefill == nil {
		return nil, nil
	}
	known, err := t.Prefill(ctx, doc)
	if err != nil {
		return nil, fmt.Errorf("gather the data for %s: %w", t.Name, err)
	}
	return known, nil
}

// render fills in the template, with blank for the fields without an answer.
func (t DocumentType) render(doc Document, known map[string]any, blank func(metadata.Param) any) (string, error) {
	data, err := t.templateData(doc, known, blank)
	if err != nil {
		return "", err
	}
	parsed, err := parseTemplate(t.Name, t.Template)
	if err != nil {
		return "", t.templateError(err)
	}
	var out strings.Builder
	if err := execute(parsed, &out, data); err != nil {
		return "", t.templateError(err)
	}
	return strings.TrimSpace(out.String()), nil
}

// templateData returns the data of the template.
func (t DocumentType) templateData(doc Document, known map[string]any, blank func(metadata.Param) any) (map[string]any, error) {
	data := map[string]any{}
	for name, value := range known {
		data[name] = value
	}
	for _, p := range t.params() {
		data[p.Name] = blank(p)
	}
	for name, raw := range doc.Answers {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, fmt.Errorf("read the answer %s: %w", name, err)
		}
		data[name] = value
	}
	data["type"], data["period"], data["title"] = doc.Type, doc.Period, doc.Title
	return data, nil
}

// templateError returns the UNAVAILABLE error for a template that does not work. The user
// may have written the template.
func (t DocumentType) templateError(err error) error {
	return metadata.Errorf(metadata.Unavailable, "the template of %s failed: %w", t.Name, err).
		WithHint("Use another type. The user can fix their own template in bundles.yaml.")
}
