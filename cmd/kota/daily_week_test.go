package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/staged"
	"kota/entrypoint/wiretest"
)

const weekIntro = `# A week with the daily bundle

This page is written by a test that lives through a week at the command line, as
a new user would: seven days of entries and tasks, a night that runs past
midnight, a day without a word, and the review of it all. An assistant makes the
same calls over MCP.

It begins with saying where you are,
` + "`timezone: Europe/Amsterdam`" + ` in bundles.yaml. A day starts at 04:00 unless
` + "`day_starts`" + ` says otherwise.
`

// weekStep is a call of the week, with the text before it on the page.
type weekStep struct {
	clock      string // the hour in Amsterdam
	intro      string
	args       []string // of kota call
	showAnswer bool     // with its answer
}

type weekDay struct {
	title string
	date  string
	steps []weekStep
}

var weekDays = []weekDay{
	{"Monday", "2026-11-16", []weekStep{
		{"08:30", "The week begins with a plan.", []string{"daily_plan", "week=this week", `answers:={"goals": ["Hand the report in", "Run three times"], "focus": "The report"}`}, true},
		{"08:40", "What has to be done becomes tasks, several at once.", []string{"daily_task", "op=add", `text:=["Finish the report", "Book the train to Ghent", "Call the plumber"]`, "due=friday"}, true},
		{"19:10", "In the evening the first entries, with whatever is worth counting.", []string{"daily_log", "text=Wrote the first half of the report", "section=work", "mood:=4", `metrics:={"sleep_hours": 7.5}`}, true},
		{"19:15", "", []string{"daily_log", "text=Ran 5 km along the canal", "type=training", `metrics:={"km": 5}`}, false},
	}},
	{"Tuesday", "2026-11-17", []weekStep{
		{"21:00", "", []string{"daily_log", "text=Slept badly, the report hardly moved", "section=work", "mood:=2", "energy:=2", `metrics:={"sleep_hours": 5}`}, false},
		{"21:05", "What will not happen soon rests until it can.", []string{"daily_task", "op=defer", "ids=TASK3", "until=saturday"}, true},
	}},
	{"Wednesday", "2026-11-18", []weekStep{
		{"12:30", "", []string{"daily_log", "text=Soup with Anna, who offered to read the report", "type=food", "mood:=4"}, false},
	}},
	{"Thursday", "2026-11-19", nil},
	{"Friday", "2026-11-20", []weekStep{
		{"16:00", "The report is done, and ticked off.", []string{"daily_task", "op=done", "ids=TASK1"}, true},
		{"16:05", "", []string{"daily_log", "text=Handed the report in", "section=work", "mood:=5", `metrics:={"sleep_hours": 7}`}, false},
	}},
	{"Saturday", "2026-11-21", []weekStep{
		{"02:10", "The celebration ran late. At ten past two it is still Friday, and the answer says why.", []string{"daily_log", "text=Danced until two", "type=journal", "mood:=5"}, true},
	}},
	{"Sunday", "2026-11-22", []weekStep{
		{"18:00", "What is left? The train was due on Friday; the plumber is back.", []string{"daily_task"}, true},
		{"18:10", "Then the review. The first call gives instructions and a starter.", []string{"daily_review", "week=this week"}, false},
	}},
}

// TestWeekTutorialMatchesCalls writes docs/tutorial/a-week.md from a week of
// calls, and fails if the page differs.
func TestWeekTutorialMatchesCalls(t *testing.T) {
	w := &weekRun{t: t, home: newDailyHome(t), tasks: strings.NewReplacer()}
	w.page.WriteString(weekIntro)
	for _, day := range weekDays {
		fmt.Fprintf(&w.page, "\n## %s, %s\n", day.title, day.date)
		if len(day.steps) == 0 {
			w.page.WriteString("\nNothing is logged. Nobody has to.\n")
		}
		for _, step := range day.steps {
			w.runStep(day.date, step)
		}
	}
	w.review()
	path := filepath.Join("..", "..", "docs", "tutorial", "a-week.md")
	page := w.handles.Name(w.page.String())
	if *updateFlag {
		writePage(t, path, page)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), page); diff != "" {
		t.Errorf("docs/tutorial/a-week.md is not what the calls answer; go test ./cmd/kota -run WeekTutorial -update writes it anew (-page +lived):\n%s", diff)
	}
}

func writePage(t *testing.T, path, page string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// weekRun runs a week of calls and writes its page.
type weekRun struct {
	t       *testing.T
	home    string
	page    strings.Builder
	tasks   *strings.Replacer // replaces TASK1 and so on, once they have ids
	handles wiretest.Handles
	last    []byte // the answer of the last call
}

// call runs kota call at a time and keeps its answer.
func (w *weekRun) call(at string, args []string) {
	w.t.Helper()
	env := map[string]string{"KOTA_HOME": w.home, "KOTA_NOW": at + ":00+01:00"}
	var out, errs bytes.Buffer
	args = append([]string{"call"}, args...)
	if err := run(w.t.Context(), args, func(name string) string { return env[name] }, strings.NewReader(""), &out, &errs); err != nil {
		w.t.Fatalf("%s: %v\n%s", args, err, errs.String())
	}
	w.last = out.Bytes()
}

func (w *weekRun) runStep(date string, step weekStep) {
	w.t.Helper()
	args := make([]string, len(step.args))
	for i, arg := range step.args {
		args[i] = w.tasks.Replace(arg)
	}
	w.call(date+"T"+step.clock, args)
	var added struct{ Tasks []struct{ ID string } }
	if err := json.Unmarshal(w.last, &added); err == nil && len(added.Tasks) == 3 && args[1] == "op=add" {
		w.tasks = strings.NewReplacer("TASK1", added.Tasks[0].ID, "TASK2", added.Tasks[1].ID, "TASK3", added.Tasks[2].ID)
	}
	if step.intro != "" {
		fmt.Fprintf(&w.page, "\n%s\n", step.intro)
	}
	fmt.Fprintf(&w.page, "\n```\n$ kota call %s   # %s\n```\n", shellCommand(args), step.clock)
	if step.showAnswer {
		var line bytes.Buffer
		if err := json.Compact(&line, w.last); err != nil {
			w.t.Fatal(err)
		}
		fmt.Fprintf(&w.page, "\n```json\n%s\n```\n", line.String())
	}
}

// review shows the starter that the last call returned, answers it, and shows
// the resulting document.
func (w *weekRun) review() {
	w.t.Helper()
	begun := w.stagedAnswer()
	fmt.Fprintf(&w.page, "\nIts instructions: *%s*\n\nIts fields: `%s`.\n\nIts starter, with what was kept in it:\n\n```markdown\n%s\n```\n",
		begun.Instructions, strings.Join(begun.Fields, "`, `"), begun.Starter)
	args := []string{"daily_review", "handle=" + begun.Handle, `answers:={"highlights": ["The report is in", "Dancing with Anna and the others"], "hard": ["Tuesday, after five hours of sleep"], "patterns": "The low mood came with the short night.", "next": "Book the train, run twice more."}`}
	w.call("2026-11-22T18:20", args)
	made := w.stagedAnswer()
	fmt.Fprintf(&w.page, "\nThe user says what stood out, and the second call creates the document. The handle survives a crash of\nthe client between the two calls.\n\n```\n$ kota call %s   # 18:20\n```\n", shellCommand(args))
	fmt.Fprintf(&w.page, "\nIt is kept, and `kota call daily_get id=%s` shows it:\n\n```markdown\n%s\n```\n", made.ID, w.documentBody(made.ID))
}

// documentBody returns the body of a document.
func (w *weekRun) documentBody(id string) string {
	w.t.Helper()
	w.call("2026-11-22T18:30", []string{"daily_get", "id=" + id})
	var read struct{ Document struct{ Body string } }
	if err := json.Unmarshal(w.last, &read); err != nil {
		w.t.Fatal(err)
	}
	return read.Document.Body
}

func (w *weekRun) stagedAnswer() staged.Answer {
	w.t.Helper()
	var answer staged.Answer
	if err := json.Unmarshal(w.last, &answer); err != nil {
		w.t.Fatal(err)
	}
	return answer
}

// shellCommand returns a command as a user types it.
func shellCommand(args []string) string {
	typed := []string{}
	for _, arg := range args {
		if strings.ContainsAny(arg, " {[\"") {
			arg = "'" + arg + "'"
		}
		typed = append(typed, arg)
	}
	return strings.Join(typed, " ")
}
