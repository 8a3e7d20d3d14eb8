// Command fakegoogle runs the fake Google of the tests, so that a person can
// try KOTA. It has a sign-in page, and a filled mailbox and calendar. It sends
// nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"kota/bundles/bundletest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "fakegoogle:", err)
		os.Exit(1)
	}
}

// run serves until the context ends. It prints the KOTA_GOOGLE_ENDPOINT line on
// stdout. It prints help on stderr, and also the requests that violate Google's
// documentation.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("fakegoogle", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:0", "loopback `address` to listen on")
	latency := flags.Duration("latency", 0, "the delay of every request, such as 50ms")
	more := flags.Int("messages", 0, "`number` of older messages to add to the sample mailbox")
	client := flags.String("client", filepath.Join(os.TempDir(), "fakegoogle-client.json"), "`file` the OAuth client is written to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}

	report := func(violation string) { fmt.Fprintln(stderr, "violation:", violation) }
	google, err := bundletest.StartGoogle(*addr, report)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	defer google.Close()
	fillMailbox(google, time.Now(), *more)
	fillCalendars(google, time.Now())
	google.SetLatency(*latency)
	if err := os.WriteFile(*client, google.ClientFile(), 0o600); err != nil {
		return fmt.Errorf("write the client file: %w", err)
	}

	fmt.Fprintf(stdout, "KOTA_GOOGLE_ENDPOINT=%s\n", google.URL())
	fmt.Fprintf(stderr, "Sign in as %s. Do it in a folder of its own, or your own sign-ins are replaced:\n  export KOTA_HOME=$(mktemp -d) KOTA_GOOGLE_ENDPOINT=%s\n  kota bundles enable gmail\n  kota bundles enable calendar\n  kota auth client %s\n  kota auth login\nCtrl-C ends the fake Google; its mail and events are then lost.\n", owner, google.URL(), *client)
	<-ctx.Done()
	return nil
}
