package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of one JSON text. They bound the time and memory that a caller
// can make a check cost; no real call comes near them.
const (
	maxBytes    = 8 << 20
	maxDepth    = 100
	maxValues   = 100_000
	maxDigits   = 1000 // characters of a number
	maxExponent = 400  // either way; a double ends at 308
	maxSteps    = 8    // of a path that an error shows
)

// A kind is a set of the JSON types. The empty set stands for any type.
type kind uint8

const (
	isNull kind = 1 << iota
	isBool
	isInteger // in schemas alone: a JSON number is a number
	isNumber
	isString
	isArray
	isObject
)

// A value is one JSON value that remembers its text, so that what needs no
// repair keeps its digits, its key order and its escapes.
type value struct {
	kind    kind
	raw     []byte // nil once something inside was changed
	text    string // of a string: its characters
	members []member
	items   []*value
}

type member struct {
	name  string
	value *value
}

func newString(text string) *value {
	raw, _ := json.Marshal(text) // a string always marshals
	return &value{kind: isString, raw: raw, text: text}
}

// append appends v's JSON to out.
func (v *value) append(out []byte) []byte {
	if v.raw != nil {
		return append(out, v.raw...)
	}
	if v.kind == isArray {
		out = append(out, '[')
		for i, item := range v.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.append(out)
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i, m := range v.members {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.name) // a string always marshals
		out = append(append(out, name...), ':')
		out = m.value.append(out)
	}
	return append(out, '}')
}

// plain returns v as encoding/json would decode it into an any, with numbers
// as json.Number.
func (v *value) plain() any {
	switch v.kind {
	case isBool:
		return v.raw[0] == 't'
	case isNumber:
		return json.Number(v.raw)
	case isString:
		return v.text
	case isArray:
		items := make([]any, len(v.items))
		for i, item := range v.items {
			items[i] = item.plain()
		}
		return items
	case isObject:
		members := make(map[string]any, len(v.members))
		for _, m := range v.members {
			members[m.name] = m.value.plain()
		}
		return members
	}
	return nil
}

// member returns the value of that name, nil when there is none.
func (v *value) member(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// parse reads one JSON text. It returns a problem for each fault: bad syntax,
// invalid UTF-8, a key given twice, or a limit exceeded. The value is nil when
// there is any.
func parse(text []byte) (*value, []Problem) {
	if len(text) > maxBytes {
		return nil, []Problem{tooBig(text)}
	}
	if !utf8.Valid(text) {
		return nil, []Problem{{Expected: "text in UTF-8", Got: "bytes that are not UTF-8"}}
	}
	r := &reader{text: text, culprit: text, dec: json.NewDecoder(bytes.NewReader(text))}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err == nil {
		err = r.end()
	}
	if err != nil {
		where := r.path[:min(len(r.path), maxSteps)]
		return nil, []Problem{{Path: where.String(), Expected: err.Error(), Got: shorten(string(r.culprit))}}
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return v, nil
}

// tooBig names the argument that makes the text too big.
func tooBig(text []byte) Problem {
	p := Problem{Expected: "at most 8 MiB of JSON", Got: fmt.Sprintf("%.1f MiB", float64(len(text))/(1<<20))}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return p
	}
	largest := 0
	for name, raw := range members {
		if len(raw) > largest || len(raw) == largest && name < p.Path {
			largest, p.Path = len(raw), (path{{name: name}}).String()
		}
	}
	return p
}

// A reader builds values from the tokens of one text.
type reader struct {
	text     []byte
	culprit  []byte // what an error shows: the text, or a part at fault
	dec      *json.Decoder
	path     path
	values   int
	problems []Problem
}

// An expectation is an error that says what would have been right.
type expectation string

func (e expectation) Error() string { return string(e) }

const (
	wantJSON   expectation = "valid JSON"
	wantFlat   expectation = "at most 100 levels of nesting"
	wantFew    expectation = "at most 100,000 values"
	wantNumber expectation = "a number of at most 1,000 characters and an exponent within ±400"
)

func (r *reader) value(depth int) (*value, error) {
	start := r.dec.InputOffset()
	token, err := r.dec.Token()
	if err != nil {
		return nil, wantJSON
	}
	if r.values++; r.values > maxValues {
		return nil, wantFew
	}
	if depth > maxDepth {
		return nil, wantFlat
	}
	v := &value{}
	switch t := token.(type) {
	case nil:
		v.kind = isNull
	case bool:
		v.kind = isBool
	case json.Number:
		v.kind = isNumber
		if !reasonable(string(t)) {
			r.culprit = []byte(t)
			return nil, wantNumber
		}
	case string:
		v.kind, v.text = isString, t
	case json.Delim:
		if t == '[' {
			v.kind = isArray
			err = r.items(v, depth)
		} else {
			v.kind = isObject
			err = r.members(v, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	// The offset before the token lies before the comma or colon in front of it.
	v.raw = bytes.TrimLeft(r.text[start:r.dec.InputOffset()], " \t\r\n,:")
	return v, nil
}

func (r *reader) items(v *value, depth int) error {
	for r.dec.More() {
		r.path = append(r.path, step{index: len(v.items), item: true})
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		r.path = r.path[:len(r.path)-1]
		v.items = append(v.items, item)
	}
	return r.close()
}

func (r *reader) members(v *value, depth int) error {
	seen := map[string]int{}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return wantJSON
		}
		name, ok := token.(string)
		if !ok {
			return wantJSON
		}
		r.path = append(r.path, step{name: name})
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		// encoding/json would silently take the last of two.
		if seen[name]++; seen[name] == 2 {
			r.problems = append(r.problems, Problem{Path: r.path.String(), Expected: "each key once", Got: "the key more than once"})
		}
		r.path = r.path[:len(r.path)-1]
		v.members = append(v.members, member{name, item})
	}
	return r.close()
}

func (r *reader) close() error {
	if _, err := r.dec.Token(); err != nil {
		return wantJSON
	}
	return nil
}

func (r *reader) end() error {
	if _, err := r.dec.Token(); err != io.EOF {
		return wantJSON
	}
	return nil
}

// reasonable reports whether exact arithmetic on the number is cheap: a
// 12-byte literal can stand for a gigabyte of digits.
func reasonable(number string) bool {
	if len(number) > maxDigits {
		return false
	}
	_, exponent, found := strings.Cut(strings.ToLower(number), "e")
	if !found {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return err == nil && -maxExponent <= n && n <= maxExponent
}
