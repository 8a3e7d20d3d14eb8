package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadmeNamesTestsThereAre(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, match := range declared.FindAllStringSubmatch(string(source), -1) {
			there[match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(readme(t), -1)
	if len(named) == 0 {
		t.Fatal("the README proves nothing: it names no test")
	}
	for _, match := range named {
		if !there[match[1]] {
			t.Errorf("the README names %s, which does not exist", match[1])
		}
	}
}

func TestReadmeShowsJSONThatClientsCanRead(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) < 3 {
		t.Fatalf("the README shows %d blocks of JSON, want one for each client", len(blocks))
	}
	for _, block := range blocks {
		if !json.Valid([]byte(block[1])) {
			t.Errorf("a client cannot read this:\n%s", block[1])
		}
	}
}
