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

// FieldsOf returns the fields of a document type, inferred from a struct as the
// arguments of actions are: see metadata.Infer. It panics, when the schema is
// first used, if T has none.
func FieldsOf[T any]() *metadata.Schema { return metadata.LazySchema(metadata.MustInfer[T]) }

// A Field is one field of a document type that its user has made up.
type Field struct {
	Name     string
	Doc      string
	Type     string // "text", "list", "number" or "yes_no"; "" is text
	Required bool
}

// fieldTypes are the schemas of a Field's types.
var fieldTypes = map[string]string{
	"": `"type":"string"`, "text": `"type":"string"`, "number": `"type":"number"`, "yes_no": `"type":"boolean"`,
	"list": `"type":"array","items":{"type":"string"}`,
}

// FieldList returns the fields of a document type, in that order. It returns an
// error that names the first field with a name, or a type, that it cannot have.
func FieldList(fields []Field) (*metadata.Schema, error) {
	properties, required := []string{}, []string{}
	seen := map[string]bool{}
	for _, f := range fields {
		kind, known := fieldTypes[f.Type]
		switch {
		case !bundles.IsName(f.Name) || len(f.Name) > bundles.MaxName || reserved[f.Name]:
			return nil, fmt.Errorf("%q cannot name a field", f.Name)
		case seen[f.Name]:
			return nil, fmt.Errorf("two fields are named %q", f.Name)
		case !known:
			return nil, fmt.Errorf("the field %q has the type %q, which is none of text, list, number, yes_no", f.Name, f.Type)
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
		panic(fmt.Sprintf("marshal a string: %v", err)) // it cannot fail
	}
	return string(raw)
}

// reserved are the names that templates know already.
var reserved = map[string]bool{"type": true, "period": true, "title": true}

// params are the type's fields, in declared order.
func (t DocumentType) params() []metadata.Param {
	if t.Fields == nil {
		return nil
	}
	return t.Fields.Params()
}

// read returns the answers in form, without mere placeholders, complete or not. It answers
// VALIDATION_ERROR for one that does not fit its field.
func (t DocumentType) read(given map[string]json.RawMessage) (map[string]json.RawMessage, error) {
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

// complete returns the answers with the defaults of those left out.
func (t DocumentType) complete(answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	whole := map[string]json.RawMessage{}
	if t.Fields == nil {
		return whole, nil
	}
	if err := t.decode(t.Fields, answers, &whole); err != nil {
		return nil, err
	}
	return whole, nil
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
		wrong.Schema = json.RawMessage(marshalSchema(t.Fields)) // with what is required
	}
	return err
}

// asked are the answers to fields that the type still has.
func (t DocumentType) asked(answers map[string]json.RawMessage) map[string]json.RawMessage {
	asked := map[string]json.RawMessage{}
	for _, p := range t.params() {
		if value, ok := answers[p.Name]; ok {
			asked[p.Name] = value
		}
	}
	return asked
}

// missing are the required fields that are not answered.
func (t DocumentType) missing(answers map[string]json.RawMessage) []string {
	names := []string{}
	for _, p := range t.params() {
		if _, answered := answers[p.Name]; p.Required && !answered {
			names = append(names, p.Name)
		}
	}
	return names
}

// placeholder stands in example calls for the user's words. It is no answer.
const placeholder = "…"

func withoutPlaceholders(given map[string]json.RawMessage) map[string]json.RawMessage {
	nothing := []string{quoted(placeholder), "[" + quoted(placeholder) + "]"}
	real := map[string]json.RawMessage{}
	for name, value := range given {
		if !slices.Contains(nothing, string(value)) {
			real[name] = value
		}
	}
	return real
}

// lines are the fields as a caller reads them: "mood*:int how it was, 1 to 5".
// A star marks what is required, as in signatures.
func (t DocumentType) lines() []string {
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
