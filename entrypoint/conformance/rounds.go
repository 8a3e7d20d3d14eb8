//go:build conformance

package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addRounds adds the tools of the scenarios input-required-result-*. The result of each has
// questions, and the client repeats the call with the answers (MCP 2026-07-28, multi
// round-trip requests).
func addRounds(s *server.MCPServer) {
	round := func(name string, do func(ctx context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error)) {
		add(s, name, "Asks before it answers.", func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return do(ctx, request.Params.MultiRoundTripParams)
		})
	}
	round("test_input_required_result_elicitation", func(_ context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if name, ok := answeredName(params.InputResponses, "user_name"); ok {
			return mcp.NewToolResultText(fmt.Sprintf("Hello, %s!", name)), nil
		}
		return server.NewInputRequestBuilder("").Elicit("user_name", askName).ToolResult(), nil
	})
	round("test_input_required_result_sampling", func(_ context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if response := server.SamplingResponse(params.InputResponses, "capital_question"); response != nil {
			return mcp.NewToolResultText(contentText(response.Content)), nil
		}
		return server.NewInputRequestBuilder("").Sample("capital_question", prompt("What is the capital of France?", 100)).ToolResult(), nil
	})
	round("test_input_required_result_list_roots", func(_ context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if response := server.RootsResponse(params.InputResponses, "client_roots"); response != nil {
			return mcp.NewToolResultText(fmt.Sprintf("The roots are %v.", response.Roots)), nil
		}
		return server.NewInputRequestBuilder("").Roots("client_roots").ToolResult(), nil
	})
	round("test_input_required_result_request_state", confirmState)
	round("test_input_required_result_tampered_state", confirmState)
	round("test_input_required_result_multiple_inputs", func(_ context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		name, ok := answeredName(params.InputResponses, "user_name")
		greeting, roots := server.SamplingResponse(params.InputResponses, "greeting"), server.RootsResponse(params.InputResponses, "client_roots")
		if !ok || greeting == nil || roots == nil {
			return server.NewInputRequestBuilder(signState("all")).Elicit("user_name", askName).
				Sample("greeting", prompt("Generate a greeting", 50)).Roots("client_roots").ToolResult(), nil
		}
		return mcp.NewToolResultText(fmt.Sprintf("%s %s has %d roots.", contentText(greeting.Content), name, len(roots.Roots))), checkState(params, "all")
	})
	round("test_input_required_result_multi_round", askTwice)
	round("test_input_required_result_capabilities", func(ctx context.Context, _ mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		capabilities, ask := server.RequestProtocolInfoFromContext(ctx).ClientCapabilities, server.NewInputRequestBuilder("")
		if capabilities.Elicitation != nil {
			ask.Elicit("user_name", askName)
		}
		if capabilities.Sampling != nil {
			ask.Sample("greeting", prompt("Generate a greeting", 50))
		}
		return ask.ToolResult(), nil
	})
}

// confirmState asks for a confirmation, with a state that must come back unchanged.
func confirmState(_ context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
	if server.ElicitationResponse(params.InputResponses, "confirm") == nil {
		ask := elicit("Please confirm", object{"ok": object{"type": "boolean"}}, "ok")
		return server.NewInputRequestBuilder(signState("confirm")).Elicit("confirm", ask).ToolResult(), nil
	}
	return mcp.NewToolResultText("state-ok"), checkState(params, "confirm")
}

// askTwice asks two questions, one after the other. The state says which answer must come next.
func askTwice(_ context.Context, params mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
	name, first := answeredName(params.InputResponses, "step1")
	switch {
	case first:
		ask := elicit("Step 2: What is your favorite color?", object{"color": object{"type": "string"}}, "color")
		return server.NewInputRequestBuilder(signState("step2 "+name)).Elicit("step2", ask).ToolResult(), checkState(params, "step1")
	case server.ElicitationResponse(params.InputResponses, "step2") != nil:
		return mcp.NewToolResultText("Both steps are done."), checkState(params, "step2 ")
	}
	ask := elicit("Step 1: What is your name?", object{"name": object{"type": "string"}}, "name")
	return server.NewInputRequestBuilder(signState("step1")).Elicit("step1", ask).ToolResult(), nil
}

// answeredName returns the name in the user's answer with this id, or false.
func answeredName(answers mcp.InputResponses, id string) (name string, ok bool) {
	answer := server.ElicitationResponse(answers, id)
	if answer == nil || answer.Action != mcp.ElicitationResponseActionAccept {
		return "", false
	}
	content, _ := answer.Content.(map[string]any)
	name, ok = content["name"].(string)
	return name, ok
}

// key signs the states. It is the same in each process, because the client may answer at another
// replica.
const key = "a key for tests"

// signState returns the state with its signature.
func signState(state string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(state))
	return state + "." + hex.EncodeToString(mac.Sum(nil))
}

// checkState returns an error unless the requestState has a valid signature and this prefix.
func checkState(params mcp.MultiRoundTripParams, prefix string) error {
	state, _, _ := strings.Cut(params.RequestState, ".")
	if !strings.HasPrefix(state, prefix) || !hmac.Equal([]byte(signState(state)), []byte(params.RequestState)) {
		return errors.New("this requestState was changed on its way")
	}
	return nil
}
