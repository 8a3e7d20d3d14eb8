// Package transport carries the messages of MCP clients over stdio and HTTP. It knows
// messages, not tools: a Handler knows what they mean. It guarantees that:
//   - every accepted message is well formed and not too large,
//   - the calls of a session begin in their order,
//   - each request is answered once under its own id, unless its client cancels it,
//   - serving ends in time.
//
// Read handler.go first, then conn.go. The comments of ServeStdio and Endpoint are the
// contract with clients.
package transport

import (
	"context"
	"net/http"
)

// A Handler knows what messages mean. It must be safe for concurrent use.
type Handler interface {
	// Open begins the session of a client with this id. The id "" means a Session that
	// all calls without an MCP session share; each of these calls describes its client
	// itself. The function notify sends a line to the client at any time. It reports
	// false if too many lines wait.
	Open(ctx context.Context, id string, notify func(line []byte) bool) (Session, error)
	// Traits reports whether a tools/call only reads, whether it works on a remote
	// account, and whether the tool is known. The parameters bundle and action are the
	// arguments with these names, or "".
	Traits(tool, bundle, action string) (reads, remote, known bool)
	// Acquire returns a slot for a remote call, which works on an account, or for a local
	// call. If no slot is free, it returns nil, and onFree gets one later in a new
	// goroutine.
	Acquire(remote bool, onFree func(Slot)) Slot
	// Versions returns the supported protocol versions, the latest first.
	Versions() []string
	// CheckHeaders returns an error if the headers of a request differ from its message.
	// Since protocol 2026-07-28 the headers repeat parts of the message.
	CheckHeaders(h http.Header, method, tool string, message []byte) error
}

// A Slot lets one call run. All clients of a Handler share its slots. If a call runs on after
// its answer, it keeps the slot, and Release does nothing.
type Slot interface{ Release() }

// Replicas is the state of a session that all replicas share.
type Replicas interface {
	// Refresh takes over what other replicas know about the session.
	Refresh(context.Context) error
	// CountRemoved adds n to the removed items of the session and reports true. If the sum would
	// exceed the limit, it adds nothing and reports false.
	CountRemoved(ctx context.Context, n, limit int) (bool, error)
	// ForgetRemoved sets the removed items to zero.
	ForgetRemoved(context.Context) error
}

// A Session handles the messages of one client.
type Session interface {
	// Context returns ctx for all calls of the session.
	Context(ctx context.Context) context.Context
	// Handle handles a request or a notification. It returns the line that answers a
	// request, and the code of the JSON-RPC error in the line or 0 for a result.
	Handle(ctx context.Context, call *Call) (line []byte, code int)
	// Initialized reports whether the client's initialize was answered.
	Initialized() bool
	// Taint returns the taint that a session inherits if it may continue this session.
	Taint() Taint
	// Inherit adds the taint of another session to this session.
	Inherit(Taint)
	// Close ends the session. Running calls continue.
	Close()

	// Entries returns what other replicas need to know about the session, except its taint.
	Entries() map[string]string
	// Change adds what other replicas have changed. A nil value removes the entry.
	Change(map[string]*string)
	// Share makes the session use replicas for decisions that depend on what other replicas have
	// done. Transports call it before the first message.
	Share(Replicas)
	// Listen says whether the client listens on this replica for messages outside of calls. Without
	// Listen it does.
	Listen(listens bool)
}
