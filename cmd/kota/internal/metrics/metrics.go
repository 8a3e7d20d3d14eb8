// Package metrics counts what a server does, for Prometheus. Its labels name tools, states and
// outcomes. They never name people, accounts, keys or arguments. Begin with New.
package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"kota/entrypoint"
	"kota/metadata"
)

// Metrics counts the work of a process. It is safe for concurrent use. A nil *Metrics counts
// nothing.
type Metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	outbox   *prometheus.CounterVec
	requests *prometheus.CounterVec
	running  prometheus.Gauge
}

// callBuckets reach from a read of the database to the time limit of a call.
var callBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// New returns metrics of a process that runs this version of KOTA.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kota_calls_total", Help: "Answered calls, by tool, channel and code of the error. The code is empty for success, and the tool for an unknown name.",
		}, []string{"tool", "channel", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kota_call_duration_seconds", Help: "How long calls took, with the wait for a slot and without the wait for the user.", Buckets: callBuckets,
		}, []string{"tool"}),
		outbox: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kota_outbox_changes_total", Help: "Outbox items that reached a state: pending, sending, sent, saved, failed, unknown or dropped.",
		}, []string{"bundle", "state"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kota_http_requests_total", Help: "Answered HTTP requests, with streams, by method and status.",
		}, []string{"method", "code"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "kota_http_requests_running", Help: "HTTP requests that are being answered, with open streams.",
		}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "kota_build_info", Help: "1, with the version of KOTA.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.MustRegister(m.calls, m.seconds, m.outbox, m.requests, m.running, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// CountCall is the step that counts answered calls.
func (m *Metrics) CountCall(next entrypoint.Handler) entrypoint.Handler {
	if m == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		out, err := next(ctx, c)
		m.calls.WithLabelValues(c.ReachedTool, string(c.Channel), string(metadata.CodeOf(err))).Inc()
		return out, err
	}
}

// TimeCall is the step that measures how long calls take.
func (m *Metrics) TimeCall(next entrypoint.Handler) entrypoint.Handler {
	if m == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		start := time.Now()
		out, err := next(ctx, c)
		m.seconds.WithLabelValues(c.Action.Tool).Observe(time.Since(start).Seconds())
		return out, err
	}
}

// CountOutbox counts an outbox item of a bundle that reached a state.
func (m *Metrics) CountOutbox(bundle, state string) {
	if m != nil {
		m.outbox.WithLabelValues(bundle, state).Inc()
	}
}

// CountRequests returns a handler that counts the requests to next.
func (m *Metrics) CountRequests(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	return promhttp.InstrumentHandlerInFlight(m.running, promhttp.InstrumentHandlerCounter(m.requests, next))
}

// Gauge adds a value that is read at each scrape. A nil Metrics ignores it.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	if m != nil {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
	}
}

// Counter adds a value that only rises and is read at each scrape. A nil Metrics ignores it.
func (m *Metrics) Counter(name, help string, read func() float64) {
	if m != nil {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, read))
	}
}

// Handler returns the handler that answers a scrape.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}
