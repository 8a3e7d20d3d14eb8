package tracing

import (
	"context"
	"net/http"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"kota/entrypoint"
	"kota/metadata"
)

// Requests returns a handler that makes a span for each POST to path. A request
// that names a trace (W3C Trace Context) becomes part of it. Streams that only listen have no span.
func (t *Tracer) Requests(path string, next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != path {
			next.ServeHTTP(w, r)
			return
		}
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, r.Method+" "+path, trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", path)))
		answer := &statusWriter{w, http.StatusOK}
		next.ServeHTTP(answer, r.WithContext(ctx))
		span.SetAttributes(attribute.Int("http.response.status_code", answer.status))
		endSpan(span, serverError(answer.status))
	})
}

// serverError returns the status as a code, or "" if it is not the server's error.
func serverError(status int) string {
	if status < http.StatusInternalServerError {
		return ""
	}
	return strconv.Itoa(status)
}

// A statusWriter keeps the status of an answer. Package httpsnoop does the same with 260 KB.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the wrapped writer.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Call is the step that makes a span of each call, also of calls within calls, and of other work
// of bundles such as reading a resource. The span has the name of the tool that was reached, and no
// name that only the caller wrote.
func (t *Tracer) Call(next entrypoint.Handler) entrypoint.Handler {
	if t == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		ctx, span := t.tracer.Start(ctx, "call")
		out, err := next(ctx, c)
		if c.ReachedTool != "" {
			span.SetName("call " + c.ReachedTool)
		}
		code := metadata.CodeOf(err)
		span.SetAttributes(attribute.String("kota.tool", c.ReachedTool), attribute.String("kota.channel", string(c.Channel)),
			attribute.String("kota.effect", string(c.Action.Effect)), attribute.String("kota.code", string(code)))
		endSpan(span, string(code))
		return out, err
	}
}

// Transport returns a transport that makes a span of each request. The span has no path, because
// paths name messages, calendars and people.
func (t *Tracer) Transport(next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	if next == nil {
		next = http.DefaultTransport
	}
	return transport{t, next}
}

type transport struct {
	tracer *Tracer
	next   http.RoundTripper
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := t.tracer.tracer.Start(r.Context(), "Google "+r.Method, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("http.request.method", r.Method), attribute.String("server.address", r.URL.Hostname())))
	defer span.End()
	response, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		span.SetStatus(codes.Error, "no answer")
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", response.StatusCode))
	if response.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, strconv.Itoa(response.StatusCode))
	}
	return response, nil
}
