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
	there := declaredTests(t)
	proofs := 0
	for _, row := range strings.Split(readme(t), "\n") {
		folder := ""
		for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row, -1) {
			switch name := quoted[1]; {
			case !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz"):
				folder = name
			case !there[folder+" "+name]:
				t.Errorf("the README names %s in %s, which does not exist", name, folder)
			default:
				proofs++
			}
		}
	}
	if proofs == 0 {
		t.Fatal("the README proves nothing: it names no test")
	}
}

// declaredTests returns the tests there are, each after its folder.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		source, err := os.ReadFile(path)
		for _, match := range declared.FindAllStringSubmatch(string(source), -1) {
			there[filepath.ToSlash(folder)+" "+match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
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
