package mcpserver

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"kota/entrypoint/transport"
)

// The keys of Entries, or their beginnings. The others belong to the entrypoint.Session.
const (
	clientEntry       = "client"
	subscriptionEntry = "subscribed "
)

// A sharedClient is what other replicas need to know about a client.
type sharedClient struct {
	Initialized  bool                   `json:"initialized"`
	Version      string                 `json:"version"`
	Info         mcp.Implementation     `json:"info"`
	Capabilities mcp.ClientCapabilities `json:"capabilities"`
	Level        mcp.LoggingLevel       `json:"level,omitempty"`
}

// Share makes the session use replicas for decisions that depend on them.
func (s *hostSession) Share(replicas transport.Replicas) {
	id := "" // of all calls without a session
	if s.client != nil {
		id = s.client.id
	}
	s.Session.Share(id, replicas)
}

// Listen says whether the client listens on this replica.
func (s *hostSession) Listen(listens bool) {
	if s.client != nil {
		s.client.subscriptions.listen(listens)
	}
}

// Entries returns what other replicas need to know about the session, except its taint.
func (s *hostSession) Entries() map[string]string {
	entries := s.Session.Entries()
	if s.client != nil {
		entries[clientEntry] = s.client.encode()
		maps.Copy(entries, s.client.subscriptions.entries())
	}
	return entries
}

// Change adds what another replica has changed in the Entries.
func (s *hostSession) Change(change map[string]*string) {
	s.Session.Change(change)
	if s.client == nil {
		return
	}
	if text := change[clientEntry]; text != nil {
		s.client.decode(*text)
	}
	s.client.subscriptions.change(change)
}

// encode returns the client as JSON.
func (s *clientSession) encode() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	level, _ := s.level.Load().(mcp.LoggingLevel)
	text, err := json.Marshal(sharedClient{s.initialized.Load(), s.version, s.info, s.capabilities, level})
	if err != nil {
		return "" // capabilities that were read from JSON can be written again
	}
	return string(text)
}

// decode is the reverse of encode.
func (s *clientSession) decode(text string) {
	client := sharedClient{}
	if json.Unmarshal([]byte(text), &client) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version, s.info, s.capabilities = client.Version, client.Info, client.Capabilities
	s.initialized.Store(client.Initialized)
	if client.Level != "" {
		s.level.Store(client.Level)
	}
}

// entries returns the subscriptions with the digests of what the client has seen.
func (s *subscriptions) entries() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := make(map[string]string, len(s.seen))
	for uri, digest := range s.seen {
		entries[subscriptionEntry+uri] = base64.StdEncoding.EncodeToString(digest[:])
	}
	return entries
}

// change adds and removes subscriptions as another replica has done.
func (s *subscriptions) change(change map[string]*string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, value := range change {
		uri, ok := strings.CutPrefix(key, subscriptionEntry)
		if !ok || s.ended || s.watch == nil {
			continue
		}
		if value == nil {
			delete(s.seen, uri)
			continue
		}
		digest, err := base64.StdEncoding.DecodeString(*value)
		if err != nil || len(digest) != sha256.Size {
			continue
		}
		if s.seen == nil {
			s.seen = map[string][sha256.Size]byte{}
		}
		s.seen[uri] = [sha256.Size]byte(digest)
	}
	if s.watch != nil {
		s.watch.setActive(s, len(s.seen) > 0 && !s.paused)
	}
}
