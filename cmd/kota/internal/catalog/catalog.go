// Package catalog searches files with the tool definitions of other MCP
// servers. It uses the search engine of KOTA's own discovery. Begin with Search.
package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/metadata"
	"kota/metadata/search"
)

// Answer has some of the fields of an answer of kota_discover_bundles.
type Answer struct {
	Actions []action `json:"actions"`
	Notes   []string `json:"notes,omitempty"` // what the files lack

	tools int      // in all files
	files []string // as the user named them
}

type action struct {
	Server    string  `json:"server,omitempty"` // its file, if there are several
	Tool      string  `json:"tool_name"`
	Summary   string  `json:"summary,omitempty"`
	Signature string  `json:"signature"`
	Score     float64 `json:"score"`
	Why       string  `json:"why"`
	Note      string  `json:"note,omitempty"` // why the signature lacks the arguments
}

// Search searches files of MCP tool definitions; "-" is stdin. It returns a
// usage error if a file is not such a catalogue, or if the query is empty. It
// returns when ctx ends, even if a file cannot be read to its end.
func Search(ctx context.Context, files []string, stdin io.Reader, query string, limit int) (Answer, error) {
	type result struct {
		answer Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := searchFiles(files, stdin, query, limit)
		done <- result{answer, err}
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-ctx.Done():
		return Answer{}, errors.New("the search was interrupted")
	}
}

func searchFiles(files []string, stdin io.Reader, query string, limit int) (Answer, error) {
	if strings.TrimSpace(query) == "" {
		return Answer{}, mistake.Errorf("--catalog needs a query")
	}
	list, notes, err := readServers(files, stdin)
	if err != nil {
		return Answer{}, err
	}
	entries := make([]search.Entry, len(list))
	for i, t := range list {
		entries[i] = t.entry
	}
	answer := Answer{Actions: []action{}, Notes: notes, tools: len(list), files: files}
	for _, hit := range search.NewIndex(entries, search.Options{Meaning: true}).Search(query, limit) {
		t := list[hit.Entry]
		text, note := signature(t.name, t.schema)
		answer.Actions = append(answer.Actions, action{
			Server: t.server, Tool: t.name, Summary: t.entry.Summary, Signature: text,
			Score: hit.Score, Why: hit.MatchKind, Note: note,
		})
	}
	return answer, nil
}

// Print prints an answer for people: each tool on a line, with its summary on
// the next.
func (answer Answer) Print(w io.Writer) {
	var names []string
	for _, file := range answer.files {
		names = append(names, shown(file))
	}
	where := strings.Join(names, ", ")
	switch {
	case answer.tools == 0:
		fmt.Fprintf(w, "%s: no tools.\n", where)
	case len(answer.Actions) == 0:
		fmt.Fprintf(w, "None of %s in %s matches.\n", metadata.CountOf(answer.tools, "tool"), where)
	}
	for _, action := range answer.Actions {
		line := action.Signature
		if action.Server != "" {
			line = action.Server + ": " + line
		}
		fmt.Fprintf(w, "%.2f  %s\n", action.Score, term.Printable(shorten(line, 600)))
		for _, more := range []string{action.Summary, action.Note} {
			if more != "" {
				fmt.Fprintf(w, "      %s\n", term.Printable(shorten(more, 160)))
			}
		}
	}
	for _, note := range answer.Notes {
		fmt.Fprintf(w, "\n%s\n", note)
	}
}

// shorten cuts a text of others, which may be a page.
func shorten(text string, maxRunes int) string {
	if runes := []rune(text); len(runes) > maxRunes {
		return string(runes[:maxRunes]) + "…"
	}
	return text
}

// signature returns the signature of a tool, which may have no schema. If the
// schema cannot be read, the signature has only the names of the arguments, if any, and the note
// says why.
func signature(tool string, raw json.RawMessage) (text, note string) {
	if len(raw) == 0 {
		return tool + "()", ""
	}
	schema, err := metadata.ParseSchema(raw)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "parse schema: ")
		var object struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if json.Unmarshal(raw, &object) != nil || len(object.Properties) == 0 {
			return tool + "(" + metadata.Elided + ")", "KOTA cannot show its arguments: " + why
		}
		return tool + "(" + strings.Join(slices.Sorted(maps.Keys(object.Properties)), ", ") + ")", "KOTA shows only the names of its arguments: " + why
	}
	return metadata.Signature(tool, schema), ""
}
