package console

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/entrypoint"
	"kota/metadata"
)

// showTools lists the actions that can be called.
func (q *request) showTools() error {
	var groups []view.TryBundle
	for _, bundle := range q.app.Bundles() {
		group := view.TryBundle{Name: bundle.Name}
		for _, action := range bundle.Actions {
			if known, ok := q.router.Action(action.Tool); ok && q.app.Policy().Shows(bundle, action.Tool) {
				group.Tools = append(group.Tools, view.TryTool{Tool: known.Tool, Summary: known.Summary, Effect: string(known.Effect)})
			}
		}
		if len(group.Tools) > 0 {
			groups = append(groups, group)
		}
	}
	return q.show(http.StatusOK, "Try it", "try", func(p view.Page) templ.Component { return view.TryList(p, groups) })
}

// tool returns the form of the action that the path names, filled in with the values.
func (q *request) tool(values url.Values) (metadata.Action, view.TryTool, error) {
	action, ok := q.router.Action(q.path[1])
	if !ok {
		return action, view.TryTool{}, metadata.Errorf(metadata.ToolNotFound, "there is no tool %.60q, or it is off", q.path[1]).WithHint("The page “Try it” lists the tools.")
	}
	form := view.TryTool{Tool: action.Tool, Summary: action.Summary, Description: action.Description, Effect: string(action.Effect)}
	for _, param := range action.Input.Params() {
		if param.Name == "dry_run" {
			form.DryRun = true
			continue
		}
		form.Fields = append(form.Fields, fieldOf(param, values.Get("arg."+param.Name)))
	}
	for _, example := range action.Examples {
		if query, ok := exampleQuery(example); ok {
			form.Examples = append(form.Examples, view.TryExample{Title: example.Title, Query: query})
		}
	}
	return action, form, nil
}

// showTool shows the form of an action.
func (q *request) showTool() error {
	_, form, err := q.tool(q.r.URL.Query())
	if err != nil {
		return err
	}
	return q.show(http.StatusOK, form.Tool, "try", func(p view.Page) templ.Component { return view.Try(p, form, nil) })
}

// tryTool calls an action with the arguments of its form, and shows the answer below the form.
func (q *request) tryTool() error {
	values := q.r.PostForm
	action, form, err := q.tool(values)
	if err != nil {
		return err
	}
	in, err := arguments(form.Fields)
	answer := &view.TryAnswer{}
	if err == nil {
		if act := values.Get("act"); !slices.Contains([]string{"call", "dry"}, act) {
			err = metadata.Errorf(metadata.ValidationError, "the form does not say what to do, so nothing was done")
		} else if act == "dry" && form.DryRun {
			in["dry_run"], answer.Dry = json.RawMessage("true"), true
		}
	}
	if err == nil {
		err = q.run(action.Tool, in, form.Fields, answer)
	}
	if approval := approvalOf(err); approval != "" {
		return q.redirect("approvals/" + approval)
	}
	if err != nil {
		failure := failureOf(err)
		answer.Failure, answer.Code = &failure, string(metadata.CodeOf(err))
	}
	return q.show(http.StatusOK, form.Tool, "try", func(p view.Page) templ.Component { return view.Try(p, form, answer) })
}

// run calls the action and stores the answer, and how else the same call can be made.
func (q *request) run(tool string, in map[string]json.RawMessage, fields []view.TryField, answer *view.TryAnswer) error {
	raw := plain(in)
	answer.MCP = indented(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": json.RawMessage(raw)}})
	answer.Command = "kota call " + tool + " '" + strings.ReplaceAll(string(raw), "'", `'\''`) + "'"
	link := url.Values{}
	for _, field := range fields {
		if field.Value != "" {
			link.Set("arg."+field.Name, field.Value)
		}
	}
	answer.Link = q.base + "try/" + escape(tool) + "?" + link.Encode()
	call := &entrypoint.Call{Channel: entrypoint.ByConsole, Tool: tool, Args: raw}
	_, text, err := q.router.Answer(q.r.Context(), call)
	if err != nil {
		return err
	}
	answer.Note = call.Note
	answer.JSON = indented(json.RawMessage(text))
	var done struct {
		Undo string `json:"undo_id"`
	}
	if json.Unmarshal(text, &done) == nil {
		answer.Undo = done.Undo
	}
	answer.Value, err = view.ParseValue(text)
	return err
}

// indented returns a value as JSON for people.
func indented(value any) string {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	lines.SetIndent("", "  ")
	if err := lines.Encode(value); err != nil {
		return "" // the answer was JSON, so this cannot be
	}
	return text.String()
}
