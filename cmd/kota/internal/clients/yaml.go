package clients

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// yaml is YAML 1.2 in block style: an entry is a key of the table, on its own
// lines.
type yaml struct{}

func (yaml) decode(text []byte) (map[string]any, error) {
	all := map[string]any{}
	if err := goyaml.Unmarshal(bytes.TrimPrefix(text, utf8BOM), &all); err != nil {
		first, _, _ := strings.Cut(goyaml.FormatError(err, false, false), "\n")
		return nil, errors.New("it is not a YAML mapping: " + first)
	}
	if all == nil { // an empty file, or only comments
		all = map[string]any{}
	}
	return all, nil
}

// set rewrites the lines of the entry, without the comments in them, or appends
// the entry to its table.
func (f yaml) set(text []byte, c change) ([]byte, error) {
	all, err := f.decode(text)
	if err != nil {
		return nil, err
	}
	merged, unchanged := c.merged(all)
	if unchanged {
		return text, nil
	}
	at, err := f.find(text, c.table, c.entry)
	if err != nil {
		return nil, err
	}
	block, err := f.block(c, merged, at.indent)
	if err != nil {
		return nil, err
	}
	block = at.header + block
	if at.from == len(text) && len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		block = "\n" + block
	}
	if bytes.Contains(text, []byte("\r\n")) {
		block = strings.ReplaceAll(block, "\n", "\r\n")
	}
	return splice(text, at.from, at.to, []byte(block)), nil
}

func (f yaml) remove(text []byte, table, entry string) ([]byte, error) {
	at, err := f.find(text, table, entry)
	if err != nil {
		return nil, err
	}
	if at.onlyEntry {
		at.from = at.table
	}
	return splice(text, at.from, at.to, nil), nil
}

// block returns the lines of the entry: first the changed fields in order, then
// the others by name.
func (yaml) block(c change, merged map[string]any, indent string) (string, error) {
	var fields goyaml.MapSlice
	for _, field := range c.fields {
		fields = append(fields, goyaml.MapItem{Key: field.name, Value: merged[field.name]})
		delete(merged, field.name)
	}
	for _, name := range slices.Sorted(maps.Keys(merged)) {
		fields = append(fields, goyaml.MapItem{Key: name, Value: merged[name]})
	}
	text, err := goyaml.MarshalWithOptions(goyaml.MapSlice{{Key: c.entry, Value: fields}}, goyaml.Indent(len(indent)), goyaml.IndentSequence(true))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		out.WriteString(indent + line)
	}
	return out.String(), nil
}

// lines says where an entry is, or where a new entry belongs.
type lines struct {
	from, to  int    // the offsets of the entry; equal if it is absent
	indent    string // the white space before the entry's key
	header    string // the line to write before a new entry if the file has no table yet; else ""
	table     int    // the offset of the table's line, if the table has entries
	onlyEntry bool   // whether the table has no other entry
}

// find returns where the entry is, or where a new entry belongs. It returns
// ErrLayout if the file or the table is not a mapping in block style.
func (yaml) find(text []byte, table, entry string) (lines, error) {
	file, err := parser.ParseBytes(bytes.TrimPrefix(text, utf8BOM), 0)
	if err != nil {
		return lines{}, err
	}
	atEnd := lines{from: len(text), to: len(text), indent: "  ", header: table + ":\n"}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return atEnd, nil
	}
	root, ok := file.Docs[0].Body.(*ast.MappingNode)
	if len(file.Docs) > 1 || !ok || root.IsFlowStyle {
		return lines{}, fmt.Errorf("%w: it is not one mapping in block style", ErrLayout)
	}
	i := keyIn(root, table)
	if i < 0 {
		return atEnd, nil
	}
	end := len(text)
	if i+1 < len(root.Values) {
		end = lineOf(text, root.Values[i+1])
	}
	servers, ok := root.Values[i].Value.(*ast.MappingNode)
	switch {
	case root.Values[i].Value.Type() == ast.NullType:
		after := lineEnd(text, lineOf(text, root.Values[i]))
		return lines{from: after, to: after, indent: "  "}, nil
	case !ok || servers.IsFlowStyle:
		return lines{}, fmt.Errorf("%w: %s is not a mapping in block style", ErrLayout, table)
	}
	end = commentsBefore(text, end)
	at := lines{from: end, to: end, table: lineOf(text, root.Values[i]), indent: strings.Repeat(" ", servers.Values[0].Key.GetToken().Position.Column-1)}
	if j := keyIn(servers, entry); j >= 0 {
		at.from, at.onlyEntry = lineOf(text, servers.Values[j]), len(servers.Values) == 1
		if j+1 < len(servers.Values) {
			at.to = commentsBefore(text, lineOf(text, servers.Values[j+1]))
		}
	}
	return at, nil
}

// keyIn returns the index of the key in the mapping, or -1 if absent.
func keyIn(m *ast.MappingNode, key string) int {
	return slices.IndexFunc(m.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
}

// lineOf returns the offset where the line of a key begins.
func lineOf(text []byte, v *ast.MappingValueNode) int {
	offset := 0
	for range v.Key.GetToken().Position.Line - 1 {
		offset = lineEnd(text, offset)
	}
	return offset
}

// lineEnd returns where the line at offset ends, including its line break.
func lineEnd(text []byte, offset int) int {
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(text)
}
