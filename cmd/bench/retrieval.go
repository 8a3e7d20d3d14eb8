package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// slipsPerName is how many misspellings of each name are tried.
const slipsPerName = 4

// measureRetrieval asks the golden set through the public command, one process
// a query. The project holds no copy of the set.
func measureRetrieval(ctx context.Context, b *bench) ([]row, error) {
	if b.retrieval == "" {
		return []row{
			{"Recall@5 on the golden set", "≥ 0.76", "not measured: no -retrieval FOLDER", noVerdict},
			{"exact-name hit@1", "1.0", "not measured: no -retrieval FOLDER", noVerdict},
			{"one-typo hit@1", "≥ 0.95", "not measured: no -retrieval FOLDER", noVerdict},
		}, nil
	}
	tools, err := readGoldenTools(filepath.Join(b.retrieval, "golden_tools.json"))
	if err != nil {
		return nil, err
	}
	asked, err := readGoldenQueries(filepath.Join(b.retrieval, "golden_queries.json"))
	if err != nil {
		return nil, err
	}
	e := engine{kota: b.kota, catalogue: filepath.Join(b.scratch, "tools.json")}
	if err := writeJSON(e.catalogue, tools); err != nil {
		return nil, err
	}
	recall, reciprocal := 0.0, 0.0
	for _, question := range asked {
		found, err := e.discover(ctx, question.text, 10)
		if err != nil {
			return nil, err
		}
		recall += question.recall(found[:min(5, len(found))]) / float64(len(asked))
		reciprocal += question.reciprocalRank(found) / float64(len(asked))
	}
	exact, err := e.hits(ctx, exactNames(tools))
	if err != nil {
		return nil, err
	}
	misspelt, err := e.hits(ctx, misspeltNames(tools))
	if err != nil {
		return nil, err
	}
	return []row{
		judged("Recall@5 on the golden set", "≥ 0.76", recall >= .76, "%.3f (%d questions, %d tools)", recall, len(asked), len(tools)),
		informed("MRR@10 on the golden set", "%.3f", reciprocal),
		judged("exact-name hit@1", "1.0", exact.right == exact.tried, "%s", exact),
		judged("one-typo hit@1", "≥ 0.95", misspelt.share() >= .95, "%s, %d made-up typos a name", misspelt, slipsPerName),
	}, nil
}

// An engine is `kota discover` over a file of tools.
type engine struct{ kota, catalogue string }

// discover returns the names of at most limit tools, best first.
func (e engine) discover(ctx context.Context, query string, limit int) ([]string, error) {
	command := exec.CommandContext(ctx, e.kota, "discover", "--catalog", e.catalogue, "--limit", strconv.Itoa(limit), "--json", query)
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("kota discover %q: %w", query, err)
	}
	var answer struct {
		Actions []struct {
			Tool string `json:"tool_name"`
		}
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("kota discover %q: %w", query, err)
	}
	names := make([]string, len(answer.Actions))
	for i, a := range answer.Actions {
		names[i] = a.Tool
	}
	return names, nil
}

// A naming is a query that means one tool.
type naming struct{ query, tool string }

// A score counts the queries whose first answer was right.
type score struct {
	right, tried int
	wrong        string // one that was not
}

func (s score) share() float64 { return float64(s.right) / float64(s.tried) }

func (s score) String() string {
	text := fmt.Sprintf("%.3f (%d of %d)", s.share(), s.right, s.tried)
	if s.wrong != "" {
		text += fmt.Sprintf(", not %q", s.wrong)
	}
	return text
}

func (e engine) hits(ctx context.Context, namings []naming) (score, error) {
	s := score{tried: len(namings)}
	for _, n := range namings {
		found, err := e.discover(ctx, n.query, 1)
		if err != nil {
			return score{}, err
		}
		if len(found) == 1 && found[0] == n.tool {
			s.right++
		} else {
			s.wrong = n.query
		}
	}
	return s, nil
}

// exactNames are whole tool names, and their last parts.
func exactNames(tools []goldenTool) []naming {
	var namings []naming
	for _, t := range tools {
		namings = append(namings, naming{t.Name, t.Name}, naming{t.lastPart(), t.Name})
	}
	return namings
}

func misspeltNames(tools []goldenTool) []naming {
	r := rand.New(rand.NewPCG(3, 5))
	var namings []naming
	for _, t := range tools {
		for range slipsPerName {
			namings = append(namings, naming{typo(t.Name, r), t.Name})
		}
	}
	return namings
}

// A goldenTool is an MCP tool definition.
type goldenTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
}

// lastPart is "read_file" of "filesystem:read_file".
func (t goldenTool) lastPart() string { return t.Name[strings.LastIndex(t.Name, ":")+1:] }

// readGoldenTools reads the set's own form of tool definitions.
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

// A goldenQuery is a question and the tools that answer it.
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

// readGoldenQueries takes as relevant what is labelled 1 or more.
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
