// Package term prints tables, JSON and progress for commands, and asks the user
// questions. It draws and asks only on a terminal. Its tables never send
// control sequences to the terminal. Begin with Terminal.
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

// Terminal holds the three streams of a program. It neither asks nor draws if
// they are pipes or files.
type Terminal struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// PrintJSON writes v to stdout as JSON that bundles.CleanJSON has cleaned. It
// writes indented JSON on a terminal, and otherwise one line.
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

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// CanAsk reports whether the user can be asked.
func (t Terminal) CanAsk() bool { return IsTerminal(t.Stdin) && IsTerminal(t.Stderr) }

// Confirm shows the user what will be done and reports whether they agree.
// Anything except y means no: another word, the end of the input, and the end
// of ctx.
func (t Terminal) Confirm(ctx context.Context, what string) bool {
	fmt.Fprintf(t.Stderr, "%s\n\nGo on? [y/N] ", what)
	answer, err := bufio.NewReader(t.Input(ctx)).ReadString('\n')
	if ctx.Err() != nil {
		fmt.Fprintln(t.Stderr) // end the line of the question
		return false
	}
	return err == nil && strings.EqualFold(strings.TrimSpace(answer), "y")
}
