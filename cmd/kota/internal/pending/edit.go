package pending

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/approvals"
)

// editable are the arguments that a user may change before approving a call: the words of a mail,
// and not who gets it.
var editable = []string{"subject", "body"}

// Editable returns the texts of a pending call that the user may change, by argument.
func Editable(call store.Approval) map[string]string {
	if metadata.Effect(call.Effect) != metadata.Sends {
		return nil
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(call.Args, &args) != nil {
		return nil
	}
	texts := map[string]string{}
	for _, name := range editable {
		var text string
		if raw, ok := args[name]; ok && json.Unmarshal(raw, &text) == nil {
			texts[name] = text
		}
	}
	return texts
}

// RunEdited runs a pending call with texts that the user has changed. The client that repeats the
// original call gets the outcome, and learns what ran instead. Only one process can use up the
// original call, and the changed call is approved by its own id. If the changed call certainly did
// nothing, the original one stays pending.
func RunEdited(ctx context.Context, a *app.App, router *entrypoint.Router, rows *approvals.Store, call store.Approval, texts map[string]string, channel entrypoint.Channel, how string) (Outcome, error) {
	args, err := withTexts(call, texts)
	if err != nil {
		return Outcome{}, err
	}
	if err := rows.Consume(ctx, call.ID, "", nil); err != nil { // the changed call counts against the limits
		return Outcome{}, ExplainError(a, err, call.ID)
	}
	storing := context.WithoutCancel(ctx) // the outcome is stored even if the caller has left
	shown, err := json.Marshal(approval.RequestText{Title: call.Tool, Text: textOf(texts)})
	if err != nil {
		return Outcome{}, err
	}
	release := func(err error) error {
		_, releaseErr := rows.Release(storing, call.ID)
		return errors.Join(err, releaseErr)
	}
	out, text, err := router.Answer(ctx, &entrypoint.Call{Channel: channel, Tool: call.Tool, Args: args})
	failure := (*metadata.Error)(nil)
	switch {
	case err == nil: // the settings allow it without a question
		return Outcome{Done: true, Answer: out}, rows.SetEditedOutcome(storing, call.ID, store.ApprovalDone, text, shown)
	case !errors.As(err, &failure) || failure.Approval == "":
		return Outcome{}, release(err)
	}
	edited, err := rows.Get(ctx, failure.Approval)
	if err != nil {
		return Outcome{}, release(err)
	}
	outcome, err := Run(ctx, a, router, rows, edited, channel, how)
	after, getErr := rows.Get(storing, edited.ID)
	switch {
	case getErr != nil:
		return outcome, errors.Join(err, getErr)
	case after.Status == store.ApprovalPending: // it did nothing
		return outcome, errors.Join(release(err), rows.Reject(storing, edited.ID))
	case outcome.Changed != nil: // what it would do has changed meanwhile: the user decides again
		outcome.Changed = nil
		return outcome, errors.Join(release(err), rows.Reject(storing, after.ReplacedBy))
	case after.Status == store.ApprovalDone || after.Status == store.ApprovalFailed:
		return outcome, errors.Join(err, rows.SetEditedOutcome(storing, call.ID, after.Status, after.Outcome, shown))
	}
	return outcome, err
}

// textOf returns the changed texts for the client.
func textOf(texts map[string]string) string {
	var lines []string
	for _, name := range editable {
		if text, ok := texts[name]; ok {
			lines = append(lines, name+": "+text)
		}
	}
	return strings.Join(lines, "\n")
}

// withTexts returns the arguments of a call with these texts. It refuses to change anything else.
func withTexts(call store.Approval, texts map[string]string) (json.RawMessage, error) {
	old := Editable(call)
	var args map[string]any
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, err
	}
	for name, text := range texts {
		if _, ok := old[name]; !ok {
			return nil, metadata.Errorf(metadata.ValidationError, "the argument %s of this call cannot be changed here", name)
		}
		args[name] = text
	}
	if maps.Equal(old, texts) {
		return nil, metadata.Errorf(metadata.ValidationError, "nothing was changed: approve the call as it is")
	}
	return json.Marshal(args)
}
