package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tiktoken-go/tokenizer/codec"

	"kota/cmd/bench/internal/report"
)

// discoverQueries are queries for kota_discover_bundles. The largest answer
// counts.
var discoverQueries = []string{
	"remember a preference", "what did I tell you about Anna", "forget everything about my old job", "undo my last change",
	"which categories are there", "search memories by tag", "list what I saved last week", "add a phone number to a contact",
	"store a value under a key", "show the history of a memory",
}

// measureTokens counts the o200k tokens that a client's model must read. It counts
// tools/list with all bundles. It counts the answers of kota_discover_bundles with
// the default bundles and with all bundles.
func measureTokens(ctx context.Context, b *bench) ([]report.Row, error) {
	defaults, err := b.countTokens(ctx, "usual", "{}")
	if err != nil {
		return nil, err
	}
	all, err := b.countTokens(ctx, "all", everyBundle)
	if err != nil {
		return nil, err
	}
	modes, err := b.listings(ctx)
	if err != nil {
		return nil, err
	}
	return append([]report.Row{
		all.listingRow("kota", 1000),
		all.listingRow("memory", 2200),
		all.listingRow("gmail", 5000),
		all.listingRow("calendar", 4500),
		all.listingRow("daily", 2500),
		report.AtMost("a discover answer with five actions", "≤ 400 tokens (o200k)", defaults.maxDiscover, 400, "%d tokens at worst of %d queries (%q)", defaults.maxDiscover, len(discoverQueries), defaults.costliestQuery),
		report.Info("a discover answer with five actions, all bundles on", "%d tokens at worst (%q)", all.maxDiscover, all.costliestQuery),
	}, modes...), nil
}

// tokenCount is the result for one home.
type tokenCount struct {
	tokens, tools  map[string]int // tokens and number of tools in the listing, by bundle
	maxDiscover    int            // tokens of the largest discover answer
	costliestQuery string         // the query with that answer
}

func (c tokenCount) listingRow(bundle string, most int) report.Row {
	return report.AtMost("the "+bundle+" tools in tools/list", "≤ "+report.GroupDigits(most)+" tokens (o200k)", c.tokens[bundle], most,
		"%d tokens, %d tools", c.tokens[bundle], c.tools[bundle])
}

// countTokens counts the tokens that a server sends. The server has a new home,
// whose folder is named after name, with config as its bundles.yaml.
func (b *bench) countTokens(ctx context.Context, name, config string) (tokenCount, error) {
	c := tokenCount{tokens: map[string]int{}, tools: map[string]int{}}
	home := filepath.Join(b.scratch, "tokens-"+name)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return c, err
	}
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte(config+"\n"), 0o600); err != nil {
		return c, err
	}
	p, err := startPeer(ctx, []string{"KOTA_HOME=" + home}, b.kota, "serve")
	if err != nil {
		return c, err
	}
	if err := p.handshake(); err != nil {
		return c, err
	}
	count := codec.NewO200kBase().Count
	tools, err := listTools(p)
	if err != nil {
		return c, err
	}
	for _, tool := range tools {
		n, err := count(string(tool.json))
		if err != nil {
			return c, err
		}
		bundle, _, _ := strings.Cut(tool.name, "_")
		c.tokens[bundle] += n
		c.tools[bundle]++
	}
	for _, query := range discoverQueries {
		text, err := toolText(p, call("kota_discover_bundles", object{"query": query, "limit": 5}))
		if err != nil {
			return c, err
		}
		n, err := count(text)
		if err != nil {
			return c, err
		}
		if n > c.maxDiscover {
			c.maxDiscover, c.costliestQuery = n, query
		}
	}
	return c, p.stop()
}

// listedTool is a tool as tools/list sends it.
type listedTool struct {
	name string
	json json.RawMessage
}

func listTools(p *peer) ([]listedTool, error) {
	line, err := p.ask(toolsList)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, fmt.Errorf("read tools/list: %w", err)
	}
	tools := make([]listedTool, len(answer.Result.Tools))
	for i, raw := range answer.Result.Tools {
		var named struct{ Name string }
		if err := json.Unmarshal(raw, &named); err != nil {
			return nil, fmt.Errorf("read tool %d: %w", i, err)
		}
		tools[i] = listedTool{named.Name, raw}
	}
	return tools, nil
}

// toolText returns the text of the answer to a call.
func toolText(p *peer, line []byte) (string, error) {
	line, err := p.ask(line)
	if err != nil {
		return "", err
	}
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return "", err
	}
	text := ""
	for _, part := range answer.Result.Content {
		text += part.Text
	}
	return text, nil
}

// everyBundle is the line of bundles.yaml that enables all bundles.
const everyBundle = "bundles: {memory: on, daily: on, gmail: on, calendar: on}"

// autoBudget is the default tool_budget_tokens.
const autoBudget = 4000

// listings counts the o200k tokens of tools/list in each mode except `all`,
// with every bundle enabled and an unused home.
func (b *bench) listings(ctx context.Context) ([]report.Row, error) {
	rows := []report.Row{}
	for _, mode := range []struct {
		expose string
		most   int
	}{{"discovery", 1000}, {"core", 1500}, {"auto", autoBudget}} {
		c, err := b.countTokens(ctx, mode.expose, "expose: "+mode.expose+"\n"+everyBundle)
		if err != nil {
			return nil, err
		}
		tokens, tools := c.totals()
		rows = append(rows, report.AtMost("all of tools/list under `expose: "+mode.expose+"`", "≤ "+report.GroupDigits(mode.most)+" tokens (o200k)", tokens, mode.most,
			"%d tokens, %d tools", tokens, tools))
	}
	return rows, nil
}

// totals returns the tokens and the number of tools of the whole listing.
func (c tokenCount) totals() (tokens, tools int) {
	for bundle := range c.tokens {
		tokens += c.tokens[bundle]
		tools += c.tools[bundle]
	}
	return tokens, tools
}
