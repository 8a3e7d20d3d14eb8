package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/metadata/search"
)

// A foreignAnswer has the shape of our own, for catalogues that are not ours.
type foreignAnswer struct {
	Actions []foreignAction `json:"actions"`
}

type foreignAction struct {
	Tool      string  `json:"tool_name"`
	Summary   string  `json:"summary,omitempty"`
	Signature string  `json:"signature"`
	Score     float64 `json:"score"`
	Why       string  `json:"why"`
}

// discoverForeign searches a file of MCP tool definitions with the engine that
// serves the kota tools.
func discoverForeign(a *app.App, f discoverFlags, query string) error {
	if strings.TrimSpace(query) == "" {
		return mistake.Errorf("--catalog needs a query")
	}
	raw, err := readCatalogue(f.catalog)
	if err != nil {
		return err
	}
	entries, schemas, err := search.ParseCatalogue(raw)
	if err != nil {
		return mistake.Errorf("%s: %s", f.catalog, plainly(err))
	}
	answer := foreignAnswer{Actions: []foreignAction{}}
	for _, hit := range search.NewIndex(entries).Search(query, f.limit) {
		e := entries[hit.Entry]
		signature, err := foreignSignature(e.Tool, schemas[hit.Entry])
		if err != nil {
			return mistake.Errorf("%s: tool %q: %s", f.catalog, e.Tool, plainly(err))
		}
		answer.Actions = append(answer.Actions, foreignAction{
			Tool: e.Tool, Summary: e.Summary, Score: hit.Score, Why: hit.Why,
			Signature: signature,
		})
	}
	if f.json {
		return a.PrintJSON(answer)
	}
	if len(answer.Actions) == 0 {
		fmt.Fprintf(a.Stdout, "None of %s in %s fits.\n", metadata.Counted(len(entries), "tool"), f.catalog)
	}
	for _, action := range answer.Actions {
		fmt.Fprintf(a.Stdout, "%.2f  %s\n", action.Score, action.Signature)
	}
	return nil
}

// plainly is what an error says to people: without the code that is for
// programs, with its hint.
func plainly(err error) string {
	var answer *metadata.Error
	if !errors.As(err, &answer) {
		return err.Error()
	}
	if answer.Hint == "" {
		return answer.Message
	}
	return answer.Message + "; " + answer.Hint
}

// foreignSignature is that of a tool of somebody else's, which may have no
// schema at all.
func foreignSignature(tool string, raw json.RawMessage) (string, error) {
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
	const most = 64 << 20
	file, err := os.Open(path)
	if err != nil {
		return nil, mistake.Errorf("%v", err) // it names the act and the file
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, mistake.Errorf("%v", err)
	}
	if len(raw) > most {
		return nil, mistake.Errorf("%s is larger than %d MiB", path, most>>20)
	}
	return raw, nil
}
