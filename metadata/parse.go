package metadata

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of one JSON text. They bound the time and memory of a check. No real call comes
// near them.
const (
	maxBytes    = 8 << 20
	maxDepth    = 100
	maxValues   = 100_000
	maxDigits   = 1000 // maximum characters of a number
	maxExponent = 400  // maximum absolute exponent; a float64 ends at 308
	maxSteps    = 8    // maximum steps of a path in an error
)

// parse reads one JSON text. If the text has a fault, it returns a nil value and the problems:
// bad syntax, invalid UTF-8, repeated keys, or an exceeded limit.
func parse(text []byte) (*value, []Problem) {
	if len(text) > maxBytes {
		return nil, []Problem{tooBig(text)}
	}
	if !utf8.Valid(text) {
		return nil, []Problem{{Expected: "text in UTF-8", Got: "bytes that are not UTF-8"}}
	}
	if !json.Valid(text) {
		err := json.Unmarshal(text, new(json.RawMessage))
		return nil, []Problem{{Expected: "valid JSON", Got: shorten(string(text)) + " (" + err.Error() + ")"}}
	}
	r := &reader{rest: text}
	v := r.value(0)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return v, nil
}

// tooBig returns the problem of a text that is too big. Its path leads to the largest argument.
func tooBig(text []byte) Problem {
	p := Problem{Expected: "at most 8 MiB of JSON", Got: MiB(int64(len(text))) + " MiB"}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return p
	}
	largest := 0
	for name, raw := range members {
		path := path{{name: name}}.String()
		if len(raw) > largest || len(raw) == largest && path < p.Path {
			largest, p.Path = len(raw), path
		}
	}
	return p
}

// A reader builds values from valid JSON, so it only has to find the end of each value. A
// json.Decoder would also work, at four times the cost.
type reader struct {
	rest     []byte
	path     path
	values   int
	problems []Problem
	stopped  bool // the text exceeds a limit, so the reader does not read the rest
}

// stop adds a problem for an exceeded limit and ends the reading. It returns nil.
func (r *reader) stop(expected, got string) *value {
	if !r.stopped {
		where := r.path[:min(len(r.path), maxSteps)]
		r.problems = append(r.problems, Problem{Path: where.String(), Expected: expected, Got: got})
	}
	r.stopped = true
	return nil
}

func (r *reader) value(depth int) *value {
	r.skipSpace()
	if r.values++; r.values > maxValues {
		return r.stop("at most 100,000 values", "more")
	}
	if depth > maxDepth {
		return r.stop("at most 100 levels of nesting", "more")
	}
	start := r.rest
	v := &value{}
	switch start[0] {
	case '{':
		v.kind = isObject
		r.members(v, depth)
	case '[':
		v.kind = isArray
		r.items(v, depth)
	case '"':
		v.kind, v.text = isString, r.string()
	case 't', 'n':
		v.kind = isBool
		if start[0] == 'n' {
			v.kind = isNull
		}
		r.rest = start[len("true"):]
	case 'f':
		v.kind = isBool
		r.rest = start[len("false"):]
	default:
		v.kind = isNumber
		r.number()
	}
	v.raw = start[:len(start)-len(r.rest)]
	return v
}

func (r *reader) skipSpace() {
	for len(r.rest) > 0 && (r.rest[0] == ' ' || r.rest[0] == '\t' || r.rest[0] == '\r' || r.rest[0] == '\n') {
		r.rest = r.rest[1:]
	}
}

// next reads a bracket or comma, and reports whether a value follows. If not, it has also read
// the end bracket.
func (r *reader) next(end byte) bool {
	if r.stopped {
		return false
	}
	r.skipSpace()
	mark := r.rest[0]
	r.rest = r.rest[1:]
	if mark == end {
		return false
	}
	r.skipSpace()
	if r.rest[0] == end { // an empty array or object
		r.rest = r.rest[1:]
		return false
	}
	return true
}

func (r *reader) items(v *value, depth int) {
	for r.next(']') {
		r.path = append(r.path, step{index: len(v.items), item: true})
		v.items = append(v.items, r.value(depth+1))
		r.path = r.path[:len(r.path)-1]
	}
}

func (r *reader) members(v *value, depth int) {
	for r.next('}') {
		name := r.string()
		r.skipSpace()
		r.rest = r.rest[len(":"):]
		r.path = append(r.path, step{name: name})
		v.members = append(v.members, member{name, r.value(depth + 1)})
		r.path = r.path[:len(r.path)-1]
	}
	r.refuseDuplicates(v.members)
}

// refuseDuplicates reports repeated keys. encoding/json would silently use the last one.
func (r *reader) refuseDuplicates(members []member) {
	if len(members) < 2 {
		return
	}
	seen := make(map[string]int, len(members))
	for _, m := range members {
		if seen[m.name]++; seen[m.name] == 2 {
			where := append(r.path, step{name: m.name})
			r.problems = append(r.problems, Problem{Path: where.String(), Expected: "each key only once", Got: gotTwice})
		}
	}
}

// string reads a string and returns its characters.
func (r *reader) string() string {
	end := 1
	for r.rest[end] != '"' {
		if r.rest[end] == '\\' {
			end++
		}
		end++
	}
	quoted := r.rest[:end+1]
	r.rest = r.rest[end+1:]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:end])
	}
	var text string
	json.Unmarshal(quoted, &text) // it cannot fail: quoted is a part of valid JSON
	return text
}

// number reads a number. It refuses numbers that are expensive for exact arithmetic: the
// literal 1e999999999 stands for a gigabyte of digits.
func (r *reader) number() {
	end := 0
	for end < len(r.rest) && strings.IndexByte("+-.0123456789eE", r.rest[end]) >= 0 {
		end++
	}
	literal := string(r.rest[:end])
	r.rest = r.rest[end:]
	_, exponent, found := strings.Cut(strings.ToLower(literal), "e")
	n, err := strconv.Atoi(exponent)
	if end > maxDigits || found && (err != nil || n < -maxExponent || n > maxExponent) {
		r.stop("a number of at most 1,000 characters and an exponent within ±400", shorten(literal))
	}
}
