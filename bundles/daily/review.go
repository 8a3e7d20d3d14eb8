package daily

import (
	"kota/bundles"
	"kota/bundles/daily/internal/document"
	"kota/bundles/daily/internal/prefill"
	"kota/bundles/staged"
	"kota/metadata"
)

func (d *daily) reviewAction() bundles.Action {
	return staged.Bind(d.flow(metadata.Action{
		Name:    "review",
		Summary: "Review a day, week or month from the log, in steps or in one call.",
		Tags:    []string{"review", "reflection", "retrospective"},
		Errors:  []metadata.Code{metadata.TooLarge, metadata.NotFound},
		Notes:   documentNotes,
	}, "day_review", "week_review", "month_review"))
}

type dayReviewFields struct {
	Highlights []string `json:"highlights" max:"20" doc:"what was good, one each"`
	Hard       []string `json:"hard,omitempty" max:"20" doc:"what was not, one each"`
	Learned    string   `json:"learned,omitempty" max:"20000" doc:"what to remember"`
	Next       string   `json:"next,omitempty" max:"20000" doc:"what to continue tomorrow"`
}

type longReviewFields struct {
	Highlights []string `json:"highlights" max:"30" doc:"what was good, one each, with the ids of entries"`
	Hard       []string `json:"hard,omitempty" max:"30" doc:"what was not, one each, with the ids of entries"`
	Patterns   string   `json:"patterns,omitempty" max:"20000" doc:"what the numbers and entries show together"`
	Learned    string   `json:"learned,omitempty" max:"20000" doc:"what to remember"`
	Next       string   `json:"next,omitempty" max:"20000" doc:"what to continue next"`
}

// Instructions for writing reviews.
const (
	dayInstructions = "Read the starter with the user. Ask what was good and what was not; suggest points from the entries, with their ids. " +
		"Resolve open tasks with daily_task. Write only what the user said."
	longInstructions = "Read the starter with the user: the log, the numbers compared with the previous period, the tasks, the days without an entry. " +
		"Ask what stood out. Cite entries by their ids; for gaps say that nothing was logged, not that nothing happened. Write only what the user said."
)

func reviews() []staged.DocumentType {
	facts := []string{
		document.Text("Logged", "entries"), document.Text("Numbers", "numbers"), document.Text("Done", "tasks_done"), document.Text("Dropped", "tasks_dropped"),
		document.Text("Still open", "tasks_open"), document.Text("Gaps", "missing"), document.Text("Planned", "before"),
	}
	dayTemplate := document.Page(append([]string{document.List("Good", "highlights"), document.List("Hard", "hard"), document.Text("Learned", "learned"), document.Text("For tomorrow", "next"), document.Text("Calendar", "events")}, facts...)...)
	longTemplate := document.Page(append([]string{
		document.List("Good", "highlights"), document.List("Hard", "hard"), document.Text("Patterns", "patterns"), document.Text("Learned", "learned"), document.Text("Next", "next"),
	}, facts...)...)
	long := longReviewFields{Highlights: []string{"The report is handed in"}, Hard: []string{"Slept badly"}, Patterns: "Short nights, low mood.", Learned: "Stop at ten.", Next: "Rest."}
	return []staged.DocumentType{
		{
			Name: "day_review", Line: "how one day was", Instructions: dayInstructions,
			Fields: staged.FieldsOf[dayReviewFields](), Template: dayTemplate,
			Example: document.Example("day_review", "2026-10-23",
				dayReviewFields{Highlights: []string{"The report is done"}, Hard: []string{"Slept badly"}, Learned: "Stop at ten.", Next: "Call the plumber."}, prefill.Empty()),
		},
		{
			Name: "week_review", Line: "how one week was: entries, numbers, tasks, gaps", Instructions: longInstructions,
			Fields: staged.FieldsOf[longReviewFields](), Template: longTemplate,
			Example: document.Example("week_review", "2026-W43", long, prefill.Empty()),
		},
		{
			Name: "month_review", Line: "how one month was: numbers, tasks, gaps", Instructions: longInstructions,
			Fields: staged.FieldsOf[longReviewFields](), Template: longTemplate,
			Example: document.Example("month_review", "2026-09", long, prefill.Empty()),
		},
	}
}
