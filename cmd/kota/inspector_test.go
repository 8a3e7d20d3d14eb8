package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// inspectorCommands are commands for the MCP Inspector. Each runs in its own process
// and starts the server again, so that each must find what earlier ones
// remembered.
var inspectorCommands = [][]string{
	{"tools/call", "--tool-name", "kota_discover_bundles", "--tool-arg", "query=remember a preference", "limit=1"},
	{"tools/call", "--tool-name", "kota_describe_bundle", "--tool-arg", "bundle=memory", `actions=["categories"]`, "include_examples=false"},
	{"tools/call", "--tool-name", "memory_set", "--tool-arg", "key=theme", "value=dark", "category=preferences"},
	{"tools/call", "--tool-name", "memory_get", "--tool-arg", "query=theme"},
	{"tools/call", "--tool-name", "kota_entry_point", "--tool-arg", "bundle=memory", "action=set", `args={"key": "sizes", "value": {"shoe": 43}}`},
	{"tools/call", "--tool-name", "kota_read", "--tool-arg", "bundle=memory", "action=get", `args={"query": "sizes"}`},
	{"resources/list"},
	{"resources/read", "--uri", "memory://theme"},
	{"prompts/list"},
	{"prompts/get", "--prompt-name", "recall", "--prompt-args", "about=my theme"},
	{"tools/call", "--tool-name", "memory_get", "--tool-arg", "quryy=theme"},
}

// The transcript in testdata/inspector.txtar shows how a foreign client sees
// the server: a section for each command, with its output.
func TestInspectorFindsStoredMemories(t *testing.T) {
	inspector := os.Getenv("KOTA_INSPECTOR")
	if inspector == "" {
		t.Skip("KOTA_INSPECTOR is not set. To run this test: npm install --prefix DIR @modelcontextprotocol/inspector@0.15.0, " +
			"and set KOTA_INSPECTOR to DIR/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js")
	}
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(exposeAll()))
	inspect := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), "node", append([]string{inspector, "--cli", "kota", "serve", "--method"}, args...)...)
		cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=", "KOTA_NOW="+testTime)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s%s", args, err, out, stderr.Bytes())
		}
		return out
	}

	checkReviewedTools(t, inspect("tools/list"))
	got := &txtar.Archive{Comment: []byte("What the MCP Inspector 0.15.0 prints, called with --cli kota serve --method …\n")}
	for _, args := range inspectorCommands {
		got.Files = append(got.Files, txtar.File{Name: quoteArgs(args), Data: inspect(args...)})
	}
	path := filepath.Join("testdata", "inspector.txtar")
	if *updateFlag {
		if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(txtar.Format(got))); diff != "" {
		t.Errorf("the transcript is not %s (-want +got, -update rewrites it):\n%s", path, diff)
	}
}

// checkReviewedTools compares the Inspector's listing with the reviewed one:
// its own protocol check has dropped and changed nothing.
func checkReviewedTools(t *testing.T, printed []byte) {
	t.Helper()
	reviewed, err := os.ReadFile(filepath.Join("testdata", "tools_list.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(reviewed, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools/list through the Inspector (-want +got):\n%s", diff)
	}
}

// quoteArgs returns the arguments quoted for a shell.
func quoteArgs(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if strings.ContainsAny(arg, ` "[{?`) {
			quoted[i] = "'" + arg + "'"
		}
	}
	return strings.Join(quoted, " ")
}
