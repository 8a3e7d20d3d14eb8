package main

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// scraped has the metric families of a scrape by name.
type scraped map[string]*dto.MetricFamily

var metricsLine = regexp.MustCompile(`serves metrics at (\S+)`)

// metricsURL returns where the server said that it serves metrics.
func (w *httpServer) metricsURL() string {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	at := metricsLine.FindStringSubmatch(w.stderr.String())
	if at == nil {
		w.t.Fatalf("it serves no metrics: %s", w.stderr.String())
	}
	return at[1]
}

// scrape asks for the metrics.
func (w *httpServer) scrape(change func(*http.Request)) httpAnswer {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.metricsURL(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	return doRequest(w.t, r)
}

func parseMetrics(t *testing.T, text string) scraped {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return families
}

// sum adds the values of the series whose labels include these pairs: "tool", "memory_set".
func (m scraped) sum(name string, labels ...string) float64 {
	total := 0.0
	for _, series := range m[name].GetMetric() {
		matches := true
		for i := 0; i < len(labels); i += 2 {
			matches = matches && slices.ContainsFunc(series.Label, func(l *dto.LabelPair) bool { return l.GetName() == labels[i] && l.GetValue() == labels[i+1] })
		}
		if matches {
			total += series.GetCounter().GetValue() + series.GetGauge().GetValue() + float64(series.GetHistogram().GetSampleCount())
		}
	}
	return total
}

func TestMetricsCountWorkAndNameNobody(t *testing.T) {
	t.Parallel()
	d := newSignedInHome(t)
	w := startHTTPServer(t, d.home, "--metrics", "127.0.0.1:0")
	session := w.beginSession()
	ask := func(tool string, args object) { w.ask(http.MethodPost, toolCall(5, tool, args), session) }
	for range 3 {
		ask("memory_set", object{"key": "canary-key", "value": "canary-value"})
	}
	ask("kota_entry_point", object{"bundle": "memory", "action": "get", "args": object{"key": "canary-missing"}})
	ask("memory_set", object{"value": "canary-value"})
	ask("canary-tool", object{})
	ask("gmail_send_message", lunch)
	w.ask(http.MethodPost, "{}", header("Authorization", "Bearer canary-token"))

	got := w.scrape(nil)
	if got.status != http.StatusOK {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	for _, hidden := range []string{"canary", "bob@example.com", "ann@example.com", "At noon", w.token} {
		if strings.Contains(got.body, hidden) {
			t.Errorf("the metrics contain %q", hidden)
		}
	}
	found := parseMetrics(t, got.body)
	for _, want := range []struct {
		name   string
		labels []string
		value  float64
	}{
		{"kota_calls_total", []string{"tool", "memory_set", "channel", "direct", "code", ""}, 3},
		{"kota_calls_total", []string{"tool", "memory_get", "channel", "entry_point", "code", ""}, 1},
		{"kota_calls_total", []string{"tool", "memory_set", "code", "VALIDATION_ERROR"}, 1},
		{"kota_calls_total", []string{"tool", "", "code", "TOOL_NOT_FOUND"}, 1},
		{"kota_call_duration_seconds", []string{"tool", "memory_set"}, 3},
		{"kota_outbox_changes_total", []string{"bundle", "gmail", "state", "pending"}, 1},
		{"kota_outbox_changes_total", []string{"bundle", "gmail", "state", "sending"}, 1},
		{"kota_outbox_changes_total", []string{"bundle", "gmail", "state", "sent"}, 1},
		{"kota_http_requests_total", []string{"method", "post", "code", "401"}, 1},
		{"kota_build_info", nil, 1},
	} {
		if value := found.sum(want.name, want.labels...); value != want.value {
			t.Errorf("%s%v is %v, want %v", want.name, want.labels, value, want.value)
		}
	}
	if found.sum("process_resident_memory_bytes") == 0 && found.sum("go_goroutines") == 0 {
		t.Error("the metrics do not describe the process")
	}
	w.stop()
}

// A page that reaches the metrics by a name of its own must not read them.
func TestMetricsAreNotPublic(t *testing.T) {
	t.Parallel()
	home, token := t.TempDir(), strings.Repeat("m", 40)
	w := startHTTPServer(t, home, "--metrics", "127.0.0.1:0")
	for name, c := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"another host":   {func(r *http.Request) { r.Host = "evil.example.com" }, http.StatusForbidden},
		"another origin": {header("Origin", "https://evil.example.com"), http.StatusForbidden},
		"MCP's path":     {func(r *http.Request) { r.URL.Path = "/mcp" }, http.StatusNotFound},
	} {
		if got := w.scrape(c.change); got.status != c.status {
			t.Errorf("%s: got %d %s", name, got.status, got.body)
		}
	}
	if got := w.ask(http.MethodGet, "", func(r *http.Request) { r.URL.Path = "/metrics" }); got.status != http.StatusNotFound {
		t.Errorf("at the address of MCP: got %d %s", got.status, got.body)
	}
	w.stop()

	for _, c := range []struct {
		env  []string
		args []string
		want string
	}{
		{nil, []string{"--metrics", "0.0.0.0:0"}, "TLS"},
		{nil, []string{"--metrics", ""}, "127.0.0.1:9464"},
		{[]string{"KOTA_METRICS_TOKEN=short"}, []string{"--metrics", "127.0.0.1:0"}, "KOTA_METRICS_TOKEN"},
	} {
		if output := runKota(t, home, c.env, 2, append([]string{"serve", "--http", "127.0.0.1:0"}, c.args...)...); !strings.Contains(output, c.want) {
			t.Errorf("%v %v: it says %q", c.env, c.args, output)
		}
	}
	if output := runKota(t, home, nil, 2, "serve", "--metrics", "127.0.0.1:0"); !strings.Contains(output, "--http") {
		t.Errorf("on stdio: it says %q", output)
	}
	cert, key, _ := makeCertificate(t, "kota.example.com")
	if output := runKota(t, home, nil, 2, "serve", "--http", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key, "--metrics", "0.0.0.0:0"); !strings.Contains(output, "KOTA_METRICS_TOKEN") {
		t.Errorf("without a token: it says %q", output)
	}

	w = startHTTPServerWith(t, home, []string{"KOTA_METRICS_TOKEN=" + token}, "--metrics", "127.0.0.1:0")
	bearer := header("Authorization", "Bearer "+token)
	if got := w.scrape(changeAll(bearer, func(r *http.Request) { r.Host = "10.0.0.7:9464" })); got.status != http.StatusOK {
		t.Errorf("with the token: got %d %s", got.status, got.body)
	}
	for name, change := range map[string]func(*http.Request){"no token": nil, "MCP's token": header("Authorization", "Bearer "+w.token)} {
		if got := w.scrape(change); got.status != http.StatusUnauthorized {
			t.Errorf("%s: got %d %s", name, got.status, got.body)
		}
	}
	if got := w.ask(http.MethodPost, "{}", bearer); got.status != http.StatusUnauthorized {
		t.Errorf("the token of the metrics at MCP: got %d", got.status)
	}
	w.stop()
}
