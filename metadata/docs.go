package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A Detail is how much Markdown says of each action.
type Detail int

const (
	Names      Detail = iota + 1 // one line per bundle, naming its actions
	Signatures                   // one line per action
	Full                         // everything
)

// Markdown describes the bundles. The same bundles always give the same bytes.
func Markdown(all []Bundle, detail Detail) string {
	var w strings.Builder
	for i, b := range all {
		if i > 0 && detail != Names {
			w.WriteString("\n")
		}
		b.markdown(&w, detail)
	}
	return w.String()
}

func (b Bundle) markdown(w *strings.Builder, detail Detail) {
	if detail == Names {
		names := make([]string, 0, len(b.Actions))
		for _, a := range b.Actions {
			names = append(names, a.Name)
		}
		fmt.Fprintf(w, "- **%s**: %s Actions: %s.\n", b.Key, sentence(b.Description), strings.Join(names, ", "))
		return
	}
	fmt.Fprintf(w, "## %s (`%s`)\n\n%s\n\n", b.Name, b.Key, sentence(b.Description))
	fmt.Fprintf(w, "Category %s. Tags: %s. %s.\n", b.Category, strings.Join(b.Tags, ", "), b.state())
	for _, rel := range b.Relationships {
		state := ""
		if rel.Enabled != nil && !*rel.Enabled {
			state = " (off)"
		}
		fmt.Fprintf(w, "\n- %s `%s`%s: %s\n", strings.ReplaceAll(rel.Type, "_", " "), rel.Bundle, state, sentence(rel.Description))
	}
	w.WriteString("\n")
	for _, a := range b.Actions {
		if detail == Signatures {
			fmt.Fprintf(w, "- `%s_%s`: %s (%s)\n", b.Key, a.Signature, a.Summary, a.Effect)
			continue
		}
		a.markdown(w)
	}
	if detail == Full {
		b.workflows(w)
	}
}

func (b Bundle) state() string {
	switch {
	case b.Unavailable != "":
		return "Unavailable: " + b.Unavailable
	case b.Enabled:
		return "On"
	}
	return "Off"
}

func (a Action) markdown(w *strings.Builder) {
	fmt.Fprintf(w, "### %s\n\n`%s` · %s\n\n%s\n\n", a.Tool, a.Signature, a.Effect, a.Text())
	if a.Deprecated != "" {
		fmt.Fprintf(w, "Deprecated: %s\n\n", sentence(a.Deprecated))
	}
	if params := a.Input.Params(); len(params) > 0 {
		w.WriteString("| argument | type | what it is |\n| --- | --- | --- |\n")
		for _, p := range params {
			name := "`" + p.Name + "`"
			if p.Required {
				name += " (required)"
			}
			fmt.Fprintf(w, "| %s | %s | %s |\n", name, cell(p.Type), cell(p.text()))
		}
		w.WriteString("\n")
	}
	for _, example := range a.Examples {
		fmt.Fprintf(w, "%s:\n\n```json\n%s\n```\n\n", example.Title, compact(example.Args))
	}
	if len(a.Errors) > 0 {
		codes := make([]string, 0, len(a.Errors))
		for _, code := range a.Errors {
			codes = append(codes, "`"+string(code)+"`")
		}
		fmt.Fprintf(w, "Errors: %s.\n\n", strings.Join(codes, ", "))
	}
	for _, note := range a.Notes {
		fmt.Fprintf(w, "- %s\n", note)
	}
	if len(a.Notes) > 0 {
		w.WriteString("\n")
	}
}

func (b Bundle) workflows(w *strings.Builder) {
	for _, flow := range b.Workflows {
		fmt.Fprintf(w, "### Example: %s\n\n%s\n\n", flow.Title, sentence(flow.Scenario))
		for i, step := range flow.Steps {
			fmt.Fprintf(w, "%d. `%s` `%s`\n", i+1, step.Tool, compact(step.Args))
		}
		w.WriteString("\n")
	}
}

// text is the parameter's description with the values it may have.
func (p Param) text() string {
	text := p.Description
	if len(p.Enum) > 0 {
		text = strings.TrimSpace(text + " One of " + strings.Join(p.Enum, ", ") + ".")
	}
	if len(p.Default) > 0 {
		text = strings.TrimSpace(text + " Default " + string(p.Default) + ".")
	}
	return text
}

func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// compact writes v as one line of JSON without escaping what HTML would need.
func compact(v any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprintf("%q", err)
	}
	return strings.TrimSpace(out.String())
}
