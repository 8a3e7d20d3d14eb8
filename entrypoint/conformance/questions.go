//go:build conformance

package conformance

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addQuestions adds the tools that ask the user or the client's model one question, and a tool
// that requires a capability of the client. The handlers return the question as their result.
// With a protocol up to 2025-11-25, mcp-go sends it to the client as a request during the call.
func addQuestions(s *server.MCPServer) {
	add(s, "test_sampling", "Asks the client's model.", func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if response := server.SamplingResponse(request.Params.InputResponses, "said"); response != nil {
			return mcp.NewToolResultText(fmt.Sprintf("LLM response: %s", contentText(response.Content))), nil
		}
		return server.NewInputRequestBuilder("").Sample("said", prompt(request.GetString("prompt", ""), 100)).ToolResult(), nil
	}, mcp.WithString("prompt", mcp.Required(), mcp.Description("what to ask")))
	add(s, "test_elicitation", "Asks the user who they are.", func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		form := object{
			"username": object{"type": "string", "description": "User's response"},
			"email":    object{"type": "string", "description": "User's email address"},
		}
		return elicitOnce(request, "User response", elicit(request.GetString("message", ""), form, "username", "email")), nil
	}, mcp.WithString("message", mcp.Required(), mcp.Description("what the user is shown")))
	for name, form := range forms {
		add(s, name, "Asks the user by a form.", func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return elicitOnce(request, "Elicitation completed", elicit("Please fill in the form.", form)), nil
		})
	}
	add(s, "test_streaming_elicitation", "Asks the user.", func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return elicitOnce(request, "User response", askName), nil
	})
	add(s, "test_missing_capability", "Needs a client that has a model.", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern && info.ClientCapabilities.Sampling == nil {
			return nil, mcp.MissingRequiredClientCapabilityError{Capability: "sampling"}
		}
		return mcp.NewToolResultText("The client has a model."), nil
	})
}

// elicitOnce returns the result that asks the question or, in the repeated call, the user's
// answer.
func elicitOnce(request mcp.CallToolRequest, prefix string, question mcp.ElicitationParams) *mcp.CallToolResult {
	answer := server.ElicitationResponse(request.Params.InputResponses, "answer")
	if answer == nil {
		return server.NewInputRequestBuilder("").Elicit("answer", question).ToolResult()
	}
	content, err := json.Marshal(answer.Content)
	if err != nil {
		return mcp.NewToolResultError(err.Error())
	}
	return mcp.NewToolResultText(fmt.Sprintf("%s: action=%s, content=%s", prefix, answer.Action, content))
}

type object = map[string]any

func elicit(message string, properties object, required ...string) mcp.ElicitationParams {
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return mcp.ElicitationParams{Message: message, RequestedSchema: schema}
}

var askName = elicit("What is your name?", object{"name": object{"type": "string"}}, "name")

func prompt(text string, tokens int) mcp.CreateMessageParams {
	return mcp.CreateMessageParams{Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}}, MaxTokens: tokens}
}

// contentText returns the text of a model's answer, which may be decoded as a struct or as a
// map.
func contentText(content any) string {
	switch c := content.(type) {
	case mcp.TextContent:
		return c.Text
	case map[string]any:
		return fmt.Sprint(c["text"])
	}
	return fmt.Sprint(content)
}

var choices = []string{"option1", "option2", "option3"}

// forms has the forms of the scenarios elicitation-sep1034 and -sep1330, by tool.
var forms = map[string]object{
	"test_elicitation_sep1034_defaults": {
		"name":     object{"type": "string", "default": "John Doe"},
		"age":      object{"type": "integer", "default": 30},
		"score":    object{"type": "number", "default": 95.5},
		"status":   object{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
		"verified": object{"type": "boolean", "default": true},
	},
	"test_elicitation_sep1330_enums": {
		"untitledSingle": object{"type": "string", "enum": choices},
		"titledSingle":   object{"type": "string", "oneOf": titledChoices("Option")},
		"legacyEnum": object{
			"type": "string", "enum": []string{"opt1", "opt2", "opt3"}, "enumNames": []string{"Option One", "Option Two", "Option Three"},
		},
		"untitledMulti": object{"type": "array", "items": object{"type": "string", "enum": choices}},
		"titledMulti":   object{"type": "array", "items": object{"anyOf": titledChoices("Choice")}},
	},
}

func titledChoices(what string) []object {
	return []object{
		{"const": "value1", "title": "First " + what}, {"const": "value2", "title": "Second " + what}, {"const": "value3", "title": "Third " + what},
	}
}
