package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"kota/auth"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint/web"
)

// metricsPath is the path of the metrics on their own address.
const metricsPath = "/metrics"

// serveMetrics serves the metrics until the caller calls stop. They stay readable while the MCP
// server drains. On a loopback address they need no token unless one is set. Any other address
// needs TLS and a token, because the metrics say which tools are used and when.
func serveMetrics(a *app.App, pool *Pool, address string, cert *tls.Certificate) (stop func(), err error) {
	token := a.Config.HTTP.MetricsToken
	bearer, err := auth.NewBearer("", token)
	if err != nil {
		return nil, mistake.Errorf("KOTA_METRICS_TOKEN: %v", err)
	}
	l, err := web.Listen(address, cert)
	if err != nil {
		return nil, &mistake.Error{Lines: []string{"--metrics: " + err.Error()}}
	}
	if at, ok := l.Addr().(*net.TCPAddr); token == "" && !(ok && at.IP.IsLoopback()) {
		l.Close()
		return nil, mistake.Errorf("--metrics: other machines can reach %q: set KOTA_METRICS_TOKEN to a token that Prometheus sends, such as `openssl rand -hex 32` prints, or listen on 127.0.0.1:%d", address, at.Port)
	}
	addGauges(a, pool)
	server := &web.Server{
		Endpoint: a.Metrics.Handler(), Path: metricsPath, Open: token == "", AnyHost: token != "",
		Admit: func(ctx context.Context, given string) (context.Context, error) {
			if good, err := bearer.Matches(given); !good || err != nil {
				return nil, errors.New("this is not the token of KOTA_METRICS_TOKEN")
			}
			return ctx, nil
		},
		Ready: func(context.Context) error { return nil }, Drain: func() {}, Log: a.Log,
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(ctx, l, cert); err != nil {
			a.Log.Error("serve metrics", "error", err)
		}
	}()
	fmt.Fprintf(a.Stderr, "KOTA serves metrics at %s\n", web.URL(l, cert, metricsPath))
	return func() { cancel(); <-ended }, nil
}

// addGauges adds the numbers of the pool to the metrics.
func addGauges(a *app.App, pool *Pool) {
	a.Metrics.Gauge("kota_tenants_open", "Open tenants besides the user who runs the server.", func() float64 {
		tenants, _ := pool.Open()
		return float64(tenants)
	})
	a.Metrics.Gauge("kota_listeners", "Requests that only listen: GET streams and subscriptions.", func() float64 {
		_, listeners := pool.Open()
		return float64(listeners)
	})
	if !a.Config.HasServer() {
		return
	}
	a.Metrics.Gauge("kota_database_connections_used", "Connections that a read uses now.", func() float64 { return float64(a.DatabasePoolStats().InUse) })
	a.Metrics.Gauge("kota_database_connections_idle", "Open connections that no read uses.", func() float64 { return float64(a.DatabasePoolStats().Idle) })
	a.Metrics.Gauge("kota_database_connections_max", "The maximum number of connections for reads.", func() float64 { return float64(a.DatabasePoolStats().Max) })
	a.Metrics.Counter("kota_database_acquires_total", "How often a read took a connection.", func() float64 { return float64(a.DatabasePoolStats().Acquired) })
	a.Metrics.Counter("kota_database_waits_total", "How often a read waited for a connection.", func() float64 { return float64(a.DatabasePoolStats().Waited) })
	a.Metrics.Counter("kota_database_wait_seconds_total", "How long reads waited for a connection.", func() float64 { return a.DatabasePoolStats().WaitTime.Seconds() })
}
