package document

import (
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/staged"
	"kota/metadata"
)

// Page returns the template of a document with these parts.
func Page(parts ...string) string {
	template := "# {{.title}}"
	for _, part := range parts {
		template += part
	}
	return template
}

// PlainPage returns the default template of a document: its fields one below the other.
func PlainPage(fields *metadata.Schema) string {
	parts := []string{}
	if fields != nil {
		for _, f := range fields.Params() {
			part := Text
			if strings.HasPrefix(f.Type, "[") {
				part = List
			}
			parts = append(parts, part(capitalize(f.Name), f.Name))
		}
	}
	return Page(parts...)
}

// Text returns the part of a template for a text. The page leaves it out if the text is
// empty.
func Text(heading, name string) string {
	return "{{if ." + name + "}}\n\n## " + heading + "\n\n{{." + name + "}}{{end}}"
}

// List returns the part of a template for a list. The page leaves it out if the list is
// empty.
func List(heading, name string) string {
	return "{{if ." + name + "}}\n\n## " + heading + "\n\n{{list ." + name + "}}{{end}}"
}

// Example returns an example of a document for a period, with these prefilled values.
func Example(name, of string, answers any, known map[string]any) staged.DocumentExample {
	p, _ := days.ParseName(of)
	title := kindOf(name).titleFor(p)
	const id = "d7k2m9x"
	return staged.DocumentExample{
		Period: of, Title: title, Answers: answers, Prefill: known,
		Created: staged.CreateResult{ID: id, Title: title, UndoID: id, Next: nextSteps(staged.Document{Type: name, Period: of}, id, undoArguments(id))},
	}
}
