package main

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collectorServer is an OpenTelemetry collector that keeps the spans.
type collectorServer struct {
	t *testing.T
	*httptest.Server
	mu    sync.Mutex
	raw   strings.Builder
	spans []*trace.Span
}

func startCollector(t *testing.T) *collectorServer {
	c := &collectorServer{t: t}
	c.Server = httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(c.Close)
	return c
}

func (c *collectorServer) take(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			c.t.Error(err)
			return
		}
		body = unzipped
	}
	raw, err := io.ReadAll(body)
	request := &collector.ExportTraceServiceRequest{}
	if err == nil {
		err = proto.Unmarshal(raw, request)
	}
	if err != nil || r.URL.Path != "/v1/traces" {
		c.t.Errorf("the collector got %s: %v", r.URL.Path, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(raw)
	for _, resource := range request.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// path returns the names of a span and of the spans around it: "POST /mcp > call memory_set".
func (c *collectorServer) path(span *trace.Span) string {
	name := span.Name
	for _, other := range c.spans {
		if string(other.SpanId) == string(span.ParentSpanId) && string(other.TraceId) == string(span.TraceId) {
			return c.path(other) + " > " + name
		}
	}
	return name
}

func attributeOf(span *trace.Span, key string) string {
	for _, attribute := range span.Attributes {
		if attribute.Key == key {
			return attribute.Value.GetStringValue()
		}
	}
	return ""
}

func TestTracesShowWorkWithoutContent(t *testing.T) {
	t.Parallel()
	d, c := newSignedInHome(t), startCollector(t)
	w := startHTTPServerWith(t, d.home, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL})
	session := w.beginSession()
	const caller = "4bf92f3577b34da6a3ce929d0e0e4736"
	ask := func(tool string, args object) {
		w.ask(http.MethodPost, toolCall(5, tool, args), changeAll(session, header("Traceparent", "00-"+caller+"-00f067aa0ba902b7-01")))
	}
	ask("memory_set", object{"key": "canary-key", "value": "canary-value"})
	ask("kota_entry_point", object{"bundle": "memory", "action": "set", "args": object{"value": "canary-value"}})
	ask("canary-tool", object{"canary-argument": 1})
	ask("gmail_send_message", lunch)
	body, headers := modernRequest("tools/call", object{"name": "memory_get", "arguments": object{"key": "canary-key"}})
	w.ask(http.MethodPost, body, headers)
	w.ask(http.MethodPost, "{}", header("Authorization", "Bearer canary-token"))
	w.stop()

	c.mu.Lock()
	defer c.mu.Unlock()
	var paths []string
	for _, span := range c.spans {
		paths = append(paths, c.path(span))
	}
	for _, want := range []string{
		"POST /mcp", "POST /mcp > call memory_set", "POST /mcp > call memory_get",
		"POST /mcp > call gmail_send_message", "POST /mcp > call gmail_send_message > Google POST",
		"POST /mcp > call memory_set > store write", "POST /mcp > call gmail_send_message > store write",
	} {
		if !slices.Contains(paths, want) {
			t.Errorf("no span %q", want)
		}
	}
	for _, span := range c.spans {
		if span.Name == "call gmail_send_message" && (attributeOf(span, "kota.effect") != "sends" || string(span.TraceId) != decodeHex(t, caller)) {
			t.Errorf("got %v", span)
		}
		if code := attributeOf(span, "kota.code"); code == "VALIDATION_ERROR" && span.Status.GetMessage() != code {
			t.Errorf("a refused call has the status %v", span.Status)
		}
	}
	if t.Failed() {
		t.Logf("got %q", paths)
	}
	for _, hidden := range []string{"canary", "bob@example.com", "ann@example.com", "At noon", w.token} {
		if strings.Contains(c.raw.String(), hidden) {
			t.Errorf("the traces contain %q", hidden)
		}
	}
}

// Traces are off unless the environment names a collector that KOTA can reach.
func TestTracesAreOffByDefault(t *testing.T) {
	t.Parallel()
	c := startCollector(t)
	endpoint := "OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL
	for name, tt := range map[string]struct {
		env  []string
		logs string
	}{
		"no variables":     {nil, ""},
		"disabled":         {[]string{endpoint, "OTEL_SDK_DISABLED=true"}, ""},
		"no exporter":      {[]string{endpoint, "OTEL_TRACES_EXPORTER=none"}, ""},
		"another exporter": {[]string{endpoint, "OTEL_TRACES_EXPORTER=zipkin"}, "zipkin"},
		"another protocol": {[]string{endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, "4318"},
	} {
		w := startHTTPServerWith(t, t.TempDir(), tt.env)
		w.beginSession()
		if log := w.stop(); !strings.Contains(log, tt.logs) {
			t.Errorf("%s: it logs %s", name, log)
		}
	}
	if len(c.spans) > 0 {
		t.Errorf("got %d spans", len(c.spans))
	}

	w := startHTTPServerWith(t, t.TempDir(), []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://ann:canary-password@127.0.0.1:1", "OTEL_EXPORTER_OTLP_HEADERS=canary-header"})
	w.beginSession()
	if log := w.stop(); !strings.Contains(log, "traces were not sent") || strings.Contains(log, "canary") {
		t.Errorf("without a collector it logs %s", log)
	}
}

func decodeHex(t *testing.T, text string) string {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
