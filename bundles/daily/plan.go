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
		Summary: "Plan a day or week, write meeting notes or a decision, by steps or at once.",
		Tags:    []string{"plan", "notes", "document"},
		Errors:  []metadata.Code{metadata.TooLarge, metadata.NotFound},
		Notes:   documentNotes,
	}, "day_plan", "week_plan"))
}

// documentNotes are the notes of daily_plan and daily_review.
var documentNotes = []string{
	"The period is a day, a week or a month, in words or as it is kept; alone it chooses the type. Days begin at day_starts, weeks on Monday.",
	"There is one plan and one review of a period. Another is its next version, and what it does not answer stays as it is there: replaces says so. \"\" or [] empties a field.",
	"For other types each call makes a new document. The same words within ten minutes answer the existing one, with repeated: true.",
	"next.actions says how to take back what was created. A review is of days that have begun: monday is the last one.",
	"daily_plan and daily_review make all types, and each goes on with the handles of the other.",
	"Types of the user's own are in bundles.yaml under templates.",
}

type dayPlanFields struct {
	Focus    string   `json:"focus" min:"1" max:"2000" doc:"what makes it a good day"`
	Must     []string `json:"must,omitempty" max:"30" doc:"what has to be done, one each"`
	Schedule []string `json:"schedule,omitempty" max:"30" doc:"times set aside, such as 09:00 report"`
	Notes    string   `json:"notes,omitempty" max:"20000" doc:"anything else"`
}

type weekPlanFields struct {
	Goals []string `json:"goals" max:"20" doc:"what is to be reached by Sunday, one each"`
	Focus string   `json:"focus,omitempty" max:"2000" doc:"what comes first when it gets tight"`
	Avoid []string `json:"avoid,omitempty" max:"20" doc:"what is left alone this week"`
	Notes string   `json:"notes,omitempty" max:"20000" doc:"anything else"`
}

func (d *daily) plans() []staged.DocumentType {
	dayTemplate := document.Page(document.Text("Focus", "focus"), document.List("To be done", "must"), document.List("Schedule", "schedule"),
		document.Text("Calendar", "events"), document.Text("Tasks that are open", "tasks_open"), document.Text("Said before", "before"), document.Text("Notes", "notes"))
	weekTemplate := document.Page(document.List("Goals", "goals"), document.Text("First", "focus"), document.List("Left alone", "avoid"),
		document.Text("Calendar", "events"), document.Text("Tasks that are open", "tasks_open"), document.Text("Said before", "before"), document.Text("Notes", "notes"))
	return []staged.DocumentType{
		{
			Name: "day_plan", Line: "what one day is for",
			Fields: staged.FieldsOf[dayPlanFields](), Template: dayTemplate, Prefill: d.prefill(dayTemplate),
			Instructions: "Show the open tasks, overdue ones first. Ask for the one thing that matters, then for at most three musts. Defer or drop with daily_task what has no place.",
			Example: document.Example("day_plan", "2026-10-23",
				dayPlanFields{Focus: "Finish the report", Must: []string{"Call the plumber"}, Schedule: []string{"09:00 report"}}, prefill.Empty()),
		},
		{
			Name: "week_plan", Line: "what one week is for",
			Fields: staged.FieldsOf[weekPlanFields](), Template: weekTemplate, Prefill: d.prefill(weekTemplate),
			Instructions: "Show the open tasks, overdue ones first. Ask for two or three goals that can be told as reached or not by Sunday.",
			Example: document.Example("week_plan", "2026-W43",
				weekPlanFields{Goals: []string{"Report handed in"}, Focus: "The report", Avoid: []string{"New projects"}}, prefill.Empty()),
		},
	}
}
