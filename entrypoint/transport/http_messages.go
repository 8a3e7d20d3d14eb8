package transport

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// receiveMessages lets messages from other replicas arrive until stop is called.
func (e *Endpoint) receiveMessages() (stop func()) {
	e.watchMu.Lock()
	defer e.watchMu.Unlock()
	e.receivers++
	if e.receivers == 1 {
		ctx, cancel := context.WithCancel(e.ctx)
		e.unwatch = cancel
		go e.store.Watch(ctx, func() { e.receive(ctx) })
	}
	return sync.OnceFunc(func() {
		e.watchMu.Lock()
		defer e.watchMu.Unlock()
		e.receivers--
		if e.receivers == 0 {
			e.unwatch()
		}
	})
}

// receive passes messages from other replicas on, and ends the sessions that another replica has
// ended.
func (e *Endpoint) receive(ctx context.Context) {
	e.receiving.Lock()
	defer e.receiving.Unlock()
	for err := e.receiveOnce(ctx); err != nil && ctx.Err() == nil; err = e.receiveOnce(ctx) {
		e.log.Warn("messages of other replicas do not arrive", "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (e *Endpoint) receiveOnce(ctx context.Context) error {
	open := e.sessions.inUse()
	if len(open) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	ids := make([]string, 0, len(open))
	for id := range open {
		ids = append(ids, id)
	}
	messages, err := e.store.Messages(ctx, ids, e.received)
	if err != nil {
		return err
	}
	for _, m := range messages {
		e.received = m.Number
		switch envelope := envelopeOf(m.Body); {
		case envelope.kind == isResponse:
			open[m.Session].handleResponse(envelope.id, m.Body)
		case envelope.isCancel():
			open[m.Session].handleCancelled(m.Body)
		}
	}
	for id, s := range open {
		stream := e.sessions.streamOf(s)
		found, err := e.store.Find(ctx, id, s.shared.known())
		switch {
		case errors.Is(err, ErrNoSession):
			e.forget(s)
		case err != nil:
			return err
		default:
			s.shared.take(found)
			if stream != "" && found.Stream != stream && found.Stream != "" {
				e.sessions.endStream(s, stream)
			}
		}
	}
	return nil
}

// send passes a message to the replicas. The one that runs the call uses it.
func (e *Endpoint) send(w http.ResponseWriter, r *http.Request, s *httpSession, m postedMessage) bool {
	ctx, cancel := context.WithTimeout(r.Context(), shareTimeout)
	defer cancel()
	if err := e.store.Send(ctx, s.shared.id, m.body); err != nil {
		e.unavailable(w, nil, err)
		return false
	}
	return true
}
