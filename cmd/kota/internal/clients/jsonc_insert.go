package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/tailscale/hujson"
)

// style is the layout of a file: its line end and one level of indentation.
type style struct{ line, unit string }

// style returns the layout of the document. The line end is CRLF if the
// document has a CRLF. The first indented line gives the indentation, by default
// two spaces.
func (d *document) style() style {
	s := style{"\n", "  "}
	if bytes.Contains(d.text, []byte("\r\n")) {
		s.line = "\r\n"
	}
	for line := range bytes.Lines(d.text) {
		if rest := bytes.TrimLeft(line, " \t"); len(rest) < len(line) && len(bytes.TrimSpace(rest)) > 0 {
			s.unit = string(line[:len(line)-len(rest)])
			break
		}
	}
	return s
}

// value returns v as JSON. An object has several lines, and each line after the
// first begins with indent. Any other value has one line.
func (s style) value(v any, indent string) ([]byte, error) {
	fields, isObject := v.(orderedObject)
	if object, isMap := v.(map[string]any); isMap {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			fields = append(fields, field{name, object[name]})
		}
		isObject = true
	}
	if !isObject {
		return marshalPlain(v)
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := marshalPlain(f.name)
		if err != nil {
			return nil, err
		}
		text, err := s.value(f.value, indent+s.unit)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s%s%s: %s", s.line, indent+s.unit, name, text)
	}
	fmt.Fprintf(&out, "%s%s}", s.line, indent)
	return out.Bytes(), nil
}

// marshalPlain returns JSON without HTML escapes, so that paths stay readable.
func marshalPlain(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

// indentOf returns the white space at the beginning of the line at offset.
func (d *document) indentOf(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// insert adds a member at the end of an object, in the layout of the other
// members.
func (d *document) insert(in *hujson.Value, name string, value any) error {
	s, object := d.style(), in.Value.(*hujson.Object)
	end := in.EndOffset - 1
	after := len(bytes.TrimRight(d.text[:end], " \t\r\n")) // where the last member ends, with its comma and its comment
	outer := d.indentOf(in.StartOffset)
	indent, closing, comma := outer+s.unit, string(d.text[after:end]), ""
	between := s.line + indent
	if len(object.Members) == 0 {
		closing = s.line + outer
	} else {
		if bytes.ContainsRune(d.text[in.StartOffset:end], '\n') {
			indent = d.indentOf(object.Members[0].Name.StartOffset)
			between = s.line + indent
		} else {
			between = " "
		}
		if object.Members[len(object.Members)-1].Value.AfterExtra != nil {
			comma = "," // the last member has one too
		}
	}
	text, err := s.value(value, indent)
	if err != nil {
		return err
	}
	quoted, err := marshalPlain(name)
	if err != nil {
		return err
	}
	edited := splice(d.text, after, end, slices.Concat([]byte(between), quoted, []byte(": "), text, []byte(comma+closing)))
	if n := len(object.Members); n > 0 && comma == "" {
		last := object.Members[n-1].Value.EndOffset
		edited = splice(edited, last, last, []byte(","))
	}
	return d.reparse(edited)
}

// removeMember removes the member at the path, if it exists. It also removes a
// comma that is then superfluous and a line that is then empty. Comments around
// the member stay.
func (d *document) removeMember(path []string) error {
	in, member, left, err := d.follow(path)
	if err != nil || member == nil || len(left) > 1 {
		return err
	}
	object := in.Value.(*hujson.Object)
	i := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool { return m.Name.StartOffset == member.Name.StartOffset })
	from, to := member.Name.StartOffset, member.Value.EndOffset
	next := to + len(member.Value.AfterExtra)
	hasComma := i < len(object.Members)-1 || member.Value.AfterExtra != nil
	edited := d.text
	if hasComma {
		edited = splice(edited, next, next+1, nil)
	}
	edited = cutLine(edited, from, to)
	if i > 0 && !hasComma { // it was the last member, so the comma before it is superfluous
		before := object.Members[i-1].Value
		comma := before.EndOffset + len(before.AfterExtra)
		edited = splice(edited, comma, comma+1, nil)
	}
	if len(object.Members) == 1 {
		inside := edited[in.StartOffset+1:]
		if rest := bytes.TrimLeft(inside, " \t\r\n"); rest[0] == '}' {
			edited = splice(edited, in.StartOffset+1, len(edited)-len(rest), nil)
		}
	}
	return d.reparse(edited)
}

// isRemovable reports whether the table is empty, has no comment, and is not
// the only setting of the text. Clients create a file with only an empty table,
// so such a table stays.
func (d *document) isRemovable(table string) bool {
	_, member, _, err := d.follow([]string{table})
	if err != nil || member == nil {
		return false
	}
	servers, isObject := member.Value.Value.(*hujson.Object)
	content := d.text[member.Name.EndOffset:member.Value.EndOffset]
	return isObject && len(servers.Members) == 0 && !bytes.Contains(content, []byte("/")) && len(d.root.Value.(*hujson.Object).Members) > 1
}

// cutLine removes the text between two offsets, and the line if it is then
// empty.
func cutLine(text []byte, from, to int) []byte {
	begin := bytes.LastIndexByte(text[:from], '\n') + 1
	end := bytes.IndexByte(text[to:], '\n')
	blankBefore := len(bytes.TrimSpace(text[begin:from])) == 0
	if end >= 0 && blankBefore && len(bytes.TrimSpace(text[to:to+end])) == 0 {
		return splice(text, begin, to+end+1, nil)
	}
	for from > begin && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	return splice(text, from, to, nil)
}

func splice(text []byte, from, to int, with []byte) []byte {
	return slices.Concat(text[:from], with, text[to:])
}
