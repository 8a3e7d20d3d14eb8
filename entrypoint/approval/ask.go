package approval

import (
	"context"
	"strings"

	"kota/entrypoint"
	"kota/metadata"
)

// A FormClient shows forms through the client that sent the call.
type FormClient interface {
	// Shows returns whether and how the client of the call in ctx shows forms.
	Shows(ctx context.Context) entrypoint.FormMode
	// Ask shows the form and waits for the answer. It works only with entrypoint.ShowsNow.
	Ask(ctx context.Context, form entrypoint.Form) (*entrypoint.FormAnswer, error)
}

// askClient asks the user through the client, if the client supports it and the whole
// text fits into a question. Otherwise the call waits, because an approval of a shortened
// text would not count.
func (a *Approvals) askClient(ctx context.Context, c *entrypoint.Call, asked entrypoint.Request, digest string) error {
	shown := Show(asked)
	if !shown.fits() || a.Client == nil {
		return a.wait(ctx, c, asked, digest)
	}
	form := entrypoint.Form{Message: shown.Text, Fields: agreement(asked)}
	switch a.Client.Shows(ctx) {
	case entrypoint.ShowsNow:
		return a.askNow(ctx, c, form, asked, digest)
	case entrypoint.ShowsAfter:
		state, err := a.seal(asked.Action.Tool, digest)
		if err != nil { // without a state, a forged answer would look real
			return a.wait(ctx, c, asked, digest)
		}
		return inputWanted(asked.Action.Tool, state, form)
	}
	return a.wait(ctx, c, asked, digest)
}

func (a *Approvals) askNow(ctx context.Context, c *entrypoint.Call, form entrypoint.Form, asked entrypoint.Request, digest string) error {
	answer, err := a.elicit(ctx, c, form)
	switch {
	case ctx.Err() != nil: // the client cancelled the call: nobody waits for it
		return ctx.Err()
	case err != nil:
		return a.wait(ctx, c, asked, digest)
	}
	if err := a.answered(c, answer, asked); err != nil {
		return err
	}
	c.NoteApproval("client")
	return &errApproved{digest}
}

// elicit shows the form during the call and waits for the answer.
func (a *Approvals) elicit(ctx context.Context, c *entrypoint.Call, form entrypoint.Form) (*entrypoint.FormAnswer, error) {
	most := a.Patience
	if most == 0 {
		most = patience
	}
	defer a.open.Add(-1)
	if a.open.Add(1) > maxQuestions {
		return nil, entrypoint.ErrTooMany
	}
	c.ReleaseSlot() // people take their time
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	ctx, over, err := c.Session.TrackQuestion(ctx, a.Now())
	if err != nil {
		return nil, err
	}
	defer over()
	return a.Client.Ask(ctx, form)
}

// The fields of an answer, which clients show in the order of their names. The user
// approves the call, and may also trust its recipients for the rest of the conversation.
const (
	yes       = "yes"
	alsoLater = "yes_also_later"
)

// agreement returns the schema of the user's answer.
func agreement(asked entrypoint.Request) map[string]any {
	tick := func(title string) map[string]any {
		return map[string]any{"type": "boolean", "title": title, "default": false}
	}
	title := "Yes, send it"
	switch asked.Effect {
	case metadata.Destroys:
		title = "Yes, delete it for good"
	case metadata.Writes:
		title = "Yes, do it"
	}
	wanted := map[string]any{yes: tick(title)}
	if asked.MayTrust != nil {
		wanted[alsoLater] = tick("Do not ask again about sends to " + strings.Join(asked.MayTrust, ", ") + " alone, in this conversation")
	}
	return map[string]any{"type": "object", "properties": wanted, "required": []string{yes}}
}

// answered returns nil if the user said yes. It records a refusal, and the recipients that
// the user trusts for the rest of the session.
func (a *Approvals) answered(c *entrypoint.Call, answer *entrypoint.FormAnswer, asked entrypoint.Request) error {
	if err := agrees(answer, asked.Action.Tool); err != nil {
		if answer != nil {
			c.Session.NoteRefusal(entrypoint.Refusal{Tool: asked.Action.Tool, At: a.Now()})
		}
		return err
	}
	if answer.Content[alsoLater] == true {
		c.Session.Trust(asked.MayTrust)
	}
	return nil
}

// agrees returns nil if the user said yes. Clients do not check answers against the schema,
// so every answer that is not a clear yes is a refusal.
func agrees(answer *entrypoint.FormAnswer, tool string) error {
	if answer == nil {
		return noConsent(metadata.Refused, "the user's answer is missing")
	}
	if answer.Action == entrypoint.FormAccepted && answer.Content[yes] == true {
		return nil
	}
	if answer.Action == entrypoint.FormCancelled {
		return metadata.Errorf(metadata.Refused, "the user closed the question about this call of %s: nothing was done", tool).
			WithHint("Ask in words what they would like.")
	}
	return metadata.Errorf(metadata.Refused, "the user said no to this call of %s: nothing was done", tool).
		WithHint("Do not repeat it; ask what they would like instead.")
}

// inputWanted returns the error of a call that ends with a question.
func inputWanted(tool, state string, form entrypoint.Form) error {
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must agree to this call of %s first: nothing was done", tool)
	e.Cause = &entrypoint.InputRequired{State: state, Form: form}
	return e
}
