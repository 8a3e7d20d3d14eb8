package daily

import (
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/staged"
	"kota/metadata"
)

// types are the documents that come with KOTA, in the order of kinds.
func (d *daily) types() []staged.DocumentType {
	return append(append(d.plans(), d.reviews()...), d.notes()...)
}

type meetingNotes struct {
	People    []string `json:"people" max:"100" doc:"who was there"`
	Topics    []string `json:"topics,omitempty" max:"50" doc:"what it was about, one each"`
	Decisions []string `json:"decisions,omitempty" max:"50" doc:"one each"`
	Actions   []string `json:"actions,omitempty" max:"50" doc:"who does what until when, one each"`
	Notes     string   `json:"notes,omitempty" max:"50000" doc:"anything else"`
}

type decisionRecord struct {
	Context      string   `json:"context" min:"1" max:"20000" doc:"what made it necessary"`
	Options      []string `json:"options,omitempty" max:"20" doc:"what was weighed, one each"`
	Decision     string   `json:"decision" min:"1" max:"20000" doc:"what was chosen, and why"`
	Consequences string   `json:"consequences,omitempty" max:"20000" doc:"what follows from it, bad things too"`
	Revisit      string   `json:"revisit,omitempty" max:"200" doc:"when to look at it again"`
}

// notes are the documents that there may be many of.
func (d *daily) notes() []staged.DocumentType {
	return []staged.DocumentType{
		{
			Name: "meeting_notes", Line: "who met, what was decided, who does what",
			Fields:       staged.FieldsOf[meetingNotes](),
			Instructions: "Title it by what it was about. Write down decisions and who does what until when; leave out what nobody said. Add the user's own actions with daily_task.",
			Template: page("\n\n{{.period}}", points("There", "people"), points("Topics", "topics"), points("Decided", "decisions"), points("To do", "actions"),
				said("Notes", "notes")),
			Example: example("meeting_notes", "2026-10-23",
				meetingNotes{People: []string{"Anna"}, Topics: []string{"Roof"}, Decisions: []string{"Repair it in spring"}, Actions: []string{"Anna asks for offers until 1 November"}}),
		},
		{
			Name: "decision_record", Line: "what was decided, out of what, and why",
			Fields:       staged.FieldsOf[decisionRecord](),
			Instructions: "Title it by the decision. Ask what else was weighed and what speaks against the choice.",
			Template: page("\n\n{{.period}}", said("Context", "context"), points("Options", "options"), said("Decision", "decision"), said("Consequences", "consequences"),
				said("Revisit", "revisit")),
			Example: example("decision_record", "2026-10-23",
				decisionRecord{Context: "The roof leaks.", Options: []string{"Patch it", "Renew it"}, Decision: "Patch it: we may move.", Consequences: "It lasts some years."}),
		},
	}
}

// page is the template of a document, of its parts.
func page(parts ...string) string {
	template := "# {{.title}}"
	for _, part := range parts {
		template += part
	}
	return template
}

// plainPage is the template of a document for which there is none: its fields,
// one below the other.
func plainPage(fields *metadata.Schema) string {
	parts := []string{}
	if fields != nil {
		for _, f := range fields.Params() {
			part := said
			if strings.HasPrefix(f.Type, "[") {
				part = points
			}
			parts = append(parts, part(capital(f.Name), f.Name))
		}
	}
	return page(parts...)
}

// said is the part of a page with a text, left out where there is none.
func said(heading, name string) string {
	return "{{if ." + name + "}}\n\n## " + heading + "\n\n{{." + name + "}}{{end}}"
}

// points is said for a list.
func points(heading, name string) string {
	return "{{if ." + name + "}}\n\n## " + heading + "\n\n{{list ." + name + "}}{{end}}"
}

// example is how a document comes about of a time when nothing was kept.
func example(name, of string, answers any) staged.DocumentExample {
	p, _ := days.Named(of)
	title := kindOf(name).titled(p)
	const id = "d7k2m9x"
	return staged.DocumentExample{
		Period: of, Title: title, Answers: answers, Knows: KnownNothing(),
		Created: staged.Created{ID: id, Title: title, Undo: id, Next: nextOf(staged.Document{Type: name, Period: of}, id, undoing(id))},
	}
}
