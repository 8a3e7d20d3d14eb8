// Package transport carries the messages of MCP clients over stdio and HTTP. It
// knows messages, not tools: what they mean is a Handler's. It holds that a message
// is well formed and not too large, that calls begin in their order, that each is
// answered once under its own id, and that serving ends in time. Read handler.go
// first, then conn.go; ServeStdio and Endpoint say what a client may rely on.
package transport

import (
	"context"
	"net/http"
)

// A Handler knows what messages mean. Its methods may be called at the same time.
type Handler interface {
	// Open begins the session of a client that has that id. With the id "" it is
	// the session of calls that have none: each says itself what its client is.
	// notify sends a line to the client at any time. It reports whether there was
	// room for it.
	Open(ctx context.Context, id string, notify func(line []byte) bool) (Session, error)
	// Traits says whether a tools/call only reads and whether it works on an
	// account elsewhere. The arguments bundle and action are "" where it has none.
	// It is not known before a tool is.
	Traits(tool, bundle, action string) (reads, remote, known bool)
	// Acquire returns a slot for a call that works on an account elsewhere, or for one
	// that does not. If none is free it returns nil, and give gets the next one in a
	// goroutine of its own.
	Acquire(remote bool, give func(Slot)) Slot
	// Versions are the protocol versions that it speaks, the latest first.
	Versions() []string
	// CheckHeaders returns in what the headers of a request differ from its message,
	// which they repeat since 2026-07-28.
	CheckHeaders(h http.Header, method, tool string, message []byte) error
}

// A Slot lets one call run, among all callers of its Handler. A Session that goes on
// with a call after it is answered keeps the slot: then Release does nothing.
type Slot interface{ Release() }

// A Session handles the messages of one client.
type Session interface {
	// Context returns ctx for all calls of the session.
	Context(ctx context.Context) context.Context
	// Handle handles a request or a notification. It returns the line that answers a
	// request, and the code of the JSON-RPC error in it, 0 for a result.
	Handle(ctx context.Context, call *Call) (line []byte, code int)
	// Initialized reports whether the client was answered its initialize.
	Initialized() bool
	// Taint is what the session passes on to one that may continue it by Inherit.
	Taint() Taint
	Inherit(Taint)
	// Close ends the session. Calls that run go on.
	Close()
}
