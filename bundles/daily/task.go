package daily

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/daily/internal/task"
	"kota/bundles/internal/arguments"
	"kota/metadata"
)

type taskIn struct {
	Op     string   `json:"op,omitempty" default:"list" enum:"list,add,done,defer,drop,reopen,edit"`
	IDs    []string `json:"ids,omitempty" alias:"id,task_id,task_ids" max:"50" doc:"list: only these; one in full" audit:"show"`
	Text   []string `json:"text,omitempty" alias:"texts,task,tasks,title" max:"50" doc:"add: one task each; list: words in it"`
	Due    string   `json:"due,omitempty" doc:"add, edit: last day for it, \"friday\"; \"none\"; list: \"overdue\", \"this week\"" audit:"show"`
	Until  string   `json:"until,omitempty" doc:"defer: hidden until then, default tomorrow" audit:"show"`
	Date   string   `json:"date,omitempty" alias:"day,on" doc:"done, drop: when; add: since when; list: a day, week or month" audit:"show"`
	Limit  int      `json:"limit,omitempty" alias:"max_results,count" default:"20" min:"1" max:"100" doc:"list: for each state"`
	Cursor string   `json:"cursor,omitempty"`
	Key    string   `json:"idempotency_key,omitempty" max:"200" doc:"add"`
}

// Effect returns Reads for a list, else Writes.
func (in taskIn) Effect() metadata.Effect {
	if in.Op == task.OpList || in.Op == "" {
		return metadata.Reads
	}
	return metadata.Writes
}

func (d *daily) taskAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "task", Effect: metadata.Writes,
		Summary:     "List, add, finish, defer, drop, reopen or edit tasks.",
		Description: "Open tasks carry over by themselves.",
		Tags:        []string{"todo", "tasks"},
		Aliases: metadata.Aliases{
			"add create new: task todo (op: add)",
			"list get read show: tasks todos (op: list)",
			"complete finish done: - task todo (op: done)",
			"tasks todos: -",
		},
		Examples: []metadata.Example{
			{Title: "What is open today", Args: taskIn{Op: task.OpList, Limit: 20}},
			{Title: "Add two", Args: taskIn{Op: task.OpAdd, Text: []string{"Call the plumber", "Book the train"}, Due: "friday", Limit: 20}},
			{Title: "How the week went", Args: taskIn{Op: task.OpList, Date: "this week", Limit: 50}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound, metadata.Conflict, metadata.TooLarge},
		Notes: []string{
			"A task is one row until it is done or dropped: it is not copied, and it does not disappear at midnight. carried_from and overdue_days are computed when it is read.",
			"done, drop, defer and reopen take several ids: if one is unknown, none is changed.",
			"Texts are shortened to 200 characters; a list of one id shows it in full. A task has at most 4,000 bytes.",
			"done and drop with a date correct the day of a task that is already done. reopen, or defer until today, ends a deferral.",
			"With text or due, a list only counts the matching tasks. next_cursor continues in each state.",
			"daily_edit {undo_id} undoes a change completely. Use it, or drop, for a task that was added by mistake.",
		},
	}, d.task)
}

func (d *daily) task(ctx context.Context, in taskIn) (task.Answer, error) {
	if err := in.check(); err != nil {
		return task.Answer{}, err
	}
	args, tasks := task.Args(in), task.Tasks{Clock: d.Clock, Open: func(ctx context.Context) (task.Diary, error) { return d.diary(ctx) }}
	switch in.Op {
	case task.OpAdd:
		return tasks.Add(ctx, args)
	case task.OpList, "":
		if len(in.IDs) > 0 {
			return tasks.ByIDs(ctx, in.IDs)
		}
		return tasks.List(ctx, args)
	}
	return tasks.Change(ctx, args)
}

// check refuses arguments that the operation does not take, and reports missing ones.
func (in taskIn) check() error {
	var p arguments.Problems
	needs := map[string][]string{task.OpAdd: {"text"}, task.OpDone: {"ids"}, task.OpDefer: {"ids"}, task.OpDrop: {"ids"}, task.OpReopen: {"ids"}, task.OpEdit: {"ids"}}
	takes := map[string][]string{
		task.OpList: {"date", "ids", "text", "due", "cursor"}, task.OpAdd: {"due", "idempotency_key", "date"}, task.OpDone: {"date"}, task.OpDrop: {"date"}, task.OpDefer: {"until", "due"}, task.OpEdit: {"text", "due"},
	}
	op := in.Op
	given := map[string]bool{
		"ids": len(in.IDs) > 0, "text": len(in.Text) > 0, "due": in.Due != "", "until": in.Until != "", "date": in.Date != "", "idempotency_key": in.Key != "", "cursor": in.Cursor != "",
	}
	for _, name := range []string{"ids", "text", "due", "until", "date", "idempotency_key", "cursor"} {
		switch needed := slices.Contains(needs[op], name); {
		case needed && !given[name]:
			p = append(p, metadata.Problem{Path: name, Expected: "given, because op is " + op, Got: "nothing"})
		case given[name] && !needed && !slices.Contains(takes[op], name):
			p = append(p, metadata.Problem{Path: name, Expected: "omitted, because op is " + op, Got: "given"})
		}
	}
	if listed := op == task.OpList || op == ""; listed && given["ids"] && (given["text"] || given["due"] || given["date"] || given["cursor"]) {
		p = append(p, metadata.Problem{Path: "ids", Expected: "used alone to list tasks", Got: "given with others"})
	}
	for i, text := range in.Text {
		path := fmt.Sprintf("text[%d]", i)
		if strings.TrimSpace(text) == "" {
			p.Add(path, "what to do", text)
		}
		p.Text(path, text)
	}
	if op == task.OpEdit && len(in.Text) == 0 && in.Due == "" {
		p = append(p, metadata.Problem{Path: "text", Expected: "given, or due", Got: "neither"})
	}
	if op == task.OpEdit && len(in.Text) > 0 && (len(in.Text) > 1 || len(in.IDs) > 1) {
		p = append(p, metadata.Problem{Path: "text", Expected: "one text for one id", Got: fmt.Sprintf("%d for %s", len(in.Text), metadata.CountOf(len(in.IDs), "id"))})
	}
	return p.Err()
}
