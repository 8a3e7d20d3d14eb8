package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// goldenTool is an MCP tool definition.
type goldenTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
}

// lastPart returns "read_file" for "filesystem:read_file".
func (t goldenTool) lastPart() string { return t.Name[strings.LastIndex(t.Name, ":")+1:] }

// readGoldenTools reads tool definitions in the set's own format.
func readGoldenTools(file string) ([]goldenTool, error) {
	var golden struct {
		Tools []struct {
			ID          string `json:"tool_id"`
			Description string
			Schema      json.RawMessage
		}
	}
	if err := readJSON(file, &golden); err != nil {
		return nil, err
	}
	tools := make([]goldenTool, len(golden.Tools))
	for i, t := range golden.Tools {
		tools[i] = goldenTool{t.ID, t.Description, t.Schema}
	}
	return tools, nil
}

// goldenQuery is a question and the tools that answer it.
type goldenQuery struct {
	text     string
	relevant []string
}

func (q goldenQuery) recall(found []string) float64 {
	hits := 0
	for _, name := range found {
		if slices.Contains(q.relevant, name) {
			hits++
		}
	}
	return float64(hits) / float64(len(q.relevant))
}

func (q goldenQuery) reciprocalRank(found []string) float64 {
	at := slices.IndexFunc(found, func(name string) bool { return slices.Contains(q.relevant, name) })
	if at < 0 {
		return 0
	}
	return 1 / float64(at+1)
}

// readGoldenQueries reads the queries. A tool with a relevance of 1 or more is
// relevant.
func readGoldenQueries(file string) ([]goldenQuery, error) {
	var golden struct {
		Queries []struct {
			Query  string
			Labels []struct {
				Tool      string `json:"tool_id"`
				Relevance int
			}
		}
	}
	if err := readJSON(file, &golden); err != nil {
		return nil, err
	}
	queries := make([]goldenQuery, len(golden.Queries))
	for i, q := range golden.Queries {
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
