package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// errClientGone is the error of a request to a client that is gone or cannot be asked.
var errClientGone = errors.New("the client is gone or cannot be asked")

// questions has the requests to a client that have no response yet.
type questions struct {
	askMu   sync.Mutex
	lastID  int64
	waiting map[string]chan reply // by the id of the request
	closed  bool
}

// A reply is the client's response to a request of KOTA, or err if there will be none.
type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
	err    error
}

// Request sends a request to the client of the call and returns the result in its response.
// It waits for the response until ctx is done or the client is gone. Other calls no longer
// wait for this call, because a user may take minutes to answer.
func (call *Call) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if call.ask == nil {
		return nil, errClientGone
	}
	q := &call.conn.questions
	id, replies, err := q.register()
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		q.unregister(id)
		return nil, fmt.Errorf("encode request: %w", err)
	}
	call.conn.unblockOthers(call)
	if shared := call.conn.shared; shared != nil && call.conn.id != "" {
		stopReceiving := shared.receive() // the response may arrive at another replica
		defer stopReceiving()
	}
	if err := call.ask(ctx, append(line, '\n')); err != nil {
		call.cancelRequest(id)
		return nil, err
	}
	select {
	case r := <-replies:
		switch {
		case errors.Is(r.err, errClientGone): // or the server ends
			call.cancelRequest(id)
			return nil, r.err
		case r.err != nil:
			return nil, r.err
		case r.Error != nil:
			return nil, fmt.Errorf("client error %d: %s", r.Error.Code, r.Error.Message)
		}
		return r.Result, nil
	case <-ctx.Done():
		call.cancelRequest(id)
		return nil, ctx.Err()
	}
}

// Notify sends the line of a notification to the client of the call. It reports false if too
// many lines wait.
func (call *Call) Notify(line []byte) bool {
	if call.notify == nil {
		return call.conn.notify(line)
	}
	return call.notify(line)
}

// cancelRequest withdraws a request, so that the client can stop asking its user.
func (call *Call) cancelRequest(id int64) {
	call.conn.questions.unregister(id)
	call.Notify(notificationLine(methodCancelled, map[string]any{"requestId": id})) // a client that is too far behind misses it
}

// register returns the id of a request that KOTA is about to send, and the channel for its
// reply.
func (q *questions) register() (id int64, _ <-chan reply, _ error) {
	q.askMu.Lock()
	defer q.askMu.Unlock()
	if q.closed {
		return 0, nil, errClientGone
	}
	if q.waiting == nil {
		q.waiting = map[string]chan reply{}
	}
	q.lastID++
	replies := make(chan reply, 1)
	q.waiting[strconv.FormatInt(q.lastID, 10)] = replies
	return q.lastID, replies, nil
}

func (q *questions) unregister(id int64) {
	q.askMu.Lock()
	defer q.askMu.Unlock()
	delete(q.waiting, strconv.FormatInt(id, 10))
}

// handleResponse passes on the client's response to the request with this id. It drops a
// response for which no request waits, and reports false.
func (q *questions) handleResponse(id []byte, message []byte) bool {
	q.askMu.Lock()
	defer q.askMu.Unlock()
	replies, waiting := q.waiting[string(id)]
	if !waiting {
		return false
	}
	delete(q.waiting, string(id))
	var r reply
	if err := json.Unmarshal(message, &r); err != nil {
		r.err = fmt.Errorf("read response: %w", err)
	}
	replies <- r
	return true
}

// close makes the open requests and all later requests fail with errClientGone.
func (q *questions) close() {
	q.askMu.Lock()
	defer q.askMu.Unlock()
	q.closed = true
	for _, replies := range q.waiting {
		replies <- reply{err: errClientGone}
	}
	clear(q.waiting)
}
