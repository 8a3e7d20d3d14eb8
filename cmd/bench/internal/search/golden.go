package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// evalTool is an MCP tool definition.
type evalTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
}

// lastPart returns "read_file" for "filesystem:read_file".
func (t evalTool) lastPart() string { return t.Name[strings.LastIndex(t.Name, ":")+1:] }

// readEvalTools reads golden_tools.json of the evaluation set (-retrieval).
func readEvalTools(file string) ([]evalTool, error) {
	var content struct {
		Tools []struct {
			ID          string `json:"tool_id"`
			Description string
			Schema      json.RawMessage
		}
	}
	if err := readJSON(file, &content); err != nil {
		return nil, err
	}
	tools := make([]evalTool, len(content.Tools))
	for i, t := range content.Tools {
		tools[i] = evalTool{t.ID, t.Description, t.Schema}
	}
	return tools, nil
}

// evalQuery is a question and the tools that answer it.
type evalQuery struct {
	text     string
	relevant []string
}

// recall returns the share of the relevant tools that were found.
func (q evalQuery) recall(found []string) float64 {
	hits := 0
	for _, name := range found {
		if slices.Contains(q.relevant, name) {
			hits++
		}
	}
	return float64(hits) / float64(len(q.relevant))
}

// reciprocalRank returns 1/n if the first relevant tool is in place n, or 0 if
// there is none.
func (q evalQuery) reciprocalRank(found []string) float64 {
	at := slices.IndexFunc(found, func(name string) bool { return slices.Contains(q.relevant, name) })
	if at < 0 {
		return 0
	}
	return 1 / float64(at+1)
}

// readEvalQueries reads golden_queries.json of the evaluation set. A tool with
// a relevance of 1 or more is relevant.
func readEvalQueries(file string) ([]evalQuery, error) {
	var content struct {
		Queries []struct {
			Query  string
			Labels []struct {
				Tool      string `json:"tool_id"`
				Relevance int
			}
		}
	}
	if err := readJSON(file, &content); err != nil {
		return nil, err
	}
	queries := make([]evalQuery, len(content.Queries))
	for i, q := range content.Queries {
		queries[i].text = q.Query
		for _, l := range q.Labels {
			if l.Relevance >= 1 {
				queries[i].relevant = append(queries[i].relevant, l.Tool)
			}
		}
	}
	return queries, nil
}

func readJSON(file string, into any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

func writeJSON(file string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o600)
}

// typo returns word with one mistake: a letter omitted, added or replaced, or
// two letters swapped. The first letter stays. The word must be ASCII with at
// least three letters.
func typo(word string, r *rand.Rand) string {
	at := 1 + r.IntN(len(word)-2)
	other := string(rune('a' + r.IntN(26)))
	for other == word[at:at+1] {
		other = string(rune('a' + r.IntN(26)))
	}
	switch r.IntN(4) {
	case 0:
		return word[:at] + word[at+1:]
	case 1:
		return word[:at] + other + word[at:]
	case 2:
		return word[:at] + other + word[at+1:]
	}
	if word[at] == word[at+1] {
		return word[:at] + word[at+1:]
	}
	return word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
}
