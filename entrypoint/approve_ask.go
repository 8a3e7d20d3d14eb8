package entrypoint

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// askClient asks the user through the client, where it has said that it can and
// all fits into a question; else the call waits. Consent to what was not shown
// whole would be none.
func (a *Approvals) askClient(ctx context.Context, asked Request, digest string) error {
	shown := asked.Show()
	if !shown.fits() {
		return a.park(ctx, asked, digest)
	}
	params := mcp.ElicitationParams{Message: shown.Text, RequestedSchema: agreement(asked)}
	if server.IsModernRequest(ctx) {
		info := server.RequestProtocolInfoFromContext(ctx)
		if info == nil || info.ClientCapabilities == nil || !asksByForm(info.ClientCapabilities.Elicitation) {
			return a.park(ctx, asked, digest)
		}
		state, err := a.seal(asked.Action.Tool, digest)
		if err != nil { // an answer could not be told from one that was made up
			return a.park(ctx, asked, digest)
		}
		return inputWanted(asked.Action.Tool, state, params)
	}
	result, err := a.elicit(ctx, params)
	switch {
	case ctx.Err() != nil: // the client gave the call up: nobody waits for it
		return ctx.Err()
	case err != nil:
		return a.park(ctx, asked, digest)
	}
	if err := a.answered(ctx, result, asked); err != nil {
		return err
	}
	NoteApproval(ctx, "client")
	return &agreed{digest}
}

// asksByForm reports whether a client that declares this shows forms: one that
// says no more than that it can ask does (MCP 2025-11-25, elicitation).
func asksByForm(c *mcp.ElicitationCapability) bool {
	return c != nil && (c.Form != nil || c.URL == nil)
}

// elicit asks through the session of a client up to 2025-11-25.
func (a *Approvals) elicit(ctx context.Context, params mcp.ElicitationParams) (*mcp.ElicitationResult, error) {
	session := server.ClientSessionFromContext(ctx)
	client, known := session.(server.SessionWithClientInfo)
	asks, can := session.(server.SessionWithElicitation)
	if !known || !can || !asksByForm(client.GetClientCapabilities().Elicitation) {
		return nil, server.ErrElicitationNotSupported
	}
	most := a.Patience
	if most == 0 {
		most = patience
	}
	defer a.open.Add(-1)
	if a.open.Add(1) > mostQuestions {
		return nil, errTooMany
	}
	leavePlace(ctx) // people take their time
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	ctx, over, err := withdrawable(ctx, a.Now())
	if err != nil {
		return nil, err
	}
	defer over()
	return asks.RequestElicitation(ctx, mcp.ElicitationRequest{Params: params})
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
func (a *Approvals) answered(ctx context.Context, result *mcp.ElicitationResult, asked Request) error {
	if err := agrees(result, asked.Action.Tool); err != nil {
		if result != nil {
			noteRefusal(ctx, asked.Action.Tool, a.Now())
		}
		return err
	}
	if content, _ := result.Content.(map[string]any); content[alsoLater] == true {
		trust(ctx, asked.MayTrust)
	}
	return nil
}

// agrees returns nil when the user has said yes. Clients do not check answers
// against the schema: what is no clear yes is none.
func agrees(result *mcp.ElicitationResult, tool string) error {
	if result == nil {
		return noConsent(metadata.Refused, "the user's answer is missing")
	}
	content, _ := result.Content.(map[string]any)
	if result.Action == mcp.ElicitationResponseActionAccept && content[yes] == true {
		return nil
	}
	if result.Action == mcp.ElicitationResponseActionCancel {
		return metadata.Errorf(metadata.Refused, "the user closed the question about this call of %s: nothing was done", tool).
			WithHint("Ask in words what they would like.")
	}
	return metadata.Errorf(metadata.Refused, "the user said no to this call of %s: nothing was done", tool).
		WithHint("Do not repeat it; ask what they would like instead.")
}

// questionID is what the one question of a result is called.
const questionID = "approve"

// An inputRequired is the cause of the error of a call that ends with a question
// to the user, and is made again with the answer.
type inputRequired struct {
	state  string
	params mcp.ElicitationParams
}

func (*inputRequired) Error() string { return "the user is to be asked" }

func (i *inputRequired) result() *mcp.CallToolResult {
	return server.NewInputRequestBuilder(i.state).Elicit(questionID, i.params).ToolResult()
}

// inputWanted is the error of a call that ends with a question.
func inputWanted(tool, state string, params mcp.ElicitationParams) error {
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must agree to this call of %s first: nothing was done", tool)
	e.Cause = &inputRequired{state, params}
	return e
}

// asking returns the result that asks the user, where that is what a call ended
// with; nil otherwise.
func asking(err error) *mcp.CallToolResult {
	asks := (*inputRequired)(nil)
	if !errors.As(err, &asks) {
		return nil
	}
	return asks.result()
}
