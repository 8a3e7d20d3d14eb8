package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The value of a secret memory is only in the answer to a call for its key. Its
// encryption key is only where it is stored.
func TestSecretMemoryLeaksNowhere(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	settings := "log: debug\ngoogle: {tokens: file}\nbundles: {memory: {enabled: true}, daily: {enabled: true}}\n"
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(path ...string) string {
		raw, err := os.ReadFile(filepath.Join(append([]string{home}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	const canary = "canarysecretvalue"
	args := object{"key": "bank pin", "value": canary, "secret": true, "pinned": true, "ttl": "48h"}
	with := func(more object) object {
		all := object{}
		for _, some := range []object{args, more} {
			for name, value := range some {
				all[name] = value
			}
		}
		return all
	}
	lines, n := "", 0
	ask := func(tool string, args any) {
		n++
		lines += toolCall(n, tool, args)
	}
	request := func(method string, params object) {
		n++
		line, err := json.Marshal(object{"jsonrpc": "2.0", "id": n, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		lines += string(line) + "\n"
	}
	ask("memory_set", args)
	for _, wrong := range []object{{"importance": 9}, {"mode": "guess"}, {"mode": "create"}, {"if_version": 7}, {"tags": 7}, {"ttl": "soon"}, {"expires_at": "x"}, {"key": "\x00"}, {"values": "x"}} {
		ask("memory_set", with(wrong))
		ask("kota_entry_point", object{"bundle": "memory", "action": "set", "args": with(wrong)})
	}
	ask("memory_set", object{"key": "bank pin", "value": canary + " again"})
	ask("memory_update", object{"key": "bank pin", "addition": canary})
	ask("memory_update", object{"key": "bank pin", "addition": canary, "patch": object{}})
	ask("memory_update", object{"key": "nosuch", "addition": canary})
	calls := map[string]object{
		"memory_list": {}, "memory_search": {"query": "bank", "detail": "full"}, "memory_history": {"key": "bank pin"}, "memory_categories": {},
		"kota_discover_bundles": {"query": "bank pin"}, "daily_briefing": {}, "memory_delete": {"key": "bank pin"}, "memory_restore": {"key": "bank pin"},
	}
	for _, tool := range slices.Sorted(maps.Keys(calls)) { // it is deleted before it is restored
		ask(tool, calls[tool])
	}
	for _, uri := range []string{"memory://context", "memory://bank%20pin", "kota://context", "kota://context/0"} {
		request("resources/read", object{"uri": uri})
	}
	request("prompts/get", object{"name": "recall", "arguments": object{"about": "bank pin"}})
	request("completion/complete", object{"ref": object{"type": "ref/resource", "uri": "memory://{key}"}, "argument": object{"name": "key", "value": "bank"}})
	p := serveIn(t, home)
	p.send(lines)
	output := ""
	for id, answer := range p.end() {
		raw, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		output += fmt.Sprint(id, " ", string(raw), "\n")
	}
	output += p.stderr.String()

	key := struct{ Key string }{}
	if err := json.Unmarshal([]byte(read("tokens", "sealing.key")), &key); err != nil || len(key.Key) < 40 {
		t.Fatalf("there is no key to look for: %v", err)
	}
	asked := serveIn(t, home)
	asked.send(toolCall("get", "memory_get", object{"query": "bank pin"}))
	if got := asked.end()["get"].call(t).text(); !strings.Contains(got, canary) {
		t.Errorf("asked for by its key: %s", got)
	}
	output += asked.stderr.String()
	for name, secret := range map[string]string{"value": canary, "key": key.Key} {
		if i := strings.Index(output, secret); i >= 0 {
			t.Errorf("the %s was said: …%s", name, output[max(0, i-300):i+len(secret)])
		}
		entries, err := os.ReadDir(home)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if !entry.IsDir() && strings.Contains(read(entry.Name()), secret) {
				t.Errorf("the %s is in %s", name, entry.Name())
			}
		}
	}
	if !strings.Contains(output, "VALIDATION_ERROR") || !strings.Contains(output, "CONFLICT") || len(output) < 20_000 {
		t.Errorf("the test has lost its object: %d bytes", len(output))
	}
}
