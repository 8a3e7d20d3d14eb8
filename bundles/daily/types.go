package daily

import (
	"slices"
	"sync"

	"kota/bundles/daily/internal/document"
	"kota/bundles/daily/internal/prefill"
	"kota/bundles/staged"
)

// types returns the document types that come with KOTA: plans, reviews, then notes.
func (d *daily) types() []staged.DocumentType {
	periodic := slices.Clone(periodicTypes())
	for i := range periodic {
		periodic[i].Prefill = d.prefill(periodic[i].Template)
	}
	return append(periodic, noteTypes()...)
}

// All people of a server share the types, except for the functions that read their data.
var (
	periodicTypes = sync.OnceValue(func() []staged.DocumentType { return append(plans(), reviews()...) })
	noteTypes     = sync.OnceValue(notes)
)

type meetingNotesFields struct {
	People    []string `json:"people" max:"100" doc:"participants"`
	Topics    []string `json:"topics,omitempty" max:"50" doc:"what it was about, one each"`
	Decisions []string `json:"decisions,omitempty" max:"50" doc:"one each"`
	Actions   []string `json:"actions,omitempty" max:"50" doc:"who does what until when, one each"`
	Notes     string   `json:"notes,omitempty" max:"50000" doc:"anything else"`
}

type decisionRecordFields struct {
	Context      string   `json:"context" min:"1" max:"20000" doc:"why it was needed"`
	Options      []string `json:"options,omitempty" max:"20" doc:"the alternatives, one each"`
	Decision     string   `json:"decision" min:"1" max:"20000" doc:"what was chosen, and why"`
	Consequences string   `json:"consequences,omitempty" max:"20000" doc:"the consequences, including bad ones"`
	Revisit      string   `json:"revisit,omitempty" max:"200" doc:"when to review it"`
}

// notes returns the types that may have any number of documents per period.
func notes() []staged.DocumentType {
	return []staged.DocumentType{
		{
			Name: "meeting_notes", Line: "who met, what was decided, who does what",
			Fields:       staged.FieldsOf[meetingNotesFields](),
			Instructions: "Use the topic as title. Write down decisions and who does what until when; write only what was said. Add the user's own tasks with daily_task.",
			Template: document.Page("\n\n{{.period}}", document.List("There", "people"), document.List("Topics", "topics"), document.List("Decided", "decisions"), document.List("To do", "actions"),
				document.Text("Notes", "notes")),
			Example: document.Example("meeting_notes", "2026-10-23",
				meetingNotesFields{People: []string{"Anna"}, Topics: []string{"Roof"}, Decisions: []string{"Repair it in spring"}, Actions: []string{"Anna asks for offers until 1 November"}}, prefill.Empty()),
		},
		{
			Name: "decision_record", Line: "what was decided, the alternatives, and why",
			Fields:       staged.FieldsOf[decisionRecordFields](),
			Instructions: "Use the decision as title. Ask for the alternatives and for arguments against the choice.",
			Template: document.Page("\n\n{{.period}}", document.Text("Context", "context"), document.List("Options", "options"), document.Text("Decision", "decision"), document.Text("Consequences", "consequences"),
				document.Text("Revisit", "revisit")),
			Example: document.Example("decision_record", "2026-10-23",
				decisionRecordFields{Context: "The roof leaks.", Options: []string{"Patch it", "Renew it"}, Decision: "Patch it: we may move.", Consequences: "It lasts some years."}, prefill.Empty()),
		},
	}
}
