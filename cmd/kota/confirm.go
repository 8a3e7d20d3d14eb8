package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"kota/entrypoint"
	"kota/metadata"
)

// confirm asks on the terminal before a call that cannot be undone or reaches
// others. It is nil where nobody sits at one.
func (a *app) confirm() func(context.Context, entrypoint.Request) error {
	if !a.atTerminal() {
		return nil
	}
	return func(ctx context.Context, q entrypoint.Request) error {
		fmt.Fprintf(a.stderr, "%s\n\nGo on? [y/N] ", q.Show().Text)
		answer, err := bufio.NewReader(a.input(ctx)).ReadString('\n')
		if ctx.Err() != nil {
			fmt.Fprintln(a.stderr) // the line of the question is not ended
		}
		if err != nil || ctx.Err() != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") {
			return metadata.Errorf(metadata.Refused, "%s was not confirmed: nothing was done", q.Action.Tool)
		}
		return nil
	}
}
