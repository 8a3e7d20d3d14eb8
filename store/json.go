package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// applyMode returns given, or for Append and Merge the value that combines old and given. It
// returns ErrInvalid if Append cannot join the two, and ErrTooLarge for a result over MaxValue.
func applyMode(mode Mode, old, given json.RawMessage) (json.RawMessage, error) {
	next, err := given, error(nil)
	switch mode {
	case Append:
		next, err = appendJSON(old, given)
	case Merge:
		next, err = mergePatch(old, given)
	}
	if err != nil {
		return nil, err
	}
	return next, checkValueSize(next)
}

// appendJSON joins two values. Two objects are merged. An addition to an array becomes one or
// several elements. Text is added to text on a new line.
func appendJSON(old, addition json.RawMessage) (json.RawMessage, error) {
	switch {
	case kind(old) == '{' && kind(addition) == '{':
		return mergeObjects(old, addition, func(_, given json.RawMessage) (json.RawMessage, error) { return given, nil })
	case kind(old) == '[':
		return appendToArray(old, addition)
	case kind(old) == '"' && kind(addition) == '"':
		var before, after string
		if err := unmarshalBoth(old, addition, &before, &after); err != nil {
			return nil, err
		}
		return EncodeJSON(appendText(before, after)), nil
	}
	return nil, fmt.Errorf("%w: %s cannot be appended to %s", ErrInvalid, kindName(addition), kindName(old))
}

// appendText adds text on a new line, unless white space already separates the two. It adds
// nothing if the addition is all of before or the last lines of before, because the call may be a
// repetition.
func appendText(before, addition string) string {
	if before == addition || strings.HasSuffix(before, "\n"+addition) {
		return before
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(addition)
	if before == "" || addition == "" || unicode.IsSpace(last) || unicode.IsSpace(first) {
		return before + addition
	}
	return before + "\n" + addition
}

func appendToArray(old, addition json.RawMessage) (json.RawMessage, error) {
	var before, after []json.RawMessage
	if kind(addition) != '[' {
		addition = slices.Concat([]byte{'['}, addition, []byte{']'})
	}
	if err := unmarshalBoth(old, addition, &before, &after); err != nil {
		return nil, err
	}
	return EncodeJSON(append(before, after...)), nil
}

// mergePatch applies a merge patch (RFC 7396): null removes a member, objects are merged, and any
// other value replaces the old one.
func mergePatch(old, patch json.RawMessage) (json.RawMessage, error) {
	if kind(patch) != '{' {
		return patch, nil
	}
	if kind(old) != '{' {
		old = json.RawMessage("{}")
	}
	return mergeObjects(old, patch, func(before, given json.RawMessage) (json.RawMessage, error) {
		if kind(given) == 'n' {
			return nil, nil
		}
		return mergePatch(before, given)
	})
}

// mergeObjects returns old with the members of patch. join returns the value of each such member
// from its values in old (nil if missing) and patch. A member for which join returns nil is
// omitted. Old members keep their order; new ones follow, sorted by name.
func mergeObjects(old, patch json.RawMessage, join func(before, given json.RawMessage) (json.RawMessage, error)) (json.RawMessage, error) {
	members, err := membersOf(old)
	if err != nil {
		return nil, err
	}
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(patch, &given); err != nil {
		return nil, fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	result := members[:0]
	for _, m := range members {
		if change, ok := given[m.name]; ok {
			delete(given, m.name)
			if m.value, err = join(m.value, change); err != nil {
				return nil, err
			}
		}
		if m.value != nil {
			result = append(result, m)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value, err := join(nil, given[name])
		if err != nil {
			return nil, err
		}
		if value != nil {
			result = append(result, member{name, value})
		}
	}
	return objectOf(result), nil
}

type member struct {
	name  string
	value json.RawMessage
}

// membersOf lists the members of an object in order. If a name occurs twice, the later value
// counts.
func membersOf(object json.RawMessage) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil { // {
		return nil, fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	members, index := []member{}, map[string]int{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("%w value: %w", ErrInvalid, err)
		}
		m := member{name: name.(string)}
		if err := decoder.Decode(&m.value); err != nil {
			return nil, fmt.Errorf("%w value: %w", ErrInvalid, err)
		}
		if at, ok := index[m.name]; ok {
			members[at] = m
			continue
		}
		index[m.name] = len(members)
		members = append(members, m)
	}
	return members, nil
}

func objectOf(members []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(EncodeJSON(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// kind returns the first byte of compact JSON, which shows its type. It returns 0 for nil, which
// stands for a missing member.
func kind(value json.RawMessage) byte {
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

func kindName(value json.RawMessage) string {
	switch kind(value) {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a text"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func unmarshalBoth(a, b json.RawMessage, targetA, targetB any) error {
	if err := json.Unmarshal(a, targetA); err != nil {
		return fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	if err := json.Unmarshal(b, targetB); err != nil {
		return fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	return nil
}

// EncodeJSON is json.Marshal without the escaping of <, > and &, because the result is searched
// and shown. It panics if v has no JSON form.
func EncodeJSON(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("store: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
