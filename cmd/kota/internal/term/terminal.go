// Package term prints tables, JSON and progress for commands, and asks the user
// questions. It draws progress only on a terminal. Its tables never send
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
	"strconv"
	"strings"

	"golang.org/x/term"

	"kota/bundles"
	"kota/metadata"
)

// Terminal holds the three streams of a program. Progress draws only on a
// terminal, and CanAsk is false without one.
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

// Confirm shows the user what will be done and reports whether they agree. The
// caller must know that CanAsk is true. Only y and yes, on a whole line, mean yes.
// Another word, the end of the input and the end of ctx mean no.
func (t Terminal) Confirm(ctx context.Context, what string) bool {
	answer, err := t.Ask(ctx, what+"\n\nGo on? [y/N] ")
	if ctx.Err() != nil {
		return false
	}
	agreed, known := ParseAnswer(answer)
	if !known {
		fmt.Fprintf(t.Stderr, "%s is not y or n.\n", QuoteAnswer(answer))
	}
	return err == nil && agreed
}

// Ask shows a question and returns the line that the user types, without the
// spaces around it. It returns io.EOF at the end of the input, and the error of
// ctx when it ends. The caller must know that CanAsk is true.
func (t Terminal) Ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(t.Stderr, question)
	answer, err := bufio.NewReader(t.Input(ctx)).ReadString('\n')
	if err != nil {
		fmt.Fprintln(t.Stderr) // end the line of the question
	}
	return strings.TrimSpace(answer), err
}

// ParseAnswer reports whether the answer to a question agrees: y or yes, in any
// case. known is false for an answer that is neither yes nor no; no answer means
// no.
func ParseAnswer(answer string) (agreed, known bool) {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, true
	case "n", "no", "":
		return false, true
	}
	return false, false
}

// QuoteAnswer returns an answer in quotes, safe for the terminal.
func QuoteAnswer(answer string) string {
	return strconv.Quote(bundles.VisibleLine(strings.TrimSpace(answer)))
}
