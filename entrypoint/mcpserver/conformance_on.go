//go:build conformance

package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint/conformance"
)

// addConformanceTools adds the tools for the conformance suite. It also reports a missing
// capability of the client as MCP 2026-07-28 requires. Only the suite's tools fail for lack of
// a capability. KOTA's own calls wait for `kota approve` if the client cannot ask.
func addConformanceTools(s *server.MCPServer, hooks *server.Hooks) {
	conformance.Add(s)
	hooks.AddOnError(func(ctx context.Context, _ any, _ mcp.MCPMethod, _ any, err error) {
		var missing mcp.MissingRequiredClientCapabilityError
		if call := callFromContext(ctx); call != nil && errors.As(err, &missing) {
			call.requestError = requestError{err: missing, code: mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, data: map[string]any{
				"requiredCapabilities": map[string]any{missing.Capability: map[string]any{}},
			}}
		}
	})
}

// RequestSampling sends a sampling request to the client's model. Only the conformance
// suite uses it.
func (s *callSession) RequestSampling(ctx context.Context, request mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	if s.GetClientCapabilities().Sampling == nil {
		return nil, errors.New("the client has no model")
	}
	raw, err := s.call.Request(ctx, string(mcp.MethodSamplingCreateMessage), request.CreateMessageParams)
	if err != nil {
		return nil, fmt.Errorf("ask the client's model: %w", err)
	}
	var result mcp.CreateMessageResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("read what the client's model said: %w", err)
	}
	return &result, nil
}

var _ server.SessionWithSampling = (*callSession)(nil)
