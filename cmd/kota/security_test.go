package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each promise and each threat has an existing test, or its row says that it is
// not promised.
func TestEverySecurityPromiseHasTest(t *testing.T) {
	declared := declaredTests(t)
	for _, table := range []struct {
		page, prefix string
		rows         int
	}{
		{"SECURITY.md", "", 22},
		{"docs/explanation/security.md", "T", 67},
	} {
		rows := 0
		for row := range strings.Lines(readPage(t, table.page)) {
			cells := strings.Split(row, "|")
			if len(cells) < 5 {
				continue
			}
			switch label := strings.TrimSpace(cells[1]); label {
			case table.prefix + strconv.Itoa(rows+1):
				rows++
				if countTests(t, declared, table.page, row) == 0 && !strings.Contains(row, "not promised") {
					t.Errorf("%s: row %s names no test and does not say that it is not promised", table.page, label)
				}
			case "", "---":
			default:
				t.Errorf("%s: row %q follows row %d", table.page, label, rows)
			}
		}
		if rows != table.rows {
			t.Errorf("%s has %d rows, want %d", table.page, rows, table.rows)
		}
	}
}

// eachSourceFile visits the source files of what is built into kota.
func eachSourceFile(t *testing.T, visit func(path string)) {
	t.Helper()
	folders := 0
	for _, s := range readSources(t, moduleRoot) {
		if isForTests(s.path) || strings.HasPrefix(s.path+"/", "cmd/") && !strings.HasPrefix(s.path+"/", "cmd/kota/") {
			continue
		}
		folders++
		files, err := filepath.Glob(filepath.Join(moduleRoot, s.path, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				visit(file)
			}
		}
	}
	if folders < 10 {
		t.Fatalf("only %d folders were visited", folders)
	}
}

// A shell that is never started cannot run an address or a text.
func TestNoOtherProgramIsRun(t *testing.T) {
	eachSourceFile(t, func(path string) {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if slices.Contains([]string{`"os/exec"`, `"plugin"`}, spec.Path.Value) {
				t.Errorf("%s imports %s", path, spec.Path.Value)
			}
		}
	})
}

// What Google offers and KOTA never requests: permanent deletion of mail, and
// automatic forwarding.
var forbiddenMethods = regexp.MustCompile(`\b(Messages\.(Batch)?Delete|Threads\.Delete|ForwardingAddresses|UpdateAutoForwarding|Delegates)\b`)

func TestNoCodeDeletesPermanentlyOrForwards(t *testing.T) {
	eachSourceFile(t, func(path string) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if found := forbiddenMethods.Find(source); found != nil {
			t.Errorf("%s asks Google for %s", path, found)
		}
	})
	if !forbiddenMethods.MatchString("service.Users.Messages.Delete(user, id)") {
		t.Error("the search finds nothing")
	}
}
