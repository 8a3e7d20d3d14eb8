package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/memory"
	"kota/cmd/bench/internal/report"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
)

const (
	hungCalls  = 200
	hungRounds = 300
)

// measureHung measures how long ping, tools/list and memory_get take while
// hungCalls other calls wait for a Google that does not answer.
func measureHung(ctx context.Context, b *bench) ([]report.Row, error) {
	google, err := mailServer()
	if err != nil {
		return nil, err
	}
	defer google.Close()
	mail, err := b.mailbox(ctx, google, google.HTTPClient(mailAddress), hungCalls)
	if err != nil {
		return nil, err
	}
	defer mail.close()
	memoryBundle := memory.New(memory.Deps{Memories: memoryOpener(mail.db), Now: time.Now})
	memoryBundle.Enabled = true
	router, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{memoryBundle, mail.bundle}})
	if err != nil {
		return nil, err
	}
	p, hangUp := newLocalPeer(ctx, router)
	defer hangUp()
	if err := p.handshake(); err != nil {
		return nil, err
	}
	if _, err := p.ask(call("memory_set", object{"key": "theme", "value": "dark"})); err != nil {
		return nil, err
	}
	google.Fault(bundletest.GoogleFault{Answer: bundletest.GoogleHang})
	for i := range hungCalls {
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":"hung %d","method":"tools/call","params":{"name":"gmail_search_messages","arguments":{"query":"in:inbox"}}}`+"\n", i)
		if _, err := io.WriteString(p.stdin, line); err != nil {
			return nil, err
		}
	}
	var rows []report.Row
	for _, asked := range []struct {
		what string
		line []byte
	}{{"ping", request("ping", object{})}, {"tools/list", toolsList}, {"memory_get", call("memory_get", object{"query": "theme"})}} {
		took := make([]time.Duration, hungRounds)
		for i := range took {
			if took[i], err = p.timeAsk(asked.line); err != nil {
				return nil, fmt.Errorf("%s: %w", asked.what, err)
			}
		}
		longest := report.Quantile(took, 1)
		rows = append(rows, report.AtMost(fmt.Sprintf("%s while %d calls hang at Google, longest of %d", asked.what, hungCalls, hungRounds), "< 100 ms", longest, 100*time.Millisecond,
			"%.1f ms (p50 %.2f ms)", report.Ms(longest), report.Ms(report.Median(took))))
	}
	return rows, nil
}

// newLocalPeer starts an MCP server for the router in this process and returns
// a peer that is connected to it by pipes. hangUp closes the connection and
// waits until the server has ended.
func newLocalPeer(ctx context.Context, router *entrypoint.Router) (p *peer, hangUp func()) {
	ctx, cancel := context.WithCancel(ctx)
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = mcpserver.New(router, mcpserver.Options{}).ServeStdio(ctx, in, out, slog.New(slog.DiscardHandler))
	}()
	return &peer{stdin: asks, stdout: bufio.NewReaderSize(answers, 1<<20)}, func() {
		cancel()
		answers.Close()
		<-served
	}
}
