package console

import (
	"strconv"
	"strings"

	"kota/metadata"
)

// changeDiary logs, edits or deletes an entry.
func (q *request) changeDiary() error {
	form := q.r.PostForm
	next := q.next("diary")
	act := form.Get("act")
	if act == "delete" {
		return q.change("daily_edit", args{"id": form.Get("id"), "delete": true}, next)
	}
	in := args{"text": strings.TrimSpace(form.Get("text"))}
	for _, name := range []string{"type", "date", "time"} {
		if value := strings.TrimSpace(form.Get(name)); value != "" {
			in[name] = value
		}
	}
	metrics, err := parseMetrics(form.Get("metrics"))
	if err != nil {
		return err
	}
	tags := strings.Fields(strings.ReplaceAll(form.Get("tags"), "#", " "))
	mood, _ := strconv.Atoi(form.Get("mood")) // "" is no mood
	switch act {
	case "log":
		if mood > 0 {
			in["mood"] = mood
		}
		if len(tags) > 0 {
			in["tags"] = tags
		}
		if len(metrics) > 0 {
			in["metrics"] = metrics
		}
		return q.change("daily_log", in, next)
	case "edit":
		before, err := parseMetrics(form.Get("metrics_before"))
		if err != nil {
			return err
		}
		for name := range before {
			if _, stays := metrics[name]; !stays {
				metrics[name] = nil // null removes it
			}
		}
		in["id"], in["mood"], in["tags"] = form.Get("id"), mood, tags
		if len(metrics) > 0 {
			in["metrics"] = metrics
		}
		return q.change("daily_edit", in, next)
	}
	return metadata.Errorf(metadata.ValidationError, "the form does not say what to do, so nothing was done")
}

// parseMetrics reads what people write as metrics: "sleep_hours=7.5 sport=true".
func parseMetrics(text string) (map[string]any, error) {
	metrics := map[string]any{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }) {
		name, value, _ := strings.Cut(word, "=")
		number, err := strconv.ParseFloat(value, 64)
		switch {
		case err == nil:
			metrics[name] = number
		case value == "true", value == "yes":
			metrics[name] = true
		case value == "false", value == "no":
			metrics[name] = false
		default:
			return nil, metadata.Errorf(metadata.ValidationError, "a metric is a name and a number, such as sleep_hours=7.5, not %.40q", word).WithHint("Go back and correct it.")
		}
	}
	return metrics, nil
}

// changeTask adds a task, or finishes, defers, drops or reopens one.
func (q *request) changeTask() error {
	form := q.r.PostForm
	in := args{"op": form.Get("op")}
	if form.Get("op") == "add" {
		in["text"] = []string{form.Get("text")}
		if due := form.Get("due"); due != "" {
			in["due"] = due
		}
	} else {
		in["ids"] = []string{form.Get("id")}
	}
	return q.change("daily_task", in, q.next(""))
}
