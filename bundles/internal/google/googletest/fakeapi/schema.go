package fakeapi

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// schema is the JSON schema dialect of discovery documents.
type schema struct {
	Ref         string             `json:"$ref"`
	Description string             `json:"description"`
	Type        string             `json:"type"`
	Format      string             `json:"format"`
	Enum        []string           `json:"enum"`
	Minimum     string             `json:"minimum"`
	Maximum     string             `json:"maximum"`
	Properties  map[string]*schema `json:"properties"`
	Additional  *schema            `json:"additionalProperties"`
	Items       *schema            `json:"items"`
}

// resolve returns the schema to which a reference refers, and any other schema
// unchanged.
func (d *document) resolve(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Schemas[s.Ref]
	}
	return s
}

// check lists where the value violates the schema. The value is decoded JSON
// with numbers as json.Number. A null stands for an absent value, as in
// Google's JSON.
func (d *document) check(at string, value any, s *schema) []string {
	s = d.resolve(s)
	if value == nil || s == nil || s.Type == "any" {
		return nil
	}
	switch s.Type {
	case "object":
		object, ok := value.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s is not an object", at)}
		}
		var problems []string
		for _, name := range slices.Sorted(maps.Keys(object)) {
			field := s.Properties[name]
			if field == nil {
				field = s.Additional
			}
			if field == nil {
				problems = append(problems, fmt.Sprintf("%s has no field %q", at, name))
				continue
			}
			problems = append(problems, d.check(at+"."+name, object[name], field)...)
		}
		return problems
	case "array":
		array, ok := value.([]any)
		if !ok {
			return []string{fmt.Sprintf("%s is not an array", at)}
		}
		var problems []string
		for i, item := range array {
			problems = append(problems, d.check(fmt.Sprintf("%s[%d]", at, i), item, s.Items)...)
		}
		return problems
	}
	if problem := scalar(value, s); problem != "" {
		return []string{at + " " + problem}
	}
	return nil
}

func scalar(value any, s *schema) string {
	switch s.Type {
	case "boolean":
		if _, ok := value.(bool); !ok {
			return "is not a boolean"
		}
	case "integer", "number":
		number, ok := value.(json.Number)
		if !ok {
			return "is not a number"
		}
		return text(number.String(), s)
	case "string":
		str, ok := value.(string)
		if !ok {
			return "is not a string"
		}
		return text(str, s)
	}
	return ""
}

// text checks a value written as text, as in parameters and 64-bit numbers in
// JSON. It says what is wrong.
func text(value string, s *schema) string {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, value) {
		return fmt.Sprintf("is %q, not one of %s", value, strings.Join(s.Enum, ", "))
	}
	var err error
	switch {
	case s.Type == "boolean":
		if value != "true" && value != "false" {
			return fmt.Sprintf("is %q, not true or false", value)
		}
	case s.Format == "int32":
		_, err = strconv.ParseInt(value, 10, 32)
	case s.Format == "uint32":
		_, err = strconv.ParseUint(value, 10, 32)
	case s.Format == "int64":
		_, err = strconv.ParseInt(value, 10, 64)
	case s.Format == "uint64":
		_, err = strconv.ParseUint(value, 10, 64)
	case s.Format == "byte":
		err = checkBase64(value)
	case s.Format == "date-time":
		_, err = time.Parse(time.RFC3339, value)
	case s.Format == "date":
		_, err = time.Parse(time.DateOnly, value)
	case s.Type == "integer":
		_, err = strconv.ParseInt(value, 10, 64)
	case s.Type == "number":
		_, err = strconv.ParseFloat(value, 64)
	}
	if err != nil {
		return fmt.Sprintf("is not of format %s%s: %v", s.Type, strings.TrimSuffix("/"+s.Format, "/"), err)
	}
	return bounds(value, s)
}

func bounds(value string, s *schema) string {
	if s.Type != "integer" {
		return ""
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return ""
	}
	if low, err := strconv.ParseInt(s.Minimum, 10, 64); err == nil && n < low {
		return fmt.Sprintf("is %d, below %d", n, low)
	}
	if high, err := strconv.ParseInt(s.Maximum, 10, 64); err == nil && n > high {
		return fmt.Sprintf("is %d, above %d", n, high)
	}
	return ""
}

// checkQuery lists where the query violates the document's parameters.
func (d *document) checkQuery(m *Method, query url.Values) []string {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		p := m.Parameters[name]
		if p == nil {
			p = d.Parameters[name]
		}
		if p == nil || p.Location != "query" {
			problems = append(problems, fmt.Sprintf("%s has no parameter %q", m.ID, name))
			continue
		}
		if len(query[name]) > 1 && !p.Repeated {
			problems = append(problems, fmt.Sprintf("parameter %s is given %d times", name, len(query[name])))
		}
		for _, value := range query[name] {
			if problem := text(value, &p.schema); problem != "" {
				problems = append(problems, fmt.Sprintf("parameter %s %s", name, problem))
			}
		}
	}
	for name, p := range m.Parameters {
		if p.Required && p.Location == "query" && !query.Has(name) {
			problems = append(problems, fmt.Sprintf("%s wants parameter %q", m.ID, name))
		}
	}
	return problems
}

// checkBase64 returns an error if DecodeBase64 would. It does not decode,
// because values can be large.
func checkBase64(value string) error {
	bare := strings.TrimRight(value, "=")
	for i := range len(bare) {
		b := bare[i]
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_' {
			continue
		}
		return fmt.Errorf("%q at %d is not of the URL-safe alphabet", b, i)
	}
	if len(bare)%4 == 1 {
		return errors.New("it ends too early")
	}
	return nil
}

// DecodeBase64 decodes the URL-safe alphabet, with or without padding.
func DecodeBase64(value string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(value, "="))
}

func EncodeBase64(data []byte) string { return base64.URLEncoding.EncodeToString(data) }
