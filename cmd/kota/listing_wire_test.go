package main

import (
	"encoding/json"
	"kota/cmd/kota/internal/costs"
	"os/exec"
	"strings"
	"testing"
)

// The test reads the bytes of the listing that a client gets. An absent hint
// differs from a false one, and a declared output schema would require
// structured content in every answer.
func TestListedToolsHaveFourHintsAndNoOutputSchema(t *testing.T) {
	for _, mode := range costs.Modes {
		var l struct{ Tools []map[string]json.RawMessage }
		if err := json.Unmarshal(toolsListOf(t, listings()[string(mode)]), &l); err != nil {
			t.Fatal(err)
		}
		if len(l.Tools) < 4 {
			t.Fatalf("%s lists %d tools", mode, len(l.Tools))
		}
		for _, tool := range l.Tools {
			name := string(tool["name"])
			if _, declared := tool["outputSchema"]; declared {
				t.Errorf("%s: %s declares an output schema", mode, name)
			}
			var hints map[string]any
			if err := json.Unmarshal(tool["annotations"], &hints); err != nil {
				t.Errorf("%s: %s: %v", mode, name, err)
				continue
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, output := hints[hint].(bool); !output {
					t.Errorf("%s: %s does not say %s: %v", mode, name, hint, hints)
				}
			}
			if hints["readOnlyHint"] == true && (hints["destructiveHint"] != false || hints["idempotentHint"] != true) {
				t.Errorf("%s: %s only reads, and says %v", mode, name, hints)
			}
		}
	}
}

func TestTextOnlyClientGetsOnlyText(t *testing.T) {
	for client, want := range map[string]bool{"claude-ai": false, "claude-code": true} {
		p := launch(t, exec.Command("kota", "serve"), t.TempDir())
		p.send(strings.Replace(initializeLine, `"clientInfo":{"name":"test"`, `"clientInfo":{"name":"`+client+`"`, 1))
		p.send(toolCall(1, "memory_categories", object{}))
		answer := p.end()[float64(1)].call(t)
		if got := len(answer.StructuredContent) > 0; got != want || answer.text() == "" {
			t.Errorf("%s: structured content %v, want %v, beside %q", client, got, want, answer.text())
		}
	}
}
