package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"kota/metadata"
)

// confirm asks on the terminal before a call that cannot be undone or reaches
// others. It is nil where nobody sits at one: a script has decided already.
func (a *app) confirm() func(context.Context, metadata.Action, metadata.Effect) error {
	if !isTerminal(a.stdin) || !isTerminal(a.stderr) {
		return nil
	}
	return func(_ context.Context, action metadata.Action, effect metadata.Effect) error {
		what := "cannot be undone"
		if effect == metadata.Sends {
			what = "reaches other people"
		}
		fmt.Fprintf(a.stderr, "%s: this %s. Go on? [y/N] ", action.Tool, what)
		answer, err := bufio.NewReader(a.stdin).ReadString('\n')
		if err != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") {
			return metadata.Errorf(metadata.Refused, "%s was not confirmed: nothing was done", action.Tool)
		}
		return nil
	}
}
