package staged

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// FieldsOf returns the fields of a document type. They are inferred from the struct T on
// first use, like the arguments of actions: see metadata.Infer. That use panics if T has no
// schema.
func FieldsOf[T any]() *metadata.Schema { return metadata.LazySchema(metadata.MustInfer[T]) }

// A Field is one field of a document type that the user defined.
type Field struct {
	Name     string
	Doc      string
	Type     string // "text", "list", "number" or "yes_no"; "" means text
	Required bool
}

// fieldTypes maps the types of a Field to schemas.
var fieldTypes = map[string]string{
	"": `"type":"string"`, "text": `"type":"string"`, "number": `"type":"number"`, "yes_no": `"type":"boolean"`,
	"list": `"type":"array","items":{"type":"string"}`,
}

// FieldList returns the fields of a document type, in the given order. It returns an error
// for the first field with an invalid or duplicate name, or an unknown type.
func FieldList(fields []Field) (*metadata.Schema, error) {
	properties, required := []string{}, []string{}
	seen := map[string]bool{}
	for _, f := range fields {
		kind, known := fieldTypes[f.Type]
		switch {
		case !bundles.IsName(f.Name) || len(f.Name) > bundles.MaxName || reservedNames[f.Name]:
			return nil, fmt.Errorf("%q cannot name a field", f.Name)
		case seen[f.Name]:
			return nil, fmt.Errorf("two fields are named %q", f.Name)
		case !known:
			return nil, fmt.Errorf("the field %q has the unknown type %q; known: text, list, number, yes_no", f.Name, f.Type)
		}
		seen[f.Name] = true
		name, doc := quoted(f.Name), quoted(f.Doc)
		properties = append(properties, fmt.Sprintf(`%s:{%s,"description":%s}`, name, kind, doc))
		if f.Required {
			required = append(required, name)
		}
	}
	return metadata.ParseSchema(fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`,
		strings.Join(properties, ","), strings.Join(required, ",")))
}

func quoted(s string) string {
	raw, err := metadata.Plain(s)
	if err != nil {
		panic(fmt.Sprintf("marshal a string: %v", err)) // cannot fail
	}
	return string(raw)
}

// reservedNames lists the names that every template already has.
var reservedNames = map[string]bool{"type": true, "period": true, "title": true}

// params returns the type's fields, in declared order.
func (t DocumentType) params() []metadata.Param {
	if t.Fields == nil {
		return nil
	}
	return t.Fields.Params()
}

// validAnswers returns the given answers without placeholders. They may be incomplete. It
// returns VALIDATION_ERROR for an answer that does not fit its field, or without a field.
func (t DocumentType) validAnswers(given map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	answers := map[string]json.RawMessage{}
	given = withoutPlaceholders(given)
	if t.Fields == nil {
		if len(given) > 0 {
			return nil, metadata.Errorf(metadata.ValidationError, "%s has no fields to answer", t.Name).WithHint("Call again with answers {}.")
		}
		return answers, nil
	}
	if err := t.decode(t.Fields.Optional(), given, &answers); err != nil {
		return nil, err
	}
	return answers, nil
}

// withDefaults returns the answers, with the defaults of the fields without an answer. It
// returns VALIDATION_ERROR if the answers do not fit the fields.
func (t DocumentType) withDefaults(answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	complete := map[string]json.RawMessage{}
	if t.Fields == nil {
		return complete, nil
	}
	if err := t.decode(t.Fields, answers, &complete); err != nil {
		return nil, err
	}
	return complete, nil
}

func (t DocumentType) decode(fields *metadata.Schema, given map[string]json.RawMessage, into *map[string]json.RawMessage) error {
	raw, err := json.Marshal(given)
	if err != nil {
		return fmt.Errorf("read answers: %w", err)
	}
	err = fields.Decode(raw, into)
	if wrong := (*metadata.Error)(nil); errors.As(err, &wrong) {
		for i := range wrong.Problems {
			wrong.Problems[i].Path = strings.TrimSuffix("answers."+wrong.Problems[i].Path, ".")
		}
		wrong.Message = fmt.Sprintf("answers of %s: %s", t.Name, wrong.Message)
		wrong.Schema = json.RawMessage(marshalSchema(t.Fields)) // the schema shows what is required
	}
	return err
}

// currentAnswers returns the answers to fields that the type still has.
func (t DocumentType) currentAnswers(answers map[string]json.RawMessage) map[string]json.RawMessage {
	current := map[string]json.RawMessage{}
	for _, p := range t.params() {
		if value, ok := answers[p.Name]; ok {
			current[p.Name] = value
		}
	}
	return current
}

// missing returns the required fields without an answer.
func (t DocumentType) missing(answers map[string]json.RawMessage) []string {
	names := []string{}
	for _, p := range t.params() {
		if _, answered := answers[p.Name]; p.Required && !answered {
			names = append(names, p.Name)
		}
	}
	return names
}

// placeholder marks the place of the user's text in example calls. It does not count as an
// answer.
const placeholder = "…"

func withoutPlaceholders(given map[string]json.RawMessage) map[string]json.RawMessage {
	placeholders := []string{quoted(placeholder), "[" + quoted(placeholder) + "]"}
	answers := map[string]json.RawMessage{}
	for name, value := range given {
		if !slices.Contains(placeholders, string(value)) {
			answers[name] = value
		}
	}
	return answers
}

// fieldLines returns the fields in readable form: "mood*:int how it was, 1 to 5". As in
// signatures, a star marks a required field.
func (t DocumentType) fieldLines() []string {
	lines := []string{}
	for _, p := range t.params() {
		star := ""
		if p.Required {
			star = "*"
		}
		lines = append(lines, strings.TrimSpace(p.Name+star+":"+p.Type+" "+p.Description))
	}
	return lines
}
