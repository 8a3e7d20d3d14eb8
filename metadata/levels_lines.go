package metadata

import "strings"

// constraints returns the effect, the required scopes, and the replacement of a deprecated action.
func (a Action) constraints() string {
	text := string(a.Effect)
	var rights []string
	for _, scope := range a.Scopes {
		rights = append(rights, scope[strings.LastIndex(scope, "/")+1:])
	}
	if len(rights) > 0 {
		text += "; needs " + strings.Join(rights, ", ")
	}
	if a.Deprecated != "" {
		text += "; deprecated: " + a.Deprecated
	}
	return text
}

// returns describes the answer. The function form renders each property.
func (a Action) returns(form func(property) string) string {
	if a.Output == nil {
		return ""
	}
	var parts []string
	for _, p := range a.Output.content().shape.props {
		parts = append(parts, form(p))
	}
	return "Answers {" + strings.Join(parts, ", ") + "}"
}

func (p property) named() string { return p.name }

func (p property) typed() string { return p.line(0) }

// withFields returns the property's name and the names of the fields inside the property.
func (p property) withFields() string {
	inner := p.shape
	if inner.items != nil {
		inner = inner.items
	}
	if len(inner.props) == 0 {
		return p.name
	}
	fields := make([]string, 0, len(inner.props))
	for _, field := range inner.props {
		fields = append(fields, field.name)
	}
	return p.name + " {" + strings.Join(fields, ", ") + "}"
}

func (a Action) errorLine() string {
	codes := make([]string, 0, len(a.Errors))
	for _, c := range a.Errors {
		codes = append(codes, string(c))
	}
	if len(codes) == 0 {
		return ""
	}
	return "Errors: " + strings.Join(codes, ", ")
}

// schemaHint returns how to get the whole schema.
func (a Action) schemaHint() string {
	bundle := strings.TrimSuffix(a.tool(), "_"+a.Name)
	return `Whole schema: kota_describe_bundle ` + Compact(struct {
		Bundle  string   `json:"bundle"`
		Actions []string `json:"actions"`
	}{bundle, []string{a.Name}})
}
