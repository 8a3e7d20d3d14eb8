package approval

import (
	"context"
	"strings"

	"kota/entrypoint"
	"kota/metadata"
)

// A FormClient shows forms through the client that sent the call.
type FormClient interface {
	// FormMode returns whether and how the client of the call in ctx shows forms.
	FormMode(ctx context.Context) entrypoint.FormMode
	// Ask shows the form and waits for the answer. The mode must be FormsDuringCall.
	Ask(ctx context.Context, form entrypoint.Form) (*entrypoint.FormAnswer, error)
}

// askClient asks the user through the client, if the client shows forms and the whole
// text fits into a question. Otherwise the call waits: the user must see the whole text.
func (a *Approvals) askClient(ctx context.Context, c *entrypoint.Call, request entrypoint.Request, digest string) error {
	text := TextOf(request)
	if !text.fits() || a.Client == nil {
		return a.wait(ctx, c, request, digest)
	}
	form := entrypoint.Form{Message: text.Text, Fields: answerSchema(request)}
	switch a.Client.FormMode(ctx) {
	case entrypoint.FormsDuringCall:
		return a.askNow(ctx, c, form, request, digest)
	case entrypoint.FormsAfterCall:
		state, err := a.seal(request.Action.Tool, digest)
		if err != nil { // without a state, a forged answer would look real
			return a.wait(ctx, c, request, digest)
		}
		return inputRequiredError(request.Action.Tool, state, form)
	}
	return a.wait(ctx, c, request, digest)
}

func (a *Approvals) askNow(ctx context.Context, c *entrypoint.Call, form entrypoint.Form, request entrypoint.Request, digest string) error {
	answer, err := a.elicit(ctx, c, form)
	switch {
	case ctx.Err() != nil: // the client cancelled the call: nobody waits for it
		return ctx.Err()
	case err != nil:
		return a.wait(ctx, c, request, digest)
	}
	if err := a.checkAnswer(c, answer, request); err != nil {
		return err
	}
	c.NoteApproval("client")
	return &approvedError{digest}
}

// elicit shows the form during the call and waits for the answer.
func (a *Approvals) elicit(ctx context.Context, c *entrypoint.Call, form entrypoint.Form) (*entrypoint.FormAnswer, error) {
	timeout := a.AnswerTimeout
	if timeout == 0 {
		timeout = defaultAnswerTimeout
	}
	defer a.openQuestions.Add(-1)
	if a.openQuestions.Add(1) > maxOpenQuestions {
		return nil, entrypoint.ErrTooMany
	}
	c.ReleaseSlot() // people take their time
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ctx, done, err := c.Session.TrackQuestion(ctx, a.Now())
	if err != nil {
		return nil, err
	}
	defer done()
	return a.Client.Ask(ctx, form)
}

// The fields of the form. Clients show them in the order of their names.
const (
	fieldYes   = "yes"            // the user approves the call
	fieldTrust = "yes_also_later" // the user also trusts its recipients for the rest of the conversation
)

// answerSchema returns the schema of the user's answer.
func answerSchema(request entrypoint.Request) map[string]any {
	checkbox := func(title string) map[string]any {
		return map[string]any{"type": "boolean", "title": title, "default": false}
	}
	title := "Yes, send it"
	switch request.Effect {
	case metadata.Destroys:
		title = "Yes, delete it for good"
	case metadata.Writes:
		title = "Yes, do it"
	}
	properties := map[string]any{fieldYes: checkbox(title)}
	if request.Trustable != nil {
		properties[fieldTrust] = checkbox("In this conversation, do not ask again about sends only to " + strings.Join(request.Trustable, ", "))
	}
	return map[string]any{"type": "object", "properties": properties, "required": []string{fieldYes}}
}

// checkAnswer returns nil if the user said yes, and records the recipients that the user
// trusts for the rest of the session. Otherwise it returns REFUSED, and records the refusal
// unless the answer is missing.
func (a *Approvals) checkAnswer(c *entrypoint.Call, answer *entrypoint.FormAnswer, request entrypoint.Request) error {
	if err := checkConsent(answer, request.Action.Tool); err != nil {
		if answer != nil {
			c.Session.NoteRefusal(entrypoint.Refusal{Tool: request.Action.Tool, At: a.Now()})
		}
		return err
	}
	if answer.Content[fieldTrust] == true {
		c.Session.Trust(request.Trustable)
	}
	return nil
}

// checkConsent returns nil if the user said yes. Clients do not check answers against the schema,
// so every answer that is not a clear yes is a refusal.
func checkConsent(answer *entrypoint.FormAnswer, tool string) error {
	if answer == nil {
		return noConsentError(metadata.Refused, "the user's answer is missing")
	}
	if answer.Action == entrypoint.FormAccepted && answer.Content[fieldYes] == true {
		return nil
	}
	if answer.Action == entrypoint.FormCancelled {
		return metadata.Errorf(metadata.Refused, "the user closed the question about this call of %s without an answer: nothing was done", tool).
			WithHint("Ask the user what they would like.")
	}
	return metadata.Errorf(metadata.Refused, "the user said no to this call of %s: nothing was done", tool).
		WithHint("Do not repeat it; ask the user what they would like instead.")
}

// inputRequiredError returns the error of a call that ends with a question.
func inputRequiredError(tool, state string, form entrypoint.Form) error {
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must approve this call of %s first: nothing was done", tool)
	e.Cause = &entrypoint.InputRequired{State: state, Form: form}
	return e
}
