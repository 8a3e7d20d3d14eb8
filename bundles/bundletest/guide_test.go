package bundletest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/entrypoint/wiretest"
)

var update = flag.Bool("update", false, "rewrite the answers shown in docs/project/adding-a-bundle.md")

// TestGuide follows docs/project/adding-a-bundle.md. It adds the files and lines shown
// there to the module, runs the bundle's own test, builds the program and runs the
// commands. It does not change the module, because the go command takes the files from an
// overlay.
func TestGuide(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "docs", "project", "adding-a-bundle.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := parseGuide(string(page))
	overlay := writeOverlay(t, root, blocks)
	bin := t.TempDir()
	ownTest, kota := filepath.Join(bin, "birthdays.test"), filepath.Join(bin, "kota")
	// Programs without debug information link faster.
	// vet and go test cannot enter a folder that only the overlay has.
	execute(t, root, "go", "test", "-overlay", overlay, "-vet=off", "-ldflags=-s -w", "-c", "-o", ownTest, "./bundles/birthdays")
	execute(t, bin, ownTest)
	execute(t, root, "go", "build", "-overlay", overlay, "-buildvcs=false", "-ldflags=-s -w", "-o", kota, "./cmd/kota")

	shell := newShell(t, bin)
	for i := range blocks {
		if blocks[i].lang == "console" {
			blocks[i].text = shell.replay(t, blocks[i].text)
		}
	}
	t.Run("shows what the commands print", func(t *testing.T) {
		printed := formatGuide(blocks)
		if *update {
			if err := os.WriteFile(path, []byte(printed), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := cmp.Diff(strings.Split(string(page), "\n"), strings.Split(printed, "\n")); diff != "" {
			t.Errorf("the guide is out of date (-shown +printed); go test ./bundles/bundletest -run Guide -update:\n%s", diff)
		}
	})
	t.Run("finds the bundle by sentences that are no phrases of it", func(t *testing.T) {
		for sentence, tool := range map[string]string{
			"who has a birthday next week":       "birthdays_next",
			"write down that Mia was born today": "birthdays_set",
		} {
			first, _, _ := strings.Cut(shell.run(t, "kota discover "+sentence), " ")
			if first != tool {
				t.Errorf("%q finds %s first, want %s", sentence, first, tool)
			}
		}
	})
	t.Run("lists the tools with the hints of their effects", func(t *testing.T) {
		for tool, readOnly := range map[string]bool{"birthdays_set": false, "birthdays_next": true} {
			if got := shell.tools(t)[tool].Annotations.ReadOnlyHint; got == nil && readOnly || got != nil && *got != readOnly {
				t.Errorf("%s: readOnlyHint is %v, want %t", tool, got, readOnly)
			}
		}
	})
	t.Run("is in the reference", func(t *testing.T) {
		if docs := shell.run(t, "kota docs"); !strings.Contains(docs, "\n### birthdays_next\n") {
			t.Errorf("kota docs does not describe birthdays_next:\n%s", docs)
		}
	})
}

// A block is a part of the guide: a fenced block with its language and the file it shows,
// or the text between two of them.
type block struct {
	fence, info string // the backticks and the text after them; "" for plain text
	lang, file  string
	text        string
}

// parseGuide splits a page into blocks. formatGuide joins them again.
func parseGuide(page string) []block {
	blocks := []block{{}}
	for line := range strings.Lines(page) {
		last := &blocks[len(blocks)-1]
		info := strings.TrimLeft(line, "`")
		fence := line[:len(line)-len(info)]
		switch {
		case last.fence != "" && fence == last.fence && info == "\n":
			blocks = append(blocks, block{})
		case last.fence != "" || len(fence) < 3:
			last.text += line
		default:
			lang, file, _ := strings.Cut(strings.TrimSpace(info), " title=")
			blocks = append(blocks, block{fence: fence, info: info, lang: lang, file: file})
		}
	}
	return blocks
}

func formatGuide(blocks []block) string {
	var page strings.Builder
	for _, b := range blocks {
		page.WriteString(b.fence + b.info + b.text)
		if b.fence != "" {
			page.WriteString(b.fence + "\n")
		}
	}
	return page.String()
}

// writeOverlay writes the guide's files, and the existing files with the added lines. It
// returns the overlay that adds them to the module.
func writeOverlay(t *testing.T, root string, blocks []block) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	put := func(name, text string) {
		copied := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(name)))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = copied
	}
	for _, b := range blocks {
		switch {
		case b.file == "bundles.yaml":
			put("cmd/kota/internal/config/bundles.default.yaml", addLines(t, root, b)) // the built-in copy
		case b.lang == "diff":
			put(b.file, addLines(t, root, b))
		case b.file != "":
			put(b.file, b.text)
		}
	}
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

// addLines returns the file with the lines that the diff marks with +, each after the
// line that precedes it in the diff.
func addLines(t *testing.T, root string, diff block) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(diff.file)))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	at := 0
	for line := range strings.Lines(diff.text) {
		line = strings.TrimSuffix(line, "\n")
		if added, ok := strings.CutPrefix(line, "+"); ok {
			if slices.Contains(lines, added) {
				continue // the line exists already
			}
			lines = slices.Insert(lines, at, added)
			at++
			continue
		}
		found := slices.Index(lines[at:], strings.TrimPrefix(line, " "))
		if found < 0 {
			t.Fatalf("the guide shows a line of %s that is not there: %q", diff.file, line)
		}
		at += found + 1
	}
	return strings.Join(lines, "\n")
}

func execute(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// A shell runs commands like a reader, in its own home folder.
type shell struct {
	dir     string
	env     []string
	handles *wiretest.Handles
}

func newShell(t *testing.T, bin string) shell {
	dir := t.TempDir()
	return shell{dir: dir, handles: &wiretest.Handles{}, env: append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"KOTA_HOME="+filepath.Join(dir, ".config", "kota"), "KOTA_CONFIG=", "KOTA_NOW=2026-03-14T09:00:00Z", "TZ=UTC",
	)}
}

// run returns everything that the command prints. The command may fail, because the guide
// shows errors too.
func (s shell) run(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatalf("%s: %v", command, err)
	}
	// The page must not contain a real home folder.
	return strings.ReplaceAll(string(out), s.dir, "~")
}

// replay runs the commands of a transcript, and returns the transcript with their
// answers. Handles become s_1, s_2 and so on.
func (s shell) replay(t *testing.T, transcript string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(transcript) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out.WriteString(line + s.handles.Name(s.run(t, s.handles.Real(command))))
		}
	}
	return out.String()
}

type listedTool struct {
	Name        string `json:"name"`
	Annotations struct {
		ReadOnlyHint *bool `json:"readOnlyHint"`
	} `json:"annotations"`
}

// tools returns the tools that tools/list shows to a client.
func (s shell) tools(t *testing.T) map[string]listedTool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "kota serve")
	cmd.Dir, cmd.Env = s.dir, s.env
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"guide","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result struct {
			Tools []listedTool `json:"tools"`
		} `json:"result"`
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &answer); err != nil {
		t.Fatal(err)
	}
	tools := map[string]listedTool{}
	for _, tool := range answer.Result.Tools {
		tools[tool.Name] = tool
	}
	return tools
}
