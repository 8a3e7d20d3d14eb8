package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kota/metadata"
	"kota/metadata/words"
)

// ParseCatalogue reads MCP tool definitions: a JSON array of them, an object with "tools"
// (the result of tools/list) or a whole JSON-RPC response with "result". It returns an
// entry for each tool, in order, and the tools' input schemas, nil for a tool without one.
//
// The prefix of a name up to its last : . or / becomes the entry's bundle. The first
// sentence of the description becomes its summary. Parameters come from all levels of the
// schema, at most 8 deep and 256 per tool. In addition to MCP's names it accepts "tool_id"
// and "tool" for "name", and "input_schema", "parameters" and "schema" for "inputSchema".
//
// Its error is a ValidationError that says what is wrong and where.
func ParseCatalogue(raw []byte) ([]Entry, []json.RawMessage, error) {
	list, err := toolList(raw)
	if err != nil {
		return nil, nil, err
	}
	entries := make([]Entry, 0, len(list))
	schemas := make([]json.RawMessage, 0, len(list))
	index := map[string]int{}
	for i, item := range list {
		entry, schema, err := parseTool(item)
		if err != nil {
			return nil, nil, catalogueError("tool %d: %v", i, err)
		}
		if first, taken := index[entry.Tool]; taken {
			return nil, nil, catalogueError("tool %d: the name %q is that of tool %d already", i, entry.Tool, first)
		}
		index[entry.Tool] = i
		entries = append(entries, entry)
		schemas = append(schemas, schema)
	}
	return entries, schemas, nil
}

func catalogueError(format string, args ...any) *metadata.Error {
	return metadata.Errorf(metadata.ValidationError, "catalogue: "+format, args...).
		WithHint(`give MCP tool definitions as JSON: [{"name": …, "description": …, "inputSchema": {…}}] or {"tools": […]}; tools are counted from 0`)
}

// toolList finds the list of tools in any of its usual forms.
func toolList(raw []byte) ([]json.RawMessage, error) {
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, catalogueError("the file is empty")
	}
	if err := json.Unmarshal(raw, new(json.RawMessage)); err != nil {
		return nil, catalogueError("%s", describeJSONError(raw, err))
	}
	if kindOf(raw) == "an array" {
		return array("the file", raw)
	}
	object, err := members("the file", raw)
	if err != nil {
		return nil, err
	}
	if tools, found := object["tools"]; found {
		return array(`"tools"`, tools)
	}
	result, found := object["result"]
	if !found {
		return nil, catalogueError(`the object has no "tools"`)
	}
	object, err = members(`"result"`, result)
	if err != nil {
		return nil, err
	}
	return array(`"result.tools"`, object["tools"])
}

func array(what string, raw json.RawMessage) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, catalogueError("%s is %s, want an array of tools", what, kindOf(raw))
	}
	return list, nil
}

func members(what string, raw json.RawMessage) (map[string]json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return nil, catalogueError("%s is %s, want an array of tools or an object with \"tools\"", what, kindOf(raw))
	}
	return object, nil
}

// describeJSONError says what is wrong with raw, with the line and column.
func describeJSONError(raw []byte, err error) string {
	syntax := (*json.SyntaxError)(nil)
	if !errors.As(err, &syntax) {
		return err.Error()
	}
	before := raw[:min(int(syntax.Offset), len(raw))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	return fmt.Sprintf("line %d, column %d: %v", line, column, err)
}

// kindOf names the kind of a JSON value, for messages.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// toolDefinition is a tool definition with all names that are in use for its members.
type toolDefinition struct {
	Name         string          `json:"name"`
	ToolID       string          `json:"tool_id"`
	Tool         string          `json:"tool"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	InputSchema2 json.RawMessage `json:"input_schema"`
	Parameters   json.RawMessage `json:"parameters"`
	Schema       json.RawMessage `json:"schema"`
}

func parseTool(raw json.RawMessage) (Entry, json.RawMessage, error) {
	if kind := kindOf(raw); kind != "an object" {
		return Entry{}, nil, fmt.Errorf("want an object, got %s", kind)
	}
	var t toolDefinition
	if err := json.Unmarshal(raw, &t); err != nil {
		wrong := (*json.UnmarshalTypeError)(nil)
		if errors.As(err, &wrong) {
			return Entry{}, nil, fmt.Errorf("%q is of type %s, want a string", wrong.Field, wrong.Value)
		}
		return Entry{}, nil, err
	}
	name := strings.TrimSpace(firstOf(t.Name, t.ToolID, t.Tool))
	if words.Key(name) == "" {
		return Entry{}, nil, errors.New(`"name" is missing or has no letter or digit`)
	}
	schema := firstSchema(t.InputSchema, t.InputSchema2, t.Parameters, t.Schema)
	params, err := schemaParams(schema)
	if err != nil {
		return Entry{}, nil, fmt.Errorf("%q: %w", name, err)
	}
	entry := Entry{Tool: name, Name: name, Params: params}
	if i := strings.LastIndexAny(name, ":./"); i > 0 && i+1 < len(name) {
		entry.Bundle, entry.Name = name[:i], name[i+1:]
	}
	entry.Summary, entry.Description = metadata.SplitSentence(t.Description)
	if t.Title != "" {
		entry.Phrases = []string{t.Title}
	}
	return entry, schema, nil
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

func firstSchema(schemas ...json.RawMessage) json.RawMessage {
	for _, s := range schemas {
		if len(s) > 0 && string(s) != "null" {
			return s
		}
	}
	return nil
}
