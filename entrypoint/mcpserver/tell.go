package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// toldEvery is the least time between two progress notes of a call, which people read.
const toldEvery = 250 * time.Millisecond

// progress returns who is told how a call gets on whose client wants to know how it gets on
// (MCP 2025-06-18, progress). Steps that come too soon after another are counted,
// and told with the next.
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
		if ctx.Err() != nil || time.Since(last) < toldEvery {
			return
		}
		last = time.Now()
		// A client that does not read is not told.
		_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress), map[string]any{
			"progressToken": request.Params.Meta.ProgressToken, "progress": steps, "message": step,
		})
	}
}

// tellOf logs to the client how a call went, where it wants to know that. It is
// told no more than the answer says: what is behind a fault stays in the log.
func tellOf(ctx context.Context, tool string, start time.Time, err error) {
	code := metadata.CodeOf(err)
	level := mcp.LoggingLevelDebug
	switch code {
	case metadata.Internal:
		level = mcp.LoggingLevelError
	case metadata.OutcomeUnknown, metadata.Unavailable:
		level = mcp.LoggingLevelWarning
	}
	if s := callIn(ctx); s != nil && !server.IsModernRequest(ctx) && !level.ShouldSendTo(s.GetLogLevel()) {
		return
	}
	said := map[string]any{"tool": tool, "took_ms": time.Since(start).Milliseconds()}
	if err != nil {
		said["error"] = code
	}
	if s := server.ServerFromContext(ctx); s != nil {
		_ = s.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(level, "kota", said)) // one that does not read is not told
	}
}
