package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
)

// maxSubscribed is the maximum number of resources that one session may subscribe to.
const maxSubscribed = 100

// A Watcher notices possible changes of resources.
type Watcher interface {
	// Watch calls changed after every possible change, until ctx is done. KOTA calls Watch
	// when the first subscription begins, and ends ctx when the last one ends.
	Watch(ctx context.Context, changed func())
}

// A resourceWatch notifies clients about changes of the resources they subscribed to. mcp-go only
// stores subscriptions. After a write, the watch reads the subscribed resources again and
// compares them. So a client is notified only if it would see a difference.
type resourceWatch struct {
	server  *server.MCPServer
	watcher Watcher
	log     *slog.Logger

	mu     sync.Mutex
	active map[*subscriptions]bool // the subscriptions with at least one resource
	stop   context.CancelFunc      // ends watching; nil while nobody has subscribed
}

// newWatch returns a watch, or nil if nothing reports changes.
func newWatch(s *server.MCPServer, watcher Watcher, log *slog.Logger) *resourceWatch {
	if watcher == nil {
		return nil
	}
	return &resourceWatch{server: s, watcher: watcher, log: log, active: map[*subscriptions]bool{}}
}

// setActive records whether the subscriptions have at least one resource now.
func (w *resourceWatch) setActive(s *subscriptions, active bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if active {
		w.active[s] = true
	} else {
		delete(w.active, s)
	}
	switch {
	case len(w.active) > 0 && w.stop == nil:
		ctx, cancel := context.WithCancel(context.Background())
		w.stop = cancel
		go w.watcher.Watch(ctx, func() { w.checkAll(ctx) })
	case len(w.active) == 0 && w.stop != nil:
		w.stop()
		w.stop = nil
	}
}

// checkAll reads the subscribed resources and notifies the clients that would see a difference.
func (w *resourceWatch) checkAll(ctx context.Context) {
	w.mu.Lock()
	active := slices.Collect(maps.Keys(w.active))
	w.mu.Unlock()
	w.check(ctx, active)
}

// check is checkAll for these subscriptions.
func (w *resourceWatch) check(ctx context.Context, active []*subscriptions) {
	now := map[string][sha256.Size]byte{}
	for _, s := range active {
		for _, uri := range s.SubscribedResources() {
			if _, read := now[uri]; !read {
				now[uri], _ = w.digest(ctx, uri) // a resource that is gone counts as changed
			}
			if ctx.Err() != nil {
				return
			}
			s.notifyIfChanged(uri, now[uri])
		}
	}
}

// digest returns a digest of the answer to a read of the resource, or the error in that
// answer.
func (w *resourceWatch) digest(ctx context.Context, uri string) (digest [sha256.Size]byte, err error) {
	message, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": 0, "method": mcp.MethodResourcesRead, "params": map[string]any{"uri": uri}})
	if err != nil {
		return digest, err
	}
	answer := w.server.HandleMessage(entrypoint.WithNewSession(ctx), message)
	if failure, ok := answer.(mcp.JSONRPCError); ok {
		return digest, errors.New(failure.Error.Message)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return digest, err
	}
	return sha256.Sum256(text), nil
}

// subscriptions are the resources that a session, or a request to listen of 2026-07-28,
// has subscribed to.
type subscriptions struct {
	watch  *resourceWatch // nil if nothing reports changes
	client notifier
	id     json.RawMessage // id of the request to listen; nil for a session
	mu     sync.Mutex
	seen   map[string][sha256.Size]byte // the last digest, by URI
	ended  bool                         // no more subscriptions are accepted
	paused bool                         // the client listens on another replica, or nowhere
}

var _ server.SessionWithResourceSubscriptionsErr = (*clientSession)(nil)

// SubscribeToResourceErr subscribes the client to the resource. The resource need not exist
// yet: it may be a memory that is written later. The official conformance suite subscribes
// to a resource that no server has, and expects no error.
func (s *subscriptions) SubscribeToResourceErr(uri string) error {
	if s.watch == nil {
		return errors.New("the resources of this server do not change")
	}
	digest, _ := s.watch.digest(context.Background(), uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return errors.New("its session has ended")
	}
	if _, again := s.seen[uri]; !again && len(s.seen) >= maxSubscribed {
		return fmt.Errorf("this session already has %d subscriptions; unsubscribe from some first", maxSubscribed)
	}
	if s.seen == nil {
		s.seen = map[string][sha256.Size]byte{}
	}
	s.seen[uri] = digest
	s.watch.setActive(s, !s.paused)
	return nil
}

// SubscribeToResource is SubscribeToResourceErr without the error.
func (s *subscriptions) SubscribeToResource(uri string) { _ = s.SubscribeToResourceErr(uri) }

// UnsubscribeFromResource ends a subscription, if it exists.
func (s *subscriptions) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seen, uri)
	if len(s.seen) == 0 && s.watch != nil {
		s.watch.setActive(s, false)
	}
}

// end ends all subscriptions and refuses later ones.
func (s *subscriptions) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	clear(s.seen)
	if s.watch != nil {
		s.watch.setActive(s, false)
	}
}

// listen says whether the client listens on this replica. If it does, it is notified of what has
// changed while it did not.
func (s *subscriptions) listen(listens bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = !listens
	if s.watch == nil || s.ended || len(s.seen) == 0 {
		return
	}
	s.watch.setActive(s, listens)
	if listens {
		go s.watch.check(context.Background(), []*subscriptions{s})
	}
}

// SubscribedResources returns the URIs of the subscribed resources, sorted.
func (s *subscriptions) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.seen))
}

// IsSubscribedToResource reports whether there is a subscription to the URI.
func (s *subscriptions) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.seen[uri]
	return ok
}

// notifyIfChanged notifies the client if the resource has changed.
func (s *subscriptions) notifyIfChanged(uri string, now [sha256.Size]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before, ok := s.seen[uri]; !ok || before == now {
		return
	}
	updated := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	updated.Method = mcp.MethodNotificationResourceUpdated
	updated.Params.AdditionalFields = map[string]any{"uri": uri}
	if s.id != nil {
		updated.Params.Meta = map[string]any{mcp.MetaKeySubscriptionID: s.id}
	}
	line, err := json.Marshal(updated)
	if err == nil && s.client.Notify(append(line, '\n')) {
		s.seen[uri] = now
	} // otherwise the client does not read now, and is notified after the next write
}
