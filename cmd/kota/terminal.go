package main

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

// A terminal is the three streams of a program. Each may be a pipe or a file: then
// nobody is asked, and nothing is drawn.
type terminal struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// printJSON writes v on stdout, clean: indented for people, on one line for
// programs.
func (t terminal) printJSON(v any) error {
	raw, err := metadata.Plain(v)
	if err != nil {
		return err
	}
	text := bytes.NewBuffer(nil)
	if raw = bundles.CleanJSON(raw); !isTerminal(t.stdout) {
		text.Write(raw)
	} else if err := json.Indent(text, raw, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err = text.WriteTo(t.stdout)
	return err
}

// isTerminal reports whether a person is at the other end of a stream.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// atTerminal reports whether somebody can be asked.
func (t terminal) atTerminal() bool { return isTerminal(t.stdin) && isTerminal(t.stderr) }

// saysYes shows the user what is to be done, and reports whether they say yes to it.
// All else is a no: another word, the end of the input and the end of ctx.
func (t terminal) saysYes(ctx context.Context, what string) bool {
	fmt.Fprintf(t.stderr, "%s\n\nGo on? [y/N] ", what)
	answer, err := bufio.NewReader(t.input(ctx)).ReadString('\n')
	if ctx.Err() != nil {
		fmt.Fprintln(t.stderr) // the line of the question is not ended
		return false
	}
	return err == nil && strings.EqualFold(strings.TrimSpace(answer), "y")
}
