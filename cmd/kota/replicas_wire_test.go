package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"kota/entrypoint/wiretest"
	"kota/store/postgres/pgtest"
)

// TestWireOverReplicas plays the conversations of testdata/wire with two servers. The load balancer
// passes each request to another server than the one before it.
func TestWireOverReplicas(t *testing.T) {
	pgtest.Start(t) // before the conversations, which start at the same time
	wiretest.PlayOver(t, filepath.Join("testdata", "wire"), func(t *testing.T, archive *txtar.Archive) func() wiretest.Connection {
		settings := "{}"
		for _, file := range archive.Files {
			if file.Name == "bundles.yaml" {
				settings = string(file.Data)
			}
		}
		_, balanced := startBalancedServers(t, settings)
		return func() wiretest.Connection { return &httpConnection{server: balanced} }
	})
}

// An httpConnection posts the lines of a client one after the other. A client with a session also
// listens to its stream.
type httpConnection struct {
	server  *httpServer
	session string // its id

	mu       sync.Mutex
	messages []string
}

func (c *httpConnection) Send(lines string) {
	for line := range strings.Lines(lines) {
		c.post(strings.TrimSpace(line))
	}
}

func (c *httpConnection) post(line string) {
	answer := c.server.ask(http.MethodPost, line, c.headers(line))
	if id := answer.header.Get("Mcp-Session-Id"); id != "" && c.session == "" {
		c.session = id
		stream := c.server.openStream(http.MethodGet, "", header("Mcp-Session-Id", id))
		go func() {
			for line := range stream {
				c.add(line)
			}
		}()
	}
	for text := range strings.Lines(answer.body) {
		c.add(text)
	}
}

// headers returns a change that adds the headers of the revision that the line is of.
func (c *httpConnection) headers(line string) func(*http.Request) {
	var message struct {
		Method string
		Params struct {
			Name string
			URI  string
			Meta map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(line), &message) // a line may be no message
	version, _ := message.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string)
	return func(r *http.Request) {
		if c.session != "" {
			r.Header.Set("Mcp-Session-Id", c.session)
		}
		if version != "" {
			r.Header.Set("Mcp-Protocol-Version", version)
			r.Header.Set("Mcp-Method", message.Method)
			r.Header.Set("Mcp-Name", message.Params.Name+message.Params.URI)
		}
	}
}

// add adds the message of a line of an answer or of an event stream.
func (c *httpConnection) add(line string) {
	line = strings.TrimPrefix(strings.TrimSpace(line), "data: ")
	if !strings.HasPrefix(line, "{") {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages = append(c.messages, line)
}

func (c *httpConnection) Received(count int) []string {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		enough := len(c.messages) >= count
		c.mu.Unlock()
		if enough {
			break
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	messages := c.messages
	c.messages = nil
	return messages
}

func (c *httpConnection) CloseInput() {}

func (c *httpConnection) End() {
	if c.session != "" {
		c.server.ask(http.MethodDelete, "", header("Mcp-Session-Id", c.session))
	}
}
