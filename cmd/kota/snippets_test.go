package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kota/cmd/kota/internal/app"
)

var (
	codeBlock    = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```")
	shellComment = regexp.MustCompile(`\s+# .*$|\s+\|.*$`)
	shellWords   = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	removeQuotes = strings.NewReplacer(`'`, "", `"`, "")
)

// Every command in a document exists and accepts those flags and arguments,
// every configuration loads, and JSON is valid. The guide to a new bundle is
// left out: TestGuide runs all of it.
func TestSnippetsOfDocumentsWork(t *testing.T) {
	makefile := readPage(t, "Makefile")
	counts := map[string]int{}
	visit := func(file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range codeBlock.FindAllStringSubmatch(string(text), -1) {
			language, code := found[1], found[2]
			counts[language]++
			switch language {
			case "json":
				if decoder := json.NewDecoder(strings.NewReader(code)); !decodesAll(decoder) {
					t.Errorf("%s shows JSON that cannot be read:\n%s", file, code)
				}
			case "yaml":
				checkYAML(t, file, code)
			case "console":
				for line := range strings.Lines(code) {
					if command, ok := strings.CutPrefix(line, "$ "); ok {
						checkCommand(t, file, makefile, shellComment.ReplaceAllString(strings.TrimSpace(command), ""))
					}
				}
			}
		}
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"} {
		visit(filepath.Join(moduleRoot, name))
	}
	err := filepath.WalkDir(filepath.Join(moduleRoot, "docs"), func(file string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(file) == ".md" && entry.Name() != "adding-a-bundle.md" {
			visit(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for language, least := range map[string]int{"console": 20, "yaml": 8, "json": 5} {
		if counts[language] < least {
			t.Errorf("only %d blocks of %s were found", counts[language], language)
		}
	}
}

func decodesAll(decoder *json.Decoder) bool {
	for decoder.More() {
		var value any
		if decoder.Decode(&value) != nil {
			return false
		}
	}
	return true
}

// checkYAML loads a configuration as the program does.
func checkYAML(t *testing.T, file, code string) {
	t.Helper()
	home := newHomeWithConfig(t, code)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"profiles"}, environment(t, map[string]string{"KOTA_HOME": home}), strings.NewReader(""), &out, &out); err != nil {
		t.Errorf("%s shows a bundles.yaml that is refused: %v\n%s", file, err, code)
	}
}

func checkCommand(t *testing.T, file, makefile, command string) {
	t.Helper()
	var args []string
	for _, word := range shellWords.FindAllString(command, -1) {
		args = append(args, removeQuotes.Replace(word))
	}
	for len(args) > 1 && strings.Contains(args[0], "=") {
		args = args[1:] // a variable of the environment
	}
	switch args[0] {
	case "kota":
		checkKota(t, file, command, args[1:])
	case "make":
		if goal := args[1]; !strings.Contains("\n"+makefile, "\n"+goal+":") {
			t.Errorf("%s shows %q, but the Makefile has no %s", file, command, goal)
		}
	case "sh":
		if _, err := os.Stat(filepath.Join(moduleRoot, filepath.FromSlash(args[1]))); err != nil {
			t.Errorf("%s shows %q: %v", file, command, err)
		}
	case "go", "claude", "curl", "pg_dump", "docker", "kubectl", "tar":
	default:
		t.Errorf("%s shows %q, which no test checks", file, command)
	}
}

// checkKota parses a command line as the program does, and runs nothing.
func checkKota(t *testing.T, file, command string, args []string) {
	t.Helper()
	a := &app.App{Env: environment(t, map[string]string{"KOTA_HOME": newHomeWithConfig(t, exposeAll())})}
	cmd, rest, err := newRoot(a).Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && cmd.Args != nil {
		err = cmd.Args(cmd, cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s shows %q: %v", file, command, err)
		return
	}
	if cmd.Name() != "call" {
		return
	}
	var out bytes.Buffer
	tool := cmd.Flags().Arg(0)
	bundle, action, _ := strings.Cut(tool, "_")
	if err := run(t.Context(), []string{"describe", bundle, action}, a.Env, strings.NewReader(""), &out, &out); err != nil {
		t.Errorf("%s shows a call of %s: %v", file, tool, err)
	}
}
