package daily

import (
	"kota/bundles"
	"kota/bundles/daily/internal/document"
	"kota/bundles/daily/internal/prefill"
	"kota/bundles/staged"
	"kota/metadata"
)

func (d *daily) planAction() bundles.Action {
	return staged.Bind(d.flow(metadata.Action{
		Name:    "plan",
		Summary: "Plan a day or week, write meeting notes or a decision, in steps or in one call.",
		Tags:    []string{"plan", "notes", "document"},
		Errors:  []metadata.Code{metadata.TooLarge, metadata.NotFound},
		Notes:   documentNotes,
	}, "day_plan", "week_plan"))
}

// documentNotes are the notes of daily_plan and daily_review.
var documentNotes = []string{
	"The period is a day, a week or a month, in words or as stored; without a type, it chooses the type. Days begin at day_starts, weeks on Monday.",
	"Each period has one plan and one review. A second call saves a new version, in which fields without an answer stay as they were; replaces says so. \"\" or [] empties a field.",
	"For other types each call creates a new document. The same content within ten minutes returns the existing one, with repeated: true.",
	"next.actions says how to undo the creation. A review covers days that have begun; monday means the last one.",
	"daily_plan and daily_review can create all types and continue each other's handles.",
	"The user can define types in bundles.yaml under templates.",
}

type dayPlanFields struct {
	Focus    string   `json:"focus" min:"1" max:"2000" doc:"what makes it a good day"`
	Must     []string `json:"must,omitempty" max:"30" doc:"what must be done, one each"`
	Schedule []string `json:"schedule,omitempty" max:"30" doc:"reserved times, such as 09:00 report"`
	Notes    string   `json:"notes,omitempty" max:"20000" doc:"anything else"`
}

type weekPlanFields struct {
	Goals []string `json:"goals" max:"20" doc:"goals until Sunday, one each"`
	Focus string   `json:"focus,omitempty" max:"2000" doc:"what has priority"`
	Avoid []string `json:"avoid,omitempty" max:"20" doc:"what is not done this week"`
	Notes string   `json:"notes,omitempty" max:"20000" doc:"anything else"`
}

func plans() []staged.DocumentType {
	dayTemplate := document.Page(document.Text("Focus", "focus"), document.List("Must be done", "must"), document.List("Schedule", "schedule"),
		document.Text("Calendar", "events"), document.Text("Open tasks", "tasks_open"), document.Text("From the last review", "before"), document.Text("Notes", "notes"))
	weekTemplate := document.Page(document.List("Goals", "goals"), document.Text("Priority", "focus"), document.List("Not this week", "avoid"),
		document.Text("Calendar", "events"), document.Text("Open tasks", "tasks_open"), document.Text("From the last review", "before"), document.Text("Notes", "notes"))
	return []staged.DocumentType{
		{
			Name: "day_plan", Line: "what one day is for",
			Fields: staged.FieldsOf[dayPlanFields](), Template: dayTemplate,
			Instructions: "Show the open tasks, overdue ones first. Ask for the most important thing, then for at most three musts. Defer or drop the other tasks with daily_task.",
			Example: document.Example("day_plan", "2026-10-23",
				dayPlanFields{Focus: "Finish the report", Must: []string{"Call the plumber"}, Schedule: []string{"09:00 report"}}, prefill.Empty()),
		},
		{
			Name: "week_plan", Line: "what one week is for",
			Fields: staged.FieldsOf[weekPlanFields](), Template: weekTemplate,
			Instructions: "Show the open tasks, overdue ones first. Ask for two or three goals; by Sunday it must be clear whether each is reached.",
			Example: document.Example("week_plan", "2026-W43",
				weekPlanFields{Goals: []string{"Report handed in"}, Focus: "The report", Avoid: []string{"New projects"}}, prefill.Empty()),
		},
	}
}
