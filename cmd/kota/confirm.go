package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"kota/entrypoint"
	"kota/metadata"
)

// confirm asks on the terminal before a call that cannot be undone or reaches
// others. It is nil where nobody sits at one: a script has decided already.
func (a *app) confirm() func(context.Context, entrypoint.Request) error {
	if !isTerminal(a.stdin) || !isTerminal(a.stderr) {
		return nil
	}
	return func(_ context.Context, q entrypoint.Request) error {
		showArguments(a.stderr, q.Action, q.Args)
		fmt.Fprintf(a.stderr, "%s: this %s. Go on? [y/N] ", q.Action.Tool, consequence(q))
		answer, err := bufio.NewReader(a.stdin).ReadString('\n')
		if err != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") {
			return metadata.Errorf(metadata.Refused, "%s was not confirmed: nothing was done", q.Action.Tool)
		}
		return nil
	}
}

// consequence is what the user has to weigh.
func consequence(q entrypoint.Request) string {
	switch {
	case q.Effect == metadata.Destroys:
		return "cannot be undone"
	case len(q.Outgoing.People) > 0:
		return "reaches " + printable(strings.Join(q.Outgoing.People, ", "))
	}
	return "reaches other people"
}

// showArguments writes what a call was given, an argument to a line, in the
// order that the action declares them.
func showArguments(w io.Writer, action metadata.Action, args json.RawMessage) {
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return // a call without arguments
	}
	for _, p := range action.Input.Params() {
		if value, ok := given[p.Name]; ok {
			fmt.Fprintf(w, "  %s: %s\n", p.Name, legible(value))
		}
	}
}

// mostShown is how many characters of an argument are shown; the first lines of
// a mail are enough to know it by.
const mostShown = 400

// legible is an argument as a person reads it.
func legible(value json.RawMessage) string {
	text := string(value)
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	return printable(text)
}

// printable is a text with nothing in it that could change what the terminal
// shows elsewhere.
func printable(text string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
	runes := []rune(strings.ReplaceAll(strings.TrimSpace(clean), "\n", "\n    "))
	if len(runes) > mostShown {
		return string(runes[:mostShown]) + "… (" + strconv.Itoa(len(runes)) + " characters)"
	}
	return string(runes)
}
