package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/metadata"
)

// The same call gets the same answer through every channel.
func TestEveryChannelReturnsSameAnswer(t *testing.T) {
	home := t.TempDir()
	kotaOutput(t, home, "call", "memory_set", "key=theme", "value=dark", "category=preferences")

	p := serveIn(t, home)
	for _, request := range []string{
		toolCall("discover by tool", "kota_discover_bundles", object{}),
		toolCall("search by tool", "kota_discover_bundles", object{"query": "recall a preference"}),
		toolCall("describe by tool", "kota_describe_bundle", object{"bundle": "memory"}),
		toolCall("spec by tool", "kota_describe_bundle", object{"bundle": "memory", "detail": "spec"}),
		toolCall("read by tool", "memory_list", object{"prefix": "the"}),
		toolCall("read by entry point", "kota_entry_point", object{"bundle": "memory", "action": "list", "args": object{"prefix": "the"}}),
		toolCall("read by kota_read", "kota_read", object{"bundle": "memory", "action": "list", "args": object{"prefix": "the"}}),
		requestLine("bundles by resource", "resources/read", object{"uri": "kota://bundles"}),
		requestLine("bundle by resource", "resources/read", object{"uri": "kota://bundles/memory"}),
		requestLine("context by resource", "resources/read", object{"uri": "kota://context"}),
		requestLine("whole context by resource", "resources/read", object{"uri": "kota://context/0"}),
		requestLine("no budget", "resources/read", object{"uri": "kota://context/lots"}),
		requestLine("guide", "prompts/get", object{"name": "kota_guide"}),
	} {
		p.send(request)
	}
	answers := p.end()
	byTool := func(name string) any { return parseJSON(t, string(answers[name].call(t).StructuredContent)) }
	byResource := func(name string) string {
		var read struct{ Contents []struct{ Text string } }
		if err := json.Unmarshal(answers[name].Result, &read); err != nil || len(read.Contents) != 1 {
			t.Fatalf("%s: %v %s", name, err, answers[name].Result)
		}
		return read.Contents[0].Text
	}
	cli := func(args ...string) any { return parseJSON(t, kotaOutput(t, home, args...)) }

	for question, answers := range map[string]map[string]any{
		"which bundles are there": {
			"the tool": byTool("discover by tool"), "the resource": parseJSON(t, byResource("bundles by resource")),
			"kota discover": cli("discover", "--json"), "kota call": cli("call", "kota_discover_bundles"),
		},
		"what recalls a preference": {
			"the tool": byTool("search by tool"), "kota discover": cli("discover", "--json", "recall a preference"),
		},
		"what is memory": {
			"the tool": byTool("describe by tool"), "the resource": parseJSON(t, byResource("bundle by resource")),
			"kota describe": cli("describe", "memory", "--json"),
		},
		"what is memory, on level 2": {
			"the tool": byTool("spec by tool"), "kota describe": cli("describe", "memory", "--detail", "spec", "--json"),
		},
		"what is remembered": {
			"the tool": byTool("read by tool"), "the entry point": byTool("read by entry point"), "kota_read": byTool("read by kota_read"),
			"kota call": cli("call", "memory_list", "prefix=the"), "the text of the tool": parseJSON(t, answers["read by tool"].call(t).text()),
		},
		"what can be done": {
			"the resource": byResource("context by resource"), "kota context": kotaOutput(t, home, "context", "--budget", "4000"),
		},
		"what can be done, in full": {
			"the resource": byResource("whole context by resource"), "kota context": kotaOutput(t, home, "context"),
		},
	} {
		first := ""
		for channel := range answers {
			if first == "" || channel < first {
				first = channel
			}
		}
		for channel, answer := range answers {
			if diff := cmp.Diff(answers[first], answer); diff != "" {
				t.Errorf("%s: %s answers not as %s (-%s +%s):\n%s", question, channel, first, first, channel, diff)
			}
		}
	}

	whole := byResource("whole context by resource")
	for _, key := range []string{"memory", "daily"} {
		if page := kotaOutput(t, home, "describe", key); !strings.Contains(whole, page) {
			t.Errorf("the context does not hold what kota describe %s prints", key)
		}
	}
	if of := metadata.Tokens(byResource("context by resource")); of > 4000 {
		t.Errorf("kota://context has %d tokens", of)
	}
	if output := fmt.Sprint(answers["no budget"].Error); !strings.Contains(output, "not a number of tokens") {
		t.Errorf("a budget that is no number: got %s", output)
	}
	guide := string(answers["guide"].Result)
	for _, word := range []string{"kota_discover_bundles", "kota_describe_bundle", "kota_read", "kota_entry_point", "daily_plan, daily_review", "memory (9 actions)", "reads, writes"} {
		if !strings.Contains(guide, word) {
			t.Errorf("the guide does not speak of %q:\n%s", word, guide)
		}
	}
}

func requestLine(id, method string, params object) string {
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		panic(err) // it holds only strings
	}
	return string(line) + "\n"
}

func parseJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func TestGuideDescribesProfile(t *testing.T) {
	for config, want := range map[string]string{"profile: read-only": "these effects: reads. The profile", "bundles: {daily: off}": "these effects: reads, writes, destroys, sends."} {
		home := t.TempDir()
		writeFile(t, home+"/bundles.yaml", []byte(config+"\n"))
		p := serveIn(t, home)
		p.send(requestLine("guide", "prompts/get", object{"name": "kota_guide"}))
		guide := string(p.end()["guide"].Result)
		if !strings.Contains(guide, want) || strings.Contains(guide, "daily_plan") {
			t.Errorf("%s: got %s", config, guide)
		}
	}
}
