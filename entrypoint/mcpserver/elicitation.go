package mcpserver

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
)

// Elicitation shows forms through MCP clients (elicitation/create). With protocol
// 2026-07-28, the client gets the question in the result of the call.
type Elicitation struct{}

// FormMode returns how the client shows forms, according to its declared capabilities.
func (Elicitation) FormMode(ctx context.Context) entrypoint.FormMode {
	if server.IsModernRequest(ctx) {
		info := server.RequestProtocolInfoFromContext(ctx)
		if info == nil || info.ClientCapabilities == nil || !showsForms(info.ClientCapabilities.Elicitation) {
			return entrypoint.FormsUnsupported
		}
		return entrypoint.FormsAfterCall
	}
	session := server.ClientSessionFromContext(ctx)
	client, hasInfo := session.(server.SessionWithClientInfo)
	_, canAsk := session.(server.SessionWithElicitation)
	if !hasInfo || !canAsk || !showsForms(client.GetClientCapabilities().Elicitation) {
		return entrypoint.FormsUnsupported
	}
	return entrypoint.FormsDuringCall
}

// showsForms reports whether a client with this capability shows forms. An empty
// capability means forms (MCP 2025-11-25, elicitation).
func showsForms(c *mcp.ElicitationCapability) bool {
	return c != nil && (c.Form != nil || c.URL == nil)
}

// Ask asks the user during the call. It works for protocol versions up to 2025-11-25.
func (Elicitation) Ask(ctx context.Context, form entrypoint.Form) (*entrypoint.FormAnswer, error) {
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithElicitation)
	if !ok {
		return nil, server.ErrElicitationNotSupported
	}
	result, err := session.RequestElicitation(ctx, mcp.ElicitationRequest{Params: params(form)})
	if err != nil {
		return nil, err
	}
	return formAnswer(result), nil
}

func params(form entrypoint.Form) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: form.Message, RequestedSchema: form.Fields}
}

func formAnswer(result *mcp.ElicitationResult) *entrypoint.FormAnswer {
	if result == nil {
		return nil
	}
	content, _ := result.Content.(map[string]any)
	return &entrypoint.FormAnswer{Action: entrypoint.FormAction(result.Action), Content: content}
}

// questionID is the id of the only question in a result.
const questionID = "approve"

// reply returns the user's answer that the client sent with a call. It returns nil if the call
// has no requestState.
func reply(params mcp.MultiRoundTripParams) *entrypoint.FormReply {
	if params.RequestState == "" {
		return nil
	}
	return &entrypoint.FormReply{State: params.RequestState, Answer: formAnswer(server.ElicitationResponse(params.InputResponses, questionID))}
}

// questionResult returns the result that carries the question in err, or nil if err is not
// an InputRequired.
func questionResult(err error) *mcp.CallToolResult {
	required := (*entrypoint.InputRequired)(nil)
	if !errors.As(err, &required) {
		return nil
	}
	return server.NewInputRequestBuilder(required.State).Elicit(questionID, params(required.Form)).ToolResult()
}
