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
		if !a.saysYes(ctx, q.Show().Text) {
			return metadata.Errorf(metadata.Refused, "%s was not confirmed: nothing was done", q.Action.Tool)
		}
		return nil
	}
}

// saysYes shows the user what is to be done, and reports whether they say yes to it.
// All else is a no: another word, the end of the input and the end of ctx.
func (a *app) saysYes(ctx context.Context, what string) bool {
	fmt.Fprintf(a.stderr, "%s\n\nGo on? [y/N] ", what)
	answer, err := bufio.NewReader(a.input(ctx)).ReadString('\n')
	if ctx.Err() != nil {
		fmt.Fprintln(a.stderr) // the line of the question is not ended
		return false
	}
	return err == nil && strings.EqualFold(strings.TrimSpace(answer), "y")
}
