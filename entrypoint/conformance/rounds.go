//go:build conformance

package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addRounds adds the tools of the scenarios input-required-result-*. Each ends with
// questions, and the client calls it again with the answers (MCP 2026-07-28, multi
// round-trip requests).
func addRounds(s *server.MCPServer) {
	round := func(name string, do func(ctx context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error)) {
		add(s, name, "Asks before it answers.", func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return do(ctx, request.Params.MultiRoundTripParams)
		})
	}
	round("test_input_required_result_elicitation", func(_ context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if name, ok := saidName(came.InputResponses, "user_name"); ok {
			return mcp.NewToolResultText(fmt.Sprintf("Hello, %s!", name)), nil
		}
		return server.NewInputRequestBuilder("").Elicit("user_name", askName).ToolResult(), nil
	})
	round("test_input_required_result_sampling", func(_ context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if said := server.SamplingResponse(came.InputResponses, "capital_question"); said != nil {
			return mcp.NewToolResultText(contentText(said.Content)), nil
		}
		return server.NewInputRequestBuilder("").Sample("capital_question", prompt("What is the capital of France?", 100)).ToolResult(), nil
	})
	round("test_input_required_result_list_roots", func(_ context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if said := server.RootsResponse(came.InputResponses, "client_roots"); said != nil {
			return mcp.NewToolResultText(fmt.Sprintf("The roots are %v.", said.Roots)), nil
		}
		return server.NewInputRequestBuilder("").Roots("client_roots").ToolResult(), nil
	})
	round("test_input_required_result_request_state", confirmed)
	round("test_input_required_result_tampered_state", confirmed)
	round("test_input_required_result_multiple_inputs", func(_ context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		name, ok := saidName(came.InputResponses, "user_name")
		greeting, roots := server.SamplingResponse(came.InputResponses, "greeting"), server.RootsResponse(came.InputResponses, "client_roots")
		if !ok || greeting == nil || roots == nil {
			return server.NewInputRequestBuilder(sealed("all")).Elicit("user_name", askName).
				Sample("greeting", prompt("Generate a greeting", 50)).Roots("client_roots").ToolResult(), nil
		}
		return mcp.NewToolResultText(fmt.Sprintf("%s %s has %d roots.", contentText(greeting.Content), name, len(roots.Roots))), opened(came, "all")
	})
	round("test_input_required_result_multi_round", rounds)
	round("test_input_required_result_capabilities", func(ctx context.Context, _ mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		can, ask := server.RequestProtocolInfoFromContext(ctx).ClientCapabilities, server.NewInputRequestBuilder("")
		if can.Elicitation != nil {
			ask.Elicit("user_name", askName)
		}
		if can.Sampling != nil {
			ask.Sample("greeting", prompt("Generate a greeting", 50))
		}
		return ask.ToolResult(), nil
	})
}

// confirmed asks for a confirmation, with a state that must come back unchanged.
func confirmed(_ context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
	if server.ElicitationResponse(came.InputResponses, "confirm") == nil {
		ask := elicit("Please confirm", object{"ok": object{"type": "boolean"}}, "ok")
		return server.NewInputRequestBuilder(sealed("confirm")).Elicit("confirm", ask).ToolResult(), nil
	}
	return mcp.NewToolResultText("state-ok"), opened(came, "confirm")
}

// rounds asks twice. The state tells which answer it has got.
func rounds(_ context.Context, came mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
	name, first := saidName(came.InputResponses, "step1")
	switch {
	case first:
		ask := elicit("Step 2: What is your favorite color?", object{"color": object{"type": "string"}}, "color")
		return server.NewInputRequestBuilder(sealed("step2 "+name)).Elicit("step2", ask).ToolResult(), opened(came, "step1")
	case server.ElicitationResponse(came.InputResponses, "step2") != nil:
		return mcp.NewToolResultText("Both steps are done."), opened(came, "step2 ")
	}
	ask := elicit("Step 1: What is your name?", object{"name": object{"type": "string"}}, "name")
	return server.NewInputRequestBuilder(sealed("step1")).Elicit("step1", ask).ToolResult(), nil
}

// saidName returns the name in the user's answer with that id.
func saidName(answers mcp.InputResponses, id string) (name string, ok bool) {
	answer := server.ElicitationResponse(answers, id)
	if answer == nil || answer.Action != mcp.ElicitationResponseActionAccept {
		return "", false
	}
	content, _ := answer.Content.(map[string]any)
	name, ok = content["name"].(string)
	return name, ok
}

// key seals the states during the life of the process.
var key = rand.Text()

func sealed(state string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(state))
	return state + "." + hex.EncodeToString(mac.Sum(nil))
}

// opened returns an error unless the state is sealed and has that prefix.
func opened(came mcp.MultiRoundTripParams, begins string) error {
	state, _, _ := strings.Cut(came.RequestState, ".")
	if !strings.HasPrefix(state, begins) || !hmac.Equal([]byte(sealed(state)), []byte(came.RequestState)) {
		return errors.New("this requestState was changed on its way")
	}
	return nil
}
