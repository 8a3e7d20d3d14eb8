// Package tracing sends traces to an OpenTelemetry collector. A span names the kind of work, the
// tool, the outcome and the host. It never has arguments, texts, paths, addresses or names of
// people. Begin with New.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"
)

// A Tracer makes spans. It is safe for concurrent use. A nil *Tracer makes none.
type Tracer struct {
	tracer   trace.Tracer
	provider *sdk.TracerProvider
}

const closeTimeout = time.Second // an orchestrator kills a program that does not end

// New returns a Tracer for this version of KOTA, or nil if the environment has no collector. The
// exporter, the sampler and the span processor read the standard OTEL_* variables.
func New(ctx context.Context, env func(string) string, version string, log *slog.Logger) (*Tracer, error) {
	on, problem := wanted(env)
	if problem != "" {
		log.Warn("no traces are sent", "reason", problem)
	}
	if !on {
		return nil, nil
	}
	// OpenTelemetry's own logger is off, because it quotes variables, and those may have credentials.
	otel.SetLogger(logr.Discard())
	failures := &rate.Sometimes{Interval: time.Minute}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		failures.Do(func() { log.Warn("traces were not sent", "error", err) })
	}))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	described, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "kota"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(described))
	return &Tracer{provider.Tracer("kota"), provider}, nil
}

// wanted reports whether the environment asks for traces. The problem says why KOTA cannot send
// them.
func wanted(env func(string) string) (on bool, problem string) {
	exporter := env("OTEL_TRACES_EXPORTER")
	endpoint := env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "" || env("OTEL_EXPORTER_OTLP_ENDPOINT") != ""
	protocol := env("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
	if protocol == "" {
		protocol = env("OTEL_EXPORTER_OTLP_PROTOCOL")
	}
	switch {
	case env("OTEL_SDK_DISABLED") == "true", exporter == "none", exporter == "" && !endpoint:
		return false, ""
	case exporter != "" && exporter != "otlp":
		return false, fmt.Sprintf("OTEL_TRACES_EXPORTER is %q; KOTA has only otlp", exporter)
	case protocol != "" && protocol != "http/protobuf":
		return false, fmt.Sprintf("OTEL_EXPORTER_OTLP_PROTOCOL is %q; KOTA has only http/protobuf, which collectors take at port 4318", protocol)
	}
	return true, ""
}

// Begin begins a span. The caller calls end with the code of the error, or "".
func (t *Tracer) Begin(ctx context.Context, name string, attributes ...attribute.KeyValue) (_ context.Context, end func(code string)) {
	if t == nil {
		return ctx, func(string) {}
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithAttributes(attributes...))
	return ctx, func(code string) { endSpan(span, code) }
}

// endSpan ends a span. It does not record the text of the error, which may quote arguments.
func endSpan(span trace.Span, code string) {
	if code != "" {
		span.SetStatus(codes.Error, code)
	}
	span.End()
}

// Close sends the last spans.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		otel.Handle(err)
	}
}
