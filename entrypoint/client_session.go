package entrypoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A clientSession is what mcp-go knows of the client of one conn. Unlike those of
// mcp-go's stdio, which are one per process, it belongs to its connection.
type clientSession struct {
	subscriptions
	id    string
	notes chan mcp.JSONRPCNotification
	ask   func(ctx context.Context, line []byte) error // writes a request to the client

	initialized atomic.Bool
	level       atomic.Value // mcp.LoggingLevel
	lastID      atomic.Int64

	mu           sync.Mutex
	version      string
	info         mcp.Implementation
	capabilities mcp.ClientCapabilities
	asked        map[string]chan reply // open requests to the client, by id
	closed       bool
}

var (
	_ server.SessionWithLogging     = (*clientSession)(nil)
	_ server.SessionWithClientInfo  = (*clientSession)(nil)
	_ server.SessionWithElicitation = (*clientSession)(nil)
)

// errClientGone is what a question to a client answers that has ended its input.
var errClientGone = errors.New("the client has ended its input")

// A reply is the client's response to a request of ours.
type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	err error
}

func newClientSession(id string, ask func(context.Context, []byte) error, notes chan mcp.JSONRPCNotification) *clientSession {
	return &clientSession{
		id:    id,
		notes: notes,
		ask:   ask,
		asked: map[string]chan reply{},
	}
}

// RequestElicitation asks the user through the client. It waits until the user
// has answered, ctx is done or the client ends its input. A client that did
// not declare the capability is not asked: server.ErrElicitationNotSupported.
func (s *clientSession) RequestElicitation(ctx context.Context, request mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if s.GetClientCapabilities().Elicitation == nil {
		return nil, server.ErrElicitationNotSupported
	}
	raw, err := s.request(ctx, mcp.MethodElicitationCreate, request.Params)
	if err != nil {
		return nil, fmt.Errorf("ask the user: %w", err)
	}
	var result mcp.ElicitationResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("read the user's answer: %w", err)
	}
	return &result, nil
}

// request sends a request to the client and returns the result it responds with.
func (s *clientSession) request(ctx context.Context, method mcp.MCPMethod, params any) (json.RawMessage, error) {
	id := s.lastID.Add(1)
	line, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "method": method, "params": params})
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	replies, err := s.expect(strconv.FormatInt(id, 10))
	if err != nil {
		return nil, err
	}
	if err := s.ask(ctx, append(line, '\n')); err != nil {
		s.forget(ctx, id)
		return nil, err
	}
	select {
	case r := <-replies:
		switch {
		case r.err != nil:
			return nil, r.err
		case r.Error != nil:
			return nil, fmt.Errorf("client error %d: %s", r.Error.Code, r.Error.Message)
		}
		return r.Result, nil
	case <-ctx.Done():
		s.forget(ctx, id)
		return nil, ctx.Err()
	}
}

// expect notes that a request with that id is being sent.
func (s *clientSession) expect(id string) (<-chan reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClientGone
	}
	replies := make(chan reply, 1)
	s.asked[id] = replies
	return replies, nil
}

// forget withdraws a request, so that the client need not go on asking.
func (s *clientSession) forget(ctx context.Context, id int64) {
	s.mu.Lock()
	delete(s.asked, strconv.FormatInt(id, 10))
	s.mu.Unlock()

	withdrawn := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	withdrawn.Method = string(mcp.MethodNotificationCancelled)
	withdrawn.Params.AdditionalFields = map[string]any{"requestId": id}
	notes := s.NotificationChannel()
	if asks := server.ClientSessionFromContext(ctx); asks != nil {
		notes = asks.NotificationChannel() // over HTTP, the call's own
	}
	select {
	case notes <- withdrawn:
	default: // the client does not read; it will find out
	}
}

// answered takes the client's response to the request with that id. What
// nobody waits for is dropped.
func (s *clientSession) answered(id []byte, message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	replies, waiting := s.asked[string(id)]
	if !waiting {
		return
	}
	delete(s.asked, string(id))
	var r reply
	if err := json.Unmarshal(message, &r); err != nil {
		r.err = fmt.Errorf("read response: %w", err)
	}
	replies <- r
}

// close fails the open requests, and those to come, with errClientGone.
func (s *clientSession) close() {
	s.subscriptions.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, replies := range s.asked {
		replies <- reply{err: errClientGone}
	}
	clear(s.asked)
}

func (s *clientSession) SessionID() string { return s.id }

// NotificationChannel takes what mcp-go notifies. It never blocks: mcp-go
// drops what does not fit.
func (s *clientSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }

// retain keeps what could not be written for the next who listens, where it fits.
func (s *clientSession) retain(n mcp.JSONRPCNotification) {
	select {
	case s.notes <- n:
	default:
	}
}

func (s *clientSession) Initialize()       { s.initialized.Store(true) }
func (s *clientSession) Initialized() bool { return s.initialized.Load() }

func (s *clientSession) SetLogLevel(level mcp.LoggingLevel) { s.level.Store(level) }

// GetLogLevel returns the level the client set, error until then.
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

// ProtocolVersion returns the version agreed on, "" before initialize.
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
