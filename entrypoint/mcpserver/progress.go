package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// progressInterval is the minimum time between two progress notifications of a call, because people read them.
const progressInterval = 250 * time.Millisecond

// progress returns a function that reports the steps of a call to its client. It returns nil if
// the client did not ask for progress (MCP 2025-06-18, progress). A step too soon after the last
// notification is only counted, and the next notification includes it.
func progress(ctx context.Context, request mcp.CallToolRequest) func(step string) {
	if request.Params.Meta == nil || request.Params.Meta.ProgressToken == nil {
		return nil
	}
	var mu sync.Mutex
	steps, last := 0, time.Time{}
	return func(step string) {
		mu.Lock()
		defer mu.Unlock()
		steps++
		if ctx.Err() != nil || time.Since(last) < progressInterval {
			return
		}
		last = time.Now()
		// A client that does not read misses the notification.
		_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress), map[string]any{
			"progressToken": request.Params.Meta.ProgressToken, "progress": steps, "message": step,
		})
	}
}

// logOutcome sends the outcome of a call to the client as a log message, if the client wants
// messages of its level. The message says no more than the answer: the cause of an internal
// error stays in KOTA's log.
func logOutcome(ctx context.Context, tool string, start time.Time, err error) {
	code := metadata.CodeOf(err)
	level := mcp.LoggingLevelDebug
	switch code {
	case metadata.Internal:
		level = mcp.LoggingLevelError
	case metadata.OutcomeUnknown, metadata.Unavailable:
		level = mcp.LoggingLevelWarning
	}
	if s := callFromContext(ctx); s != nil && !server.IsModernRequest(ctx) && !level.ShouldSendTo(s.GetLogLevel()) {
		return
	}
	data := map[string]any{"tool": tool, "took_ms": time.Since(start).Milliseconds()}
	if err != nil {
		data["error"] = code
	}
	if s := server.ServerFromContext(ctx); s != nil {
		_ = s.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(level, "kota", data)) // a client that does not read misses it
	}
}
