package document

import (
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/staged"
	"kota/metadata"
)

// Page is the template of a document, of its parts.
func Page(parts ...string) string {
	template := "# {{.title}}"
	for _, part := range parts {
		template += part
	}
	return template
}

// PlainPage is the template of a document for which there is none: its fields,
// one below the other.
func PlainPage(fields *metadata.Schema) string {
	parts := []string{}
	if fields != nil {
		for _, f := range fields.Params() {
			part := Text
			if strings.HasPrefix(f.Type, "[") {
				part = List
			}
			parts = append(parts, part(capital(f.Name), f.Name))
		}
	}
	return Page(parts...)
}

// Text is the part of a page with a text, left out where there is none.
func Text(heading, name string) string {
	return "{{if ." + name + "}}\n\n## " + heading + "\n\n{{." + name + "}}{{end}}"
}

// List is said for a list.
func List(heading, name string) string {
	return "{{if ." + name + "}}\n\n## " + heading + "\n\n{{list ." + name + "}}{{end}}"
}

// Example is how a document comes about of a time of which this is known.
func Example(name, of string, answers any, known map[string]any) staged.DocumentExample {
	p, _ := days.Named(of)
	title := kindOf(name).titled(p)
	const id = "d7k2m9x"
	return staged.DocumentExample{
		Period: of, Title: title, Answers: answers, Prefill: known,
		Created: staged.Created{ID: id, Title: title, Undo: id, Next: nextOf(staged.Document{Type: name, Period: of}, id, undoing(id))},
	}
}
