package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tiktoken-go/tokenizer/codec"
)

// discoveries are asked of kota_discover_bundles; the most expensive answer
// counts.
var discoveries = []string{
	"remember a preference", "what did I tell you about Anna", "forget everything about my old job", "undo my last change",
	"which categories are there", "search memories by tag", "list what I saved last week", "add a phone number to a contact",
	"store a value under a key", "show the history of a memory",
}

// measureTokens counts o200k tokens of what a client's model has to read.
func measureTokens(ctx context.Context, b *bench) ([]row, error) {
	home := filepath.Join(b.scratch, "tokens")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte("bundles: {memory: on, gmail: on}\n"), 0o600); err != nil {
		return nil, err
	}
	p, err := spawn(ctx, []string{"KOTA_HOME=" + home}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	if err := p.hello(); err != nil {
		return nil, err
	}
	count := codec.NewO200kBase().Count
	tools, err := listTools(p)
	if err != nil {
		return nil, err
	}
	perBundle, number := map[string]int{}, map[string]int{}
	for _, tool := range tools {
		n, err := count(string(tool.json))
		if err != nil {
			return nil, err
		}
		bundle, _, _ := strings.Cut(tool.name, "_")
		perBundle[bundle] += n
		number[bundle]++
	}
	most, dearest := 0, ""
	for _, query := range discoveries {
		text, err := toolText(p, call("kota_discover_bundles", object{"query": query, "limit": 5}))
		if err != nil {
			return nil, err
		}
		n, err := count(text)
		if err != nil {
			return nil, err
		}
		if n > most {
			most, dearest = n, query
		}
	}
	return []row{
		judged("the kota tools in tools/list", "≤ 1,000 tokens (o200k)", perBundle["kota"] <= 1000, "%d tokens, %d tools", perBundle["kota"], number["kota"]),
		judged("the memory tools in tools/list", "≤ 2,200 tokens (o200k)", perBundle["memory"] <= 2200, "%d tokens, %d tools", perBundle["memory"], number["memory"]),
		judged("the gmail tools in tools/list", "≤ 5,000 tokens (o200k)", perBundle["gmail"] <= 5000, "%d tokens, %d tools", perBundle["gmail"], number["gmail"]),
		judged("a discover answer with five actions", "≤ 400 tokens (o200k)", most <= 400, "%d tokens at worst of %d queries (%q)", most, len(discoveries), dearest),
	}, p.stop()
}

// A listedTool is a tool as tools/list sends it.
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

// toolText is the text of the answer to a call.
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
