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

// A stdioSession is what mcp-go knows of the client of one stdioConn. Unlike
// mcp-go's own, which is one per process, it belongs to its connection.
type stdioSession struct {
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
	_ server.SessionWithLogging     = (*stdioSession)(nil)
	_ server.SessionWithClientInfo  = (*stdioSession)(nil)
	_ server.SessionWithElicitation = (*stdioSession)(nil)
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

func newStdioSession(ask func(context.Context, []byte) error) *stdioSession {
	return &stdioSession{
		notes: make(chan mcp.JSONRPCNotification, 256),
		ask:   ask,
		asked: map[string]chan reply{},
	}
}

// RequestElicitation asks the user through the client. It waits until the user
// has answered, ctx is done or the client ends its input. A client that did
// not declare the capability is not asked: server.ErrElicitationNotSupported.
func (s *stdioSession) RequestElicitation(ctx context.Context, request mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
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
func (s *stdioSession) request(ctx context.Context, method mcp.MCPMethod, params any) (json.RawMessage, error) {
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
		s.forget(id)
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
		s.forget(id)
		return nil, ctx.Err()
	}
}

// expect notes that a request with that id is being sent.
func (s *stdioSession) expect(id string) (<-chan reply, error) {
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
func (s *stdioSession) forget(id int64) {
	s.mu.Lock()
	delete(s.asked, strconv.FormatInt(id, 10))
	s.mu.Unlock()

	withdrawn := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	withdrawn.Method = string(mcp.MethodNotificationCancelled)
	withdrawn.Params.AdditionalFields = map[string]any{"requestId": id}
	select {
	case s.notes <- withdrawn:
	default: // the client does not read; it will find out
	}
}

// answered takes the client's response to the request with that id. What
// nobody waits for is dropped.
func (s *stdioSession) answered(id []byte, message []byte) {
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
func (s *stdioSession) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, replies := range s.asked {
		replies <- reply{err: errClientGone}
	}
	clear(s.asked)
}

// SessionID is the same for every stdio client: a process has one.
func (s *stdioSession) SessionID() string { return "stdio" }

// NotificationChannel takes what mcp-go notifies. It never blocks: mcp-go
// drops what does not fit.
func (s *stdioSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }

func (s *stdioSession) Initialize()       { s.initialized.Store(true) }
func (s *stdioSession) Initialized() bool { return s.initialized.Load() }

func (s *stdioSession) SetLogLevel(level mcp.LoggingLevel) { s.level.Store(level) }

// GetLogLevel returns the level the client set, error until then.
func (s *stdioSession) GetLogLevel() mcp.LoggingLevel {
	if level, ok := s.level.Load().(mcp.LoggingLevel); ok {
		return level
	}
	return mcp.LoggingLevelError
}

func (s *stdioSession) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

func (s *stdioSession) SetClientInfo(info mcp.Implementation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info = info
}

func (s *stdioSession) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capabilities
}

func (s *stdioSession) SetClientCapabilities(capabilities mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.capabilities = capabilities
}

// ProtocolVersion returns the version agreed on, "" before initialize.
func (s *stdioSession) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *stdioSession) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}
