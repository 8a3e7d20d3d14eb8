package main

import (
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/metrics"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/server"
	"kota/cmd/kota/internal/tracing"
)

func newServe(a *app.App) *cobra.Command {
	var options server.HTTPOptions
	var files config.HTTP
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Speak MCP: on stdin and stdout, for a client to start, or over HTTP",
		Long: `Speak MCP on stdin and stdout. A client starts this command; stdout carries only the
protocol, and logs go to stderr.

With --http it serves clients that connect to http://ADDRESS` + server.EndpointPath + ` instead, with the
token that ` + "`kota http token`" + ` prints. Remote access requires TLS.`,
		Example: "  kota serve\n  kota serve --http 127.0.0.1:8321\n  kota serve --http 192.168.1.5:8321 --tls-cert cert.pem --tls-key key.pem",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkHTTPFlags(cmd, options); err != nil {
				return err
			}
			if options.Address != "" && a.Flags.Owner != "" {
				return mistake.Errorf("`kota serve --http` serves all owners at the same time: omit --owner")
			}
			if err := a.Load(); err != nil {
				return err
			}
			if options.Metrics != "" {
				a.Metrics = metrics.New(app.Version)
			}
			if options.Address != "" { // a client's own variables must not send traces of a server on stdio
				var err error
				if a.Tracer, err = tracing.New(cmd.Context(), a.Env, app.Version, a.Log); err != nil {
					return err
				}
				defer a.Tracer.Close()
			}
			a.OpenInBackground()
			router, err := a.Router()
			if err != nil {
				return err
			}
			if len(router.Listable()) == 0 {
				a.Log.Warn("no action is available: no bundle is on, or the profile allows none; see `kota profiles`", "profile", a.Config.Profile)
			}
			// A write to a client that has disconnected must return an error,
			// not end the program by a signal.
			signal.Ignore(syscall.SIGPIPE)
			if options.Address != "" {
				if files.Cert != "" || files.Key != "" {
					a.Config.HTTP.Cert, a.Config.HTTP.Key = files.Cert, files.Key
				}
				return server.HTTP(cmd.Context(), a, router, options)
			}
			return server.Stdio(cmd.Context(), a, router)
		},
	}
	cmd.Flags().StringVar(&options.Address, "http", "", "serve HTTP at this address instead, such as 127.0.0.1:8321")
	cmd.Flags().StringVar(&files.Cert, "tls-cert", "", "PEM file of the certificate; overrides http.tls in bundles.yaml")
	cmd.Flags().StringVar(&files.Key, "tls-key", "", "PEM file of its key")
	cmd.Flags().StringVar(&options.Metrics, "metrics", "", "serve metrics for Prometheus at this address, such as 127.0.0.1:9464; other machines need TLS and KOTA_METRICS_TOKEN")
	cmd.Flags().DurationVar(&options.Drain, "drain", 0, "how long running calls may take after a signal, such as 75s; in the first fifth, /readyz fails and requests are still served")
	return cmd
}

// checkHTTPFlags refuses flags of the HTTP server with an empty value.
// Without --http, it also refuses the other ones: the program would otherwise
// ignore them and wait on stdin.
func checkHTTPFlags(cmd *cobra.Command, options server.HTTPOptions) error {
	if cmd.Flags().Changed("http") && options.Address == "" {
		return mistake.Errorf("--http is empty; give it an address such as 127.0.0.1:8321, or omit it to serve on stdin and stdout")
	}
	for _, option := range [][2]string{{"tls-cert", "name a PEM file"}, {"tls-key", "name a PEM file"}, {"metrics", "give it an address such as 127.0.0.1:9464"}, {"drain", "give it a duration such as 75s"}} {
		name, form := option[0], option[1]
		flag := cmd.Flags().Lookup(name)
		switch {
		case flag.Changed && options.Address == "":
			return mistake.Errorf("--%s only works with the HTTP server: give --http too, such as --http 192.168.1.5:8321", name)
		case flag.Changed && flag.Value.String() == "":
			return mistake.Errorf("--%s is empty; %s, or omit it", name, form)
		}
	}
	if options.Drain < 0 || options.Drain > maxDrain {
		return mistake.Errorf("--drain is %v; allowed: 0 to %v", options.Drain, maxDrain)
	}
	return nil
}

// maxDrain is more than any call needs.
const maxDrain = 10 * time.Minute
