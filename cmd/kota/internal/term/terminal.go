// Package term is how a command speaks with whoever started it: tables, JSON,
// questions and progress. It draws and asks on a terminal only; what it prints in a
// table never gives the terminal an order. Begin with Terminal.
package term

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"kota/bundles"
	"kota/metadata"
)

// A Terminal is the three streams of a program. Each may be a pipe or a file: then
// nobody is asked, and nothing is drawn.
type Terminal struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// PrintJSON writes v on stdout, clean: indented for people, on one line for
// programs.
func (t Terminal) PrintJSON(v any) error {
	raw, err := metadata.Plain(v)
	if err != nil {
		return err
	}
	text := bytes.NewBuffer(nil)
	if raw = bundles.CleanJSON(raw); !IsTerminal(t.Stdout) {
		text.Write(raw)
	} else if err := json.Indent(text, raw, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err = text.WriteTo(t.Stdout)
	return err
}

// IsTerminal reports whether a person is at the other end of a stream.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// CanAsk reports whether somebody can be asked.
func (t Terminal) CanAsk() bool { return IsTerminal(t.Stdin) && IsTerminal(t.Stderr) }

// Confirm shows the user what is to be done, and reports whether they say yes to it.
// All else is a no: another word, the end of the input and the end of ctx.
func (t Terminal) Confirm(ctx context.Context, what string) bool {
	fmt.Fprintf(t.Stderr, "%s\n\nGo on? [y/N] ", what)
	answer, err := bufio.NewReader(t.Input(ctx)).ReadString('\n')
	if ctx.Err() != nil {
		fmt.Fprintln(t.Stderr) // the line of the question is not ended
		return false
	}
	return err == nil && strings.EqualFold(strings.TrimSpace(answer), "y")
}
