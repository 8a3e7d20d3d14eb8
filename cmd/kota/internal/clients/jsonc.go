package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonc is JSON with comments and trailing commas, as editors write it. It also
// reads strict JSON, and leaves strict JSON strict.
type jsonc struct{}

// utf8BOM is the byte order mark with which some Windows editors begin a file.
var utf8BOM = []byte("\ufeff")

func (jsonc) decode(text []byte) (map[string]any, error) {
	root, err := parseJSONC(objectText(text))
	if err != nil {
		return nil, err
	}
	root.Standardize()
	if kind := root.Value.Kind(); kind != '{' {
		return nil, errors.New("it is not a JSON object, but " + kindNames[kind])
	}
	all := map[string]any{}
	if err := json.Unmarshal(root.Pack(), &all); err != nil {
		return nil, fmt.Errorf("it is not a JSON object: %w", err)
	}
	return all, nil
}

// kindNames names the JSON values that are not objects, by their hujson kind.
var kindNames = map[hujson.Kind]string{'[': "an array", '"': "a text", '0': "a number", 'n': "null", 't': "true", 'f': "false"}

// parseJSONC parses text that may end inside a line comment.
func parseJSONC(text []byte) (hujson.Value, error) {
	root, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		return root, errors.New("it is not JSON: " + strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return root, nil
}

// objectText returns the text without its byte order mark, or an empty object
// if the text is empty.
func objectText(text []byte) []byte {
	text = bytes.TrimPrefix(text, utf8BOM)
	if len(bytes.TrimSpace(text)) == 0 {
		return []byte("{}\n")
	}
	return bytes.Clone(text)
}

func (jsonc) set(text []byte, c change) ([]byte, error) {
	d, err := openDocument(text)
	if err != nil {
		return nil, err
	}
	at := []string{c.table, c.entry}
	exists, err := d.has(at)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := d.put(at, orderedObject(c.fields)); err != nil {
			return nil, err
		}
	}
	for _, f := range c.fields {
		if err := d.put(append(at, f.name), f.value); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.env)) {
		variable := append(at, c.variables, name)
		if c.env[name] != "" {
			err = d.put(variable, c.env[name])
		} else if exists, err = d.has(variable); exists {
			err = d.removeMember(variable)
		}
		if err != nil {
			return nil, err
		}
	}
	return d.withBOM(), nil
}

// orderedObject is an object that keeps the order of its fields.
type orderedObject []field

func (jsonc) remove(text []byte, table, entry string) ([]byte, error) {
	d, err := openDocument(text)
	if err != nil {
		return nil, err
	}
	if err := d.removeMember([]string{table, entry}); err != nil {
		return nil, err
	}
	if d.isRemovable(table) {
		if err := d.removeMember([]string{table}); err != nil {
			return nil, err
		}
	}
	return d.withBOM(), nil
}

// document is JSON text that is edited in place.
type document struct {
	text []byte
	root hujson.Value
	bom  bool
}

func openDocument(text []byte) (*document, error) {
	d := &document{bom: bytes.HasPrefix(text, utf8BOM)}
	err := d.reparse(objectText(text))
	return d, err
}

// reparse parses text and makes it the document's text.
func (d *document) reparse(text []byte) error {
	root, err := parseJSONC(text)
	if err != nil {
		return err
	}
	d.text, d.root = text, root
	return nil
}

func (d *document) withBOM() []byte {
	if d.bom {
		return append(bytes.Clone(utf8BOM), d.text...)
	}
	return d.text
}

// follow follows the path as far as it exists. The result in is the last object
// that it reached, and left has the names that remain. member is the member of
// this object with the name left[0]; it is nil if absent. More than one name
// remains if a member before the last name is absent or null.
func (d *document) follow(path []string) (in *hujson.Value, member *hujson.ObjectMember, left []string, err error) {
	in, whole := &d.root, path
	for {
		object, ok := in.Value.(*hujson.Object)
		if !ok {
			location := strings.Join(whole[:len(whole)-len(path)], ".")
			return nil, nil, nil, fmt.Errorf("%w: %s is not an object", ErrLayout, cmp.Or(location, "the whole"))
		}
		member = nil
		for i := range object.Members {
			if object.Members[i].Name.Value.(hujson.Literal).String() != path[0] {
				continue
			}
			if member != nil {
				return nil, nil, nil, fmt.Errorf("%w: it has %q twice", ErrLayout, path[0])
			}
			member = &object.Members[i]
		}
		if member == nil || len(path) == 1 || isNull(member.Value) {
			return in, member, path, nil
		}
		in, path = &member.Value, path[1:]
	}
}

func isNull(v hujson.Value) bool {
	literal, ok := v.Value.(hujson.Literal)
	return ok && literal.Kind() == 'n'
}

// hasValue reports whether current is JSON for value.
func (d *document) hasValue(current hujson.Value, value any) bool {
	var decoded any
	current.Standardize()
	return json.Unmarshal(current.Pack(), &decoded) == nil && reflect.DeepEqual(decoded, value)
}

func (d *document) has(path []string) (bool, error) {
	_, member, left, err := d.follow(path)
	return member != nil && len(left) == 1, err
}

// put sets the value at the path and creates the objects on the way.
func (d *document) put(path []string, value any) error {
	in, member, left, err := d.follow(path)
	if err != nil {
		return err
	}
	for i := len(left) - 1; i > 0; i-- {
		value = orderedObject{{left[i], value}}
	}
	if member != nil {
		if d.hasValue(member.Value, value) {
			return nil
		}
		text, err := d.style().value(value, d.indentOf(member.Name.StartOffset))
		if err != nil {
			return err
		}
		return d.reparse(splice(d.text, member.Value.StartOffset, member.Value.EndOffset, text))
	}
	return d.insert(in, left[0], value)
}
