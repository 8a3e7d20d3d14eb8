// Package catalog searches a file with the tool definitions of another MCP
// server. It uses the search engine of KOTA's own discovery. Begin with Search.
package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/metadata"
	"kota/metadata/search"
)

// Answer has some of the fields of an answer of kota_discover_bundles.
type Answer struct {
	Actions []action `json:"actions"`

	tools int // the number of tools in the catalogue
}

type action struct {
	Tool      string  `json:"tool_name"`
	Summary   string  `json:"summary,omitempty"`
	Signature string  `json:"signature"`
	Score     float64 `json:"score"`
	Why       string  `json:"why"`
}

// Search searches a file of MCP tool definitions. It returns a usage error if
// the file is not such a catalogue, or if the query is empty. It returns when
// ctx ends, even if the file cannot be read to its end.
func Search(ctx context.Context, file, query string, limit int) (Answer, error) {
	type result struct {
		answer Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := searchFile(file, query, limit)
		done <- result{answer, err}
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-ctx.Done():
		return Answer{}, errors.New("the search was interrupted")
	}
}

func searchFile(file, query string, limit int) (Answer, error) {
	if strings.TrimSpace(query) == "" {
		return Answer{}, mistake.Errorf("--catalog needs a query")
	}
	raw, err := readCatalogue(file)
	if err != nil {
		return Answer{}, err
	}
	entries, schemas, err := search.ParseCatalogue(raw)
	if err != nil {
		return Answer{}, mistake.Errorf("%s: %s", file, plainMessage(err))
	}
	answer := Answer{Actions: []action{}, tools: len(entries)}
	for _, hit := range search.NewIndex(entries, search.Options{Meaning: true}).Search(query, limit) {
		e := entries[hit.Entry]
		text, err := signature(e.Tool, schemas[hit.Entry])
		if err != nil {
			return Answer{}, mistake.Errorf("%s: tool %q: %s", file, e.Tool, plainMessage(err))
		}
		answer.Actions = append(answer.Actions, action{
			Tool: e.Tool, Summary: e.Summary, Score: hit.Score, Why: hit.MatchKind,
			Signature: text,
		})
	}
	return answer, nil
}

// Print prints an answer for people.
func (answer Answer) Print(w io.Writer, file string) {
	if len(answer.Actions) == 0 {
		fmt.Fprintf(w, "None of %s in %s matches.\n", metadata.CountOf(answer.tools, "tool"), file)
	}
	for _, action := range answer.Actions {
		fmt.Fprintf(w, "%.2f  %s\n", action.Score, term.Printable(action.Signature))
	}
}

// plainMessage returns the message and the hint of an error. It omits the code,
// which is for programs.
func plainMessage(err error) string {
	var answer *metadata.Error
	if !errors.As(err, &answer) {
		return err.Error()
	}
	if answer.Hint == "" {
		return answer.Message
	}
	return answer.Message + "; " + answer.Hint
}

// signature returns the signature of a tool, which may have no schema.
func signature(tool string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return tool + "()", nil
	}
	schema, err := metadata.ParseSchema(raw)
	if err != nil {
		return "", err
	}
	return metadata.Signature(tool, schema), nil
}

// readCatalogue reads a file of at most 64 MiB.
func readCatalogue(path string) ([]byte, error) {
	const maxBytes = 64 << 20
	file, err := mistake.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, mistake.Errorf("%s", mistake.FileProblem(err, path))
	}
	if len(raw) > maxBytes {
		return nil, mistake.Errorf("%s is larger than %d MiB", path, maxBytes>>20)
	}
	return raw, nil
}
