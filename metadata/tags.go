package metadata

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ownTags are the struct tags that Infer reads. Any other tag is an error, because a misspelt
// tag would silently have no effect.
var ownTags = []string{"json", "doc", "enum", "default", "min", "max", "format", "alias", "audit"}

// tags are the tags of a field.
type tags []tag

type tag struct{ name, text string }

func (t tags) lookup(name string) (text string, ok bool) {
	for _, each := range t {
		if each.name == name {
			return each.text, true
		}
	}
	return "", false
}

// readTags returns the tags of a field. It returns an error for a tag that is malformed or
// that Infer does not read.
func readTags(structTag reflect.StructTag) (tags, error) {
	found := make(tags, 0, len(ownTags))
	rest := string(structTag)
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		name, value, _ := strings.Cut(rest, ":")
		if !slices.Contains(ownTags, name) {
			return nil, fmt.Errorf("tag %q is not one of %s", name, strings.Join(ownTags, ", "))
		}
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return nil, fmt.Errorf("tag %s is not quoted", name)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("tag %s: %w", name, err)
		}
		found, rest = append(found, tag{name, text}), value[len(quoted):]
	}
	return found, nil
}

// isRequired reports whether an argument with these tags is required.
func (t tags) isRequired() bool {
	if _, ok := t.lookup("default"); ok {
		return false
	}
	text, _ := t.lookup("json")
	options := strings.Split(text, ",")[1:]
	return !slices.Contains(options, "omitempty") && !slices.Contains(options, "omitzero")
}

// apply applies the tags of a field to its shape.
func (t tags) apply(s *shape) error {
	s.description, _ = t.lookup("doc")
	if utf8.RuneCountInString(s.description) > maxDescription {
		return fmt.Errorf("its doc has more than %d characters", maxDescription)
	}
	for _, one := range t {
		var err error
		switch one.name {
		case "enum":
			err = s.setEnum(one.text)
		case "min":
			s.min, err = s.limit(one.text)
		case "max":
			s.max, err = s.limit(one.text)
		case "format":
			err = s.setFormat(one.text)
		case "default":
			err = s.setDefault(one.text)
		case "audit":
			err = s.setAudit(one.text)
		}
		if err != nil {
			return fmt.Errorf("tag %s:%q: %w", one.name, one.text, err)
		}
	}
	return nil
}

func (s *shape) setEnum(text string) error {
	if s.kinds == isArray {
		return s.items.setEnum(text)
	}
	if s.kinds != isString {
		return fmt.Errorf("only strings and slices of strings can have an enum")
	}
	for one := range strings.SplitSeq(text, ",") {
		words := strings.Split(one, "|")
		for i, word := range words {
			if word == "" || word != strings.TrimSpace(word) || slices.Contains(s.enum, word) || s.synonyms[word] != "" {
				return fmt.Errorf("the value %q is empty, padded or listed twice", word)
			}
			if i == 0 {
				s.enum = append(s.enum, word)
				continue
			}
			if s.synonyms == nil {
				s.synonyms = map[string]string{}
			}
			s.synonyms[word] = words[0]
		}
	}
	return nil
}

// limit reads a min or max tag: a limit of a number, of a string's length or of the number of
// items.
func (s *shape) limit(text string) (string, error) {
	switch s.kinds {
	case isInteger, isNumber:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || s.kinds == isInteger && n != float64(int64(n)) {
			return "", fmt.Errorf("it is not of the type %s", typeNames[s.kinds])
		}
		return strconv.FormatFloat(n, 'f', -1, 64), nil
	case isString, isArray:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return "", fmt.Errorf("it is not a whole number of 0 or more")
		}
		return strconv.Itoa(n), nil
	}
	return "", fmt.Errorf("only numbers, strings and slices have limits")
}

func (s *shape) setFormat(text string) error {
	if s.kinds != isString {
		return fmt.Errorf("only strings have a format")
	}
	if _, ok := formatWords[text]; !ok {
		return fmt.Errorf("KOTA does not know this format")
	}
	s.format = text
	s.partial = formatChecks[text] == nil
	return nil
}

func (s *shape) setDefault(text string) error {
	value := any(json.RawMessage(text))
	switch {
	case s.kinds == isString:
		value = text
	case s.kinds == isArray && s.items.kinds == isString && !strings.HasPrefix(text, "["):
		value = strings.Split(text, ",")
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("it is not JSON")
	}
	v, problems := parse(raw)
	if problems != nil {
		return fmt.Errorf("%s", problems[0])
	}
	s.def = v
	return nil
}
