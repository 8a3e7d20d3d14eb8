package console

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
)

// longTexts are the arguments whose text has several lines.
var longTexts = []string{"body", "text", "value", "content", "description", "html", "notes", "answers"}

// fieldOf returns the field of a form for an argument.
func fieldOf(param metadata.Param, value string) view.TryField {
	field := view.TryField{Name: param.Name, Help: param.Description, Required: param.Required, Value: value, Kind: "json", Type: param.Type}
	switch {
	case param.Enum != nil && !strings.HasPrefix(param.Type, "["):
		field.Kind, field.Options = "choice", param.Enum
	case param.Type == "bool":
		field.Kind, field.Options = "choice", []string{"true", "false"}
	case param.Type == "int", param.Type == "num":
		field.Kind = "number"
	case param.Type == "str", param.Type == "date":
		field.Kind = "text"
		if slices.Contains(longTexts, param.Name) {
			field.Kind = "long"
		}
	case strings.HasPrefix(param.Type, "[") && !strings.HasPrefix(param.Type, "[{"):
		field.Kind = "list"
	case param.Type == "any":
		field.Kind = "any"
	}
	if param.Default != nil {
		field.Default = strings.Trim(string(param.Default), `"`)
	}
	return field
}

// arguments returns the arguments of a filled-in form. It leaves out empty fields.
func arguments(fields []view.TryField) (map[string]json.RawMessage, error) {
	in := map[string]json.RawMessage{}
	for _, field := range fields {
		value, err := argument(field)
		if err != nil {
			return nil, err
		}
		if value != nil {
			in[field.Name] = value
		}
	}
	return in, nil
}

// argument returns the value of a field as JSON, and nil if the field is empty.
func argument(field view.TryField) (json.RawMessage, error) {
	text := strings.ReplaceAll(field.Value, "\r\n", "\n")
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return nil, nil
	}
	switch field.Kind {
	case "list":
		if strings.HasPrefix(trimmed, "[") && json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed), nil
		}
		var lines []string
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return plain(lines), nil
	case "number":
		if _, err := strconv.ParseFloat(trimmed, 64); err != nil || !json.Valid([]byte(trimmed)) {
			return nil, metadata.Errorf(metadata.ValidationError, "%s is a number, not %.40q", field.Name, trimmed)
		}
		return json.RawMessage(trimmed), nil
	case "choice":
		if slices.Equal(field.Options, []string{"true", "false"}) {
			return json.RawMessage(trimmed), nil
		}
		return plain(trimmed), nil
	case "any":
		if json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed), nil
		}
	case "json":
		if !json.Valid([]byte(trimmed)) {
			return nil, metadata.Errorf(metadata.ValidationError, "%s takes JSON of the form %s, and this is no JSON: %.40q", field.Name, field.Type, trimmed).
				WithHint("Write names and texts in double quotes.")
		}
		return json.RawMessage(trimmed), nil
	}
	return plain(text), nil
}

// plain returns a value of texts and JSON as JSON in which < and > stay as people wrote them.
func plain(value any) json.RawMessage {
	var text bytes.Buffer
	line := json.NewEncoder(&text)
	line.SetEscapeHTML(false)
	if err := line.Encode(value); err != nil {
		panic(err) // the value was made of JSON and texts
	}
	return bytes.TrimSpace(text.Bytes())
}

// exampleQuery returns the query of the address that fills in the form with an example.
func exampleQuery(example metadata.Example) (string, bool) {
	raw, err := json.Marshal(example.Args)
	var in map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &in) != nil || len(in) == 0 {
		return "", false
	}
	query := url.Values{}
	for name, value := range in {
		text, lines := "", []string(nil)
		switch {
		case json.Unmarshal(value, &text) == nil:
		case json.Unmarshal(value, &lines) == nil:
			text = strings.Join(lines, "\n")
		default:
			text = string(value)
		}
		query.Set("arg."+name, text)
	}
	return query.Encode(), true
}
