package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"kota/entrypoint/wiretest"
)

var quiet = slog.New(slog.DiscardHandler)

// A toyHandler answers calls of tools that can be delayed: echo (reads), get (reads), put
// (writes, yields the processor before it stores), wait (reads until it is cancelled),
// stubborn (writes, ignores its context), ask (writes, asks the user), append (writes,
// waits for a slot if its transport took none) and progress
// (notifies, then answers; with late, when released).
type toyHandler struct {
	release chan struct{} // closing it lets the stubborn tool return
	store   string        // what "put" stored last

	mu       sync.Mutex
	sessions map[string]*toySession
	limit    int // of slots
	taken    int
	waiting  []func(Slot)
}

func newToy() *toyHandler {
	return &toyHandler{release: make(chan struct{}), sessions: map[string]*toySession{}, limit: 1000}
}

// serving serves the toy on stdio.
func serving(toy *toyHandler) wiretest.Serve {
	return func(ctx context.Context, in io.Reader, out io.Writer) error {
		return ServeStdio(ctx, toy, in, out, quiet)
	}
}

// notifyClient notifies the client of a session, outside any call.
func (toy *toyHandler) notifyClient(session, method string) bool {
	toy.mu.Lock()
	defer toy.mu.Unlock()
	return toy.sessions[session].notify(notificationLine(method, nil))
}

func (toy *toyHandler) Open(_ context.Context, id string, notify func([]byte) bool) (Session, error) {
	toy.mu.Lock()
	defer toy.mu.Unlock()
	s := &toySession{toy: toy, id: id, notify: notify}
	if id == "" {
		return s, nil
	}
	if toy.sessions[id] != nil {
		return nil, fmt.Errorf("session %s is open", id)
	}
	toy.sessions[id] = s
	return s, nil
}

func (*toyHandler) Traits(tool, _, _ string) (reads, remote, known bool) {
	switch tool {
	case "echo", "get", "wait", "progress":
		return true, true, true
	case "put", "stubborn", "ask", "append":
		return false, true, true
	}
	return false, false, false
}

func (toy *toyHandler) Acquire(_ bool, onFree func(Slot)) Slot {
	toy.mu.Lock()
	defer toy.mu.Unlock()
	if toy.taken == toy.limit {
		toy.waiting = append(toy.waiting, onFree)
		return nil
	}
	toy.taken++
	return toySlot{toy}
}

type toySlot struct{ toy *toyHandler }

func (s toySlot) Release() {
	s.toy.mu.Lock()
	defer s.toy.mu.Unlock()
	if len(s.toy.waiting) == 0 {
		s.toy.taken--
		return
	}
	go s.toy.waiting[0](toySlot{s.toy})
	s.toy.waiting = s.toy.waiting[1:]
}

func (*toyHandler) Versions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

func (*toyHandler) CheckHeaders(h http.Header, method, _ string, _ []byte) error {
	if h.Get("Mcp-Method") != method {
		return fmt.Errorf("the header Mcp-Method is not %s", method)
	}
	return nil
}

type toySession struct {
	toy         *toyHandler
	id          string
	notify      func([]byte) bool
	initialized atomic.Bool

	mu    sync.Mutex
	taint Taint
}

func (s *toySession) Context(ctx context.Context) context.Context { return ctx }

func (s *toySession) Initialized() bool { return s.initialized.Load() }

func (s *toySession) Taint() Taint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taint
}

func (s *toySession) Inherit(t Taint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taint = s.taint.join(t)
}

func (s *toySession) Entries() map[string]string { return nil }
func (s *toySession) Change(map[string]*string)  {}
func (s *toySession) Share(Replicas)             {}
func (s *toySession) Listen(bool)                {}

func (s *toySession) Close() {
	s.toy.mu.Lock()
	defer s.toy.mu.Unlock()
	delete(s.toy.sessions, s.id)
}

// toyParams are the params of all requests to a toy.
type toyParams struct {
	Name      string
	Version   string `json:"protocolVersion"`
	Arguments struct {
		Text string
		Late bool
	}
	Meta struct {
		ProgressToken json.RawMessage
		Version       string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
}

func (s *toySession) Handle(ctx context.Context, call *Call) (line []byte, code int) {
	var message struct{ Params toyParams }
	if err := json.Unmarshal(call.Message, &message); err != nil {
		return ErrorLine(call.ID, invalidParams, err.Error()), invalidParams
	}
	var result any = struct{}{}
	switch {
	case call.Method == methodInitialize:
		s.initialized.Store(true)
		result = map[string]any{"protocolVersion": message.Params.Version}
	case call.Method == methodPing:
	case call.Method == methodListen && isModern(message.Params.Meta.Version):
		call.Notify(notificationLine("notifications/subscriptions/acknowledged", struct{}{}))
		<-ctx.Done()
	case call.Method == methodCallTool:
		text, err := s.toy.call(ctx, call, message.Params)
		if err != nil {
			return ErrorLine(call.ID, err.Code, err.Message), err.Code
		}
		result = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
	default:
		return ErrorLine(call.ID, methodNotFound, "no such method"), methodNotFound
	}
	line, err := AnswerLine(call.ID, "result", result)
	if err != nil {
		return ErrorLine(call.ID, internalError, err.Error()), internalError
	}
	return line, 0
}

func (toy *toyHandler) call(ctx context.Context, call *Call, p toyParams) (string, *rpcError) {
	switch p.Name {
	case "echo":
		return p.Arguments.Text, nil
	case "get":
		return toy.store, nil
	case "put":
		time.Sleep(time.Millisecond) // a later get could overtake it here
		toy.store = p.Arguments.Text
		return "stored", nil
	case "append":
		if call.Slot == nil {
			given := make(chan Slot, 1)
			slot := toy.Acquire(true, func(s Slot) { given <- s })
			if slot == nil {
				slot = <-given
			}
			defer slot.Release()
		}
		toy.store += p.Arguments.Text
		return toy.store, nil
	case "wait":
		<-ctx.Done()
		return "", &rpcError{Code: internalError, Message: ctx.Err().Error()}
	case "stubborn":
		<-toy.release
		return "at last", nil
	case "ask":
		answer, err := call.Request(ctx, "elicitation/create", map[string]any{"message": "sure?"})
		if err != nil {
			return "", &rpcError{Code: internalError, Message: err.Error()}
		}
		return string(answer), nil
	case "progress":
		if p.Arguments.Late {
			<-toy.release
		}
		for i := range 20 {
			call.Notify(notificationLine("notifications/progress", map[string]any{"progress": i, "progressToken": p.Meta.ProgressToken}))
		}
		return "done", nil
	}
	return "", &rpcError{Code: invalidParams, Message: "no such tool"}
}
