package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const moduleRoot = "../.."

// readPage returns the text of a file, by its path below the root.
func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryGuaranteeNamesExistingTest(t *testing.T) {
	const name = "docs/project/guarantees.md"
	declared, rows := declaredTests(t), 0
	for row := range strings.Lines(readPage(t, name)) {
		if !strings.HasPrefix(row, "| ") || strings.HasPrefix(row, "| guarantee") || strings.HasPrefix(row, "| ---") {
			continue
		}
		rows++
		if countTests(t, declared, name, row) == 0 {
			t.Errorf("%s: this guarantee has no test: %s", name, row)
		}
	}
	if rows < 50 {
		t.Errorf("%s has %d guarantees, want at least 50", name, rows)
	}
}

var codeSpanPattern = regexp.MustCompile("`([^`]+)`")

// countTests counts the tests that a page names, each after the last folder named
// in its line, and checks that they exist.
func countTests(t *testing.T, declared map[string]bool, name, text string) int {
	t.Helper()
	n := 0
	for row := range strings.Lines(text) {
		folder := ""
		for _, found := range codeSpanPattern.FindAllStringSubmatch(row, -1) {
			switch word := found[1]; {
			case !strings.HasPrefix(word, "Test") && !strings.HasPrefix(word, "Fuzz"):
				folder = word
			case !declared[folder+" "+word]:
				t.Errorf("%s names %s in %s, which does not exist", name, word, folder)
			default:
				n++
			}
		}
	}
	return n
}

// declaredTests returns the existing tests, each below its folder and below
// every parent folder: a page names a bundle, not the engine below it. A
// promise of the stores' contract counts as a subtest of each TestContract.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	promised := contractPromises(t)
	err := filepath.WalkDir(moduleRoot, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		folder, err := filepath.Rel(moduleRoot, filepath.Dir(file))
		if err != nil {
			return err
		}
		source, err := os.ReadFile(file)
		for _, match := range declared.FindAllStringSubmatch(string(source), -1) {
			for of := filepath.ToSlash(folder); of != "."; of = path.Dir(of) {
				names[of+" "+match[1]] = true
				for _, promise := range promised[match[1]] {
					names[of+" "+match[1]+"/"+promise] = true
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// contractPromises returns what store/storetest checks of every store, by the test that
// runs it.
func contractPromises(t *testing.T) map[string][]string {
	t.Helper()
	list := regexp.MustCompile(`(?ms)^var (\w+)Contract = (?:storetest\.)?Contract{$(.*?)^}`)
	name := regexp.MustCompile(`(?m)^\t"(.*)":`)
	found := map[string][]string{}
	err := filepath.WalkDir(filepath.Join(moduleRoot, "store", "storetest"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		source, err := os.ReadFile(file)
		for _, contract := range list.FindAllStringSubmatch(string(source), -1) {
			for _, promise := range name.FindAllStringSubmatch(contract[2], -1) {
				found["TestContract"] = append(found["TestContract"], contract[1]+"/"+promise[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
