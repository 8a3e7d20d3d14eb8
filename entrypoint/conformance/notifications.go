//go:build conformance

package conformance

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// notificationGap is the time between two notifications of a tool, as the suite expects.
const notificationGap = 50 * time.Millisecond

// addNotifiers adds the tools that notify the client before they answer.
func addNotifiers(s *server.MCPServer) {
	add(s, "test_tool_with_logging", "Logs three times.", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := log(ctx, text); err != nil {
				return nil, err
			}
			time.Sleep(notificationGap)
		}
		return mcp.NewToolResultText("It has logged three times."), nil
	})
	add(s, "test_logging_tool", "Logs once.", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := log(ctx, "Tool execution started"); err != nil {
			return nil, err
		}
		return mcp.NewToolResultText("It has logged where it was asked to."), nil
	})
	add(s, "test_tool_with_progress", "Tells of its progress three times.", func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, progress := range []int{0, 50, 100} {
			if meta := request.Params.Meta; meta != nil && meta.ProgressToken != nil {
				err := server.ServerFromContext(ctx).SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress),
					map[string]any{"progressToken": meta.ProgressToken, "progress": progress, "total": 100})
				if err != nil {
					return nil, err
				}
			}
			time.Sleep(notificationGap)
		}
		return mcp.NewToolResultText("It is done."), nil
	})
}

func log(ctx context.Context, text string) error {
	return server.ServerFromContext(ctx).SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo, "conformance", text))
}
