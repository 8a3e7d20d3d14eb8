package search

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"

	"kota/cmd/bench/internal/report"
)

// typosPerName is how many misspellings of each name are tried.
const typosPerName = 4

// Retrieval measures `kota discover` with the queries of the evaluation
// set, one process per query. The project has no copy of the set.
func Retrieval(ctx context.Context, kota, folder, scratch string) ([]report.Row, error) {
	if folder == "" {
		const reason = "no -retrieval FOLDER"
		return []report.Row{
			report.Skipped("Recall@5 on the golden set", "≥ 0.76", reason),
			report.Skipped("exact-name hit@1", "1.0", reason),
			report.Skipped("one-typo hit@1", "≥ 0.95", reason),
		}, nil
	}
	tools, err := readEvalTools(filepath.Join(folder, "golden_tools.json"))
	if err != nil {
		return nil, err
	}
	asked, err := readEvalQueries(filepath.Join(folder, "golden_queries.json"))
	if err != nil {
		return nil, err
	}
	e := catalogSearch{kota: kota, catalogue: filepath.Join(scratch, "tools.json")}
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
	exact, err := e.scoreQueries(ctx, exactNames(tools))
	if err != nil {
		return nil, err
	}
	misspelt, err := e.scoreQueries(ctx, misspeltNames(tools))
	if err != nil {
		return nil, err
	}
	return []report.Row{
		report.AtLeast("Recall@5 on the golden set", "≥ 0.76", recall, .76, "%.3f (%d questions, %d tools)", recall, len(asked), len(tools)),
		report.Info("MRR@10 on the golden set", "%.3f", reciprocal),
		report.Verdict("exact-name hit@1", "1.0", exact.correct == exact.tried, "%s", exact),
		report.AtLeast("one-typo hit@1", "≥ 0.95", misspelt.share(), .95, "%s, %d made-up typos a name", misspelt, typosPerName),
	}, nil
}

// catalogSearch is `kota discover` over a file of tools.
type catalogSearch struct{ kota, catalogue string }

// discover returns the names of at most limit tools, best first.
func (e catalogSearch) discover(ctx context.Context, query string, limit int) ([]string, error) {
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

// namedQuery is a query for a tool by its name: the whole name, its last part, or
// a misspelling.
type namedQuery struct{ query, tool string }

// score is how many queries had the right tool as their first answer.
type score struct {
	correct, tried int
	wrongExample   string // the last query with a wrong answer; "" if all answers were right
}

func (s score) share() float64 { return float64(s.correct) / float64(s.tried) }

func (s score) String() string {
	text := fmt.Sprintf("%.3f (%d of %d)", s.share(), s.correct, s.tried)
	if s.wrongExample != "" {
		text += fmt.Sprintf(", not %q", s.wrongExample)
	}
	return text
}

func (e catalogSearch) scoreQueries(ctx context.Context, queries []namedQuery) (score, error) {
	s := score{tried: len(queries)}
	for _, q := range queries {
		found, err := e.discover(ctx, q.query, 1)
		if err != nil {
			return score{}, err
		}
		if len(found) == 1 && found[0] == q.tool {
			s.correct++
		} else {
			s.wrongExample = q.query
		}
	}
	return s, nil
}

// exactNames returns queries for whole tool names, and for their last parts.
func exactNames(tools []evalTool) []namedQuery {
	var queries []namedQuery
	for _, t := range tools {
		queries = append(queries, namedQuery{t.Name, t.Name}, namedQuery{t.lastPart(), t.Name})
	}
	return queries
}

func misspeltNames(tools []evalTool) []namedQuery {
	r := rand.New(rand.NewPCG(3, 5))
	var queries []namedQuery
	for _, t := range tools {
		for range typosPerName {
			queries = append(queries, namedQuery{typo(t.Name, r), t.Name})
		}
	}
	return queries
}
