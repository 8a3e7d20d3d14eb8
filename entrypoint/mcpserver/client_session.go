package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
	"kota/entrypoint/transport"
)

// A clientSession is the session of a client for mcp-go. Each client has its own. A call
// without a session, and a request to listen, has its own too. mcp-go's stdio server has only
// one session per process.
type clientSession struct {
	subscriptions
	relay
	id string

	initialized atomic.Bool
	level       atomic.Value // mcp.LoggingLevel

	mu           sync.Mutex
	version      string
	info         mcp.Implementation
	capabilities mcp.ClientCapabilities
}

var (
	_ server.SessionWithLogging    = (*clientSession)(nil)
	_ server.SessionWithClientInfo = (*clientSession)(nil)
)

func (s *clientSession) SessionID() string { return s.id }

func (s *clientSession) Initialize()       { s.initialized.Store(true) }
func (s *clientSession) Initialized() bool { return s.initialized.Load() }

func (s *clientSession) SetLogLevel(level mcp.LoggingLevel) { s.level.Store(level) }

// GetLogLevel returns the level that the client set, or error by default.
func (s *clientSession) GetLogLevel() mcp.LoggingLevel {
	if level, ok := s.level.Load().(mcp.LoggingLevel); ok {
		return level
	}
	return mcp.LoggingLevelError
}

func (s *clientSession) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

func (s *clientSession) SetClientInfo(info mcp.Implementation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info = info
}

func (s *clientSession) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capabilities
}

func (s *clientSession) SetClientCapabilities(capabilities mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.capabilities = capabilities
}

// ProtocolVersion returns the negotiated version, or "" before initialize.
func (s *clientSession) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *clientSession) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// A callSession is the session of one call. Its questions and notifications belong to the
// call.
type callSession struct {
	*clientSession
	relay        relay
	call         *transport.Call
	requestError requestError // the error of the call; zero if none
}

// callFromContext returns the session of the call in ctx, or nil if the call did not come
// through a transport.
func callFromContext(ctx context.Context) *callSession {
	s, _ := server.ClientSessionFromContext(ctx).(*callSession)
	return s
}

// slotOf returns the slot that a transport took for the call in ctx, or nil.
func slotOf(ctx context.Context) *entrypoint.Slot {
	s := callFromContext(ctx)
	if s == nil {
		return nil
	}
	slot, _ := s.call.Slot.(*entrypoint.Slot)
	return slot
}

var _ server.SessionWithElicitation = (*callSession)(nil)

// NotificationChannel receives the notifications of the call.
func (s *callSession) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.relay.NotificationChannel()
}

// RequestElicitation asks the user through the client. It waits until the user has
// answered, ctx is done or the client is gone. If the client did not declare the
// capability, it returns server.ErrElicitationNotSupported.
func (s *callSession) RequestElicitation(ctx context.Context, request mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if s.GetClientCapabilities().Elicitation == nil {
		return nil, server.ErrElicitationNotSupported
	}
	raw, err := s.call.Request(ctx, string(mcp.MethodElicitationCreate), request.Params)
	if err != nil {
		return nil, fmt.Errorf("ask the user: %w", err)
	}
	var result mcp.ElicitationResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("read the user's answer: %w", err)
	}
	return &result, nil
}
