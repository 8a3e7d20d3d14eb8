package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kota/metadata"
	"kota/metadata/words"
)

// ParseCatalogue reads MCP tool definitions: a JSON array of definitions, an object with
// "tools" (the result of tools/list) or a whole JSON-RPC response with "result". It returns
// an entry and an input schema for each tool, in order. The schema is nil if absent.
//
// The prefix of a name up to its last : . or / becomes the entry's bundle. The first
// sentence of the description becomes the entry's summary. Parameters come from all levels of the
// schema and from its definitions, at most 8 deep and 256 per tool. In addition to MCP's names it accepts "tool_id"
// and "tool" for "name", and "input_schema", "parameters" and "schema" for "inputSchema".
//
// It leaves out a tool that it cannot read, and a tool with the name of an earlier one. The result
// skipped says why. The error is a ValidationError that says what is wrong with the file, or with
// its first tool if it can read none.
func ParseCatalogue(raw []byte) (entries []Entry, schemas []json.RawMessage, skipped []string, err error) {
	list, err := toolList(raw)
	if err != nil {
		return nil, nil, nil, err
	}
	entries, schemas = make([]Entry, 0, len(list)), make([]json.RawMessage, 0, len(list))
	index := map[string]int{}
	for i, item := range list {
		entry, schema, err := parseTool(item)
		if err != nil {
			skipped = append(skipped, fmt.Sprintf("tool %d: %v", i, err))
			continue
		}
		if first, taken := index[entry.Tool]; taken {
			skipped = append(skipped, fmt.Sprintf("tool %d has the name of tool %d, %q", i, first, entry.Tool))
			continue
		}
		index[entry.Tool] = i
		entries = append(entries, entry)
		schemas = append(schemas, schema)
	}
	if len(entries) == 0 && len(skipped) > 0 {
		return nil, nil, nil, catalogueError("%s", skipped[0])
	}
	return entries, schemas, skipped, nil
}

// HasNextPage reports whether a file that ParseCatalogue can read has "nextCursor": the server has
// more tools than the file.
func HasNextPage(raw []byte) bool {
	type page struct {
		NextCursor json.RawMessage `json:"nextCursor"`
	}
	var answer struct {
		page
		Result page `json:"result"`
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	if json.Unmarshal(raw, &answer) != nil {
		return false // an array
	}
	for _, cursor := range []json.RawMessage{answer.NextCursor, answer.Result.NextCursor} {
		if text := string(cursor); text != "" && text != "null" && text != `""` {
			return true
		}
	}
	return false
}

func catalogueError(format string, args ...any) *metadata.Error {
	return metadata.Errorf(metadata.ValidationError, format, args...).
		WithHint(`give MCP tool definitions as JSON: [{"name": …, "description": …, "inputSchema": {…}}] or {"tools": […]}; tools are counted from 0`)
}

// toolList returns the tool definitions in a file of any form that ParseCatalogue reads.
func toolList(raw []byte) ([]json.RawMessage, error) {
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, catalogueError("the file is empty")
	}
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return nil, metadata.Errorf(metadata.ValidationError, "the file is UTF-16").WithHint("save it as UTF-8")
	}
	if err := json.Unmarshal(raw, new(json.RawMessage)); err != nil {
		return nil, catalogueError("%s", describeJSONError(raw, err))
	}
	if kindOf(raw) == "an array" {
		return array("the file", raw)
	}
	object, where := members(raw), ""
	if object == nil {
		return nil, catalogueError("the file is %s, want an array of tools or an object with \"tools\"", kindOf(raw))
	}
	if result, found := object["result"]; found && object["tools"] == nil {
		if object, where = members(result), "result."; object == nil {
			return nil, catalogueError("\"result\" is %s, want an object with \"tools\"", kindOf(result))
		}
	}
	tools, found := object["tools"]
	if failure := members(object["error"]); !found && failure != nil {
		var message string
		if json.Unmarshal(failure["message"], &message) != nil {
			message = string(object["error"])
		}
		return nil, metadata.Errorf(metadata.ValidationError, "the server answered an error: %s", metadata.Shorten(message)).
			WithHint("give the answer of a call of tools/list that succeeded")
	}
	if repeats(raw, "tools") || where != "" && repeats(members(raw)["result"], "tools") {
		return nil, catalogueError(`"%stools" is given twice`, where)
	}
	if !found {
		return nil, catalogueError(`"%stools" is missing`, where)
	}
	return array(`"`+where+`tools"`, tools)
}

// array returns the items of an array of tools. The parameter what names it in the error.
func array(what string, raw json.RawMessage) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, catalogueError("%s is %s, want an array of tools", what, kindOf(raw))
	}
	return list, nil
}

// members returns the members of a JSON object, or nil if raw is not an object.
func members(raw json.RawMessage) map[string]json.RawMessage {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil
	}
	return object
}

// repeats reports whether a JSON object has a member with this name more than once.
func repeats(raw json.RawMessage, name string) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return false
	}
	n := 0
	for d.More() {
		key, err := d.Token()
		if err != nil || d.Decode(new(json.RawMessage)) != nil {
			break
		}
		if key == name {
			n++
		}
	}
	return n > 1
}

// describeJSONError returns the text of err, with the line and column of a syntax error.
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

// A toolDefinition is an MCP tool definition. Other frameworks use the alternative names.
type toolDefinition struct {
	Name             string          `json:"name"`
	ToolID           string          `json:"tool_id"`
	Tool             string          `json:"tool"`
	Title            string          `json:"title"`
	Description      string          `json:"description"`
	InputSchema      json.RawMessage `json:"inputSchema"`
	InputSchemaSnake json.RawMessage `json:"input_schema"`
	Parameters       json.RawMessage `json:"parameters"`
	Schema           json.RawMessage `json:"schema"`
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
	name := strings.TrimSpace(cmp.Or(t.Name, t.ToolID, t.Tool))
	if words.Key(name) == "" {
		return Entry{}, nil, errors.New(`"name" is missing or has no letter or digit`)
	}
	schema := firstSchema(t.InputSchema, t.InputSchemaSnake, t.Parameters, t.Schema)
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

// firstSchema returns the first schema that is neither absent nor null, or nil.
func firstSchema(schemas ...json.RawMessage) json.RawMessage {
	for _, s := range schemas {
		if len(s) > 0 && string(s) != "null" {
			return s
		}
	}
	return nil
}
