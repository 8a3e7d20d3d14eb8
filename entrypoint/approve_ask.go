package entrypoint

import (
	"context"
	"errors"
	"strings"

	"kota/metadata"
)

// A Form is a question that a client shows to its user.
type Form struct {
	Message string
	Fields  map[string]any // the JSON Schema of the answer's content
}

// A FormAnswer is what the user did with a Form.
type FormAnswer struct {
	Action  FormAction
	Content map[string]any // nil where the user did not fill the form in
}

// A FormAction is what MCP calls the action of an elicitation's result.
type FormAction string

const (
	FormAccepted  FormAction = "accept"
	FormDeclined  FormAction = "decline"
	FormCancelled FormAction = "cancel"
)

// A FormClient shows forms through the client that a call came from.
type FormClient interface {
	// Shows says whether and how the client of the call in ctx shows forms.
	Shows(ctx context.Context) FormMode
	// Ask shows the form and waits for the answer. It is for ShowsNow alone.
	Ask(ctx context.Context, form Form) (*FormAnswer, error)
}

// A FormMode is how a client shows forms.
type FormMode int

const (
	ShowsNone  FormMode = iota
	ShowsNow            // during the call
	ShowsAfter          // after the call, which the client then repeats with the answer: see InputRequired
)

// askClient asks the user through the client, where it has said that it can and
// all fits into a question; else the call waits. Consent to what was not shown
// whole would be none.
func (a *Approvals) askClient(ctx context.Context, asked Request, digest string) error {
	shown := asked.Show()
	if !shown.fits() || a.Client == nil {
		return a.park(ctx, asked, digest)
	}
	form := Form{Message: shown.Text, Fields: agreement(asked)}
	switch a.Client.Shows(ctx) {
	case ShowsNow:
		return a.askNow(ctx, form, asked, digest)
	case ShowsAfter:
		state, err := a.seal(asked.Action.Tool, digest)
		if err != nil { // an answer could not be told from one that was made up
			return a.park(ctx, asked, digest)
		}
		return inputWanted(asked.Action.Tool, state, form)
	}
	return a.park(ctx, asked, digest)
}

func (a *Approvals) askNow(ctx context.Context, form Form, asked Request, digest string) error {
	answer, err := a.elicit(ctx, form)
	switch {
	case ctx.Err() != nil: // the client gave the call up: nobody waits for it
		return ctx.Err()
	case err != nil:
		return a.park(ctx, asked, digest)
	}
	if err := a.answered(ctx, answer, asked); err != nil {
		return err
	}
	NoteApproval(ctx, "client")
	return &errApproved{digest}
}

// elicit shows the form during the call and waits for the answer.
func (a *Approvals) elicit(ctx context.Context, form Form) (*FormAnswer, error) {
	most := a.Patience
	if most == 0 {
		most = patience
	}
	defer a.open.Add(-1)
	if a.open.Add(1) > mostQuestions {
		return nil, errTooMany
	}
	releaseSlot(ctx) // people take their time
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	ctx, over, err := withdrawable(ctx, a.Now())
	if err != nil {
		return nil, err
	}
	defer over()
	return a.Client.Ask(ctx, form)
}

// errTooMany: the client faces enough questions.
var errTooMany = errors.New("too many questions are open")

// The fields of an answer, which clients show in the order of their names: the
// user says yes to the call, and may let the same people be reached without a
// question for the rest of the conversation.
const (
	yes       = "yes"
	alsoLater = "yes_also_later"
)

// agreement is the schema of the user's answer.
func agreement(asked Request) map[string]any {
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

// answered returns nil when the user has said yes to what was asked. It notes a
// refusal, and whom a yes covers beyond the call.
func (a *Approvals) answered(ctx context.Context, answer *FormAnswer, asked Request) error {
	if err := agrees(answer, asked.Action.Tool); err != nil {
		if answer != nil {
			noteRefusal(ctx, asked.Action.Tool, a.Now())
		}
		return err
	}
	if answer.Content[alsoLater] == true {
		trust(ctx, asked.MayTrust)
	}
	return nil
}

// agrees returns nil when the user has said yes. Clients do not check answers
// against the schema: what is no clear yes is none.
func agrees(answer *FormAnswer, tool string) error {
	if answer == nil {
		return noConsent(metadata.Refused, "the user's answer is missing")
	}
	if answer.Action == FormAccepted && answer.Content[yes] == true {
		return nil
	}
	if answer.Action == FormCancelled {
		return metadata.Errorf(metadata.Refused, "the user closed the question about this call of %s: nothing was done", tool).
			WithHint("Ask in words what they would like.")
	}
	return metadata.Errorf(metadata.Refused, "the user said no to this call of %s: nothing was done", tool).
		WithHint("Do not repeat it; ask what they would like instead.")
}

// InputRequired is the cause of the error of a call that ends with a question
// to the user. The client makes the call again with the answer: see FormReply.
type InputRequired struct {
	State string // comes back with the answer
	Form  Form
}

func (*InputRequired) Error() string { return "the user is to be asked" }

// inputWanted is the error of a call that ends with a question.
func inputWanted(tool, state string, form Form) error {
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must agree to this call of %s first: nothing was done", tool)
	e.Cause = &InputRequired{state, form}
	return e
}
