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

// Each promise and each threat of SECURITY.md has a test that exists, or the
// page says plainly that it is not promised.
func TestSecurityProvesEveryPromise(t *testing.T) {
	there, text := declaredTests(t), page(t, "SECURITY.md")
	promises, threats := 0, 0
	for row := range strings.Lines(text) {
		cells := strings.Split(row, "|")
		if len(cells) < 5 {
			continue
		}
		label := strings.TrimSpace(cells[1])
		switch proven := proofs(t, there, "SECURITY.md", row); {
		case label == strconv.Itoa(promises+1):
			promises++
			if proven == 0 {
				t.Errorf("promise %s has no proof", label)
			}
		case label == "T"+strconv.Itoa(threats+1):
			threats++
			if proven == 0 && !strings.Contains(row, "not promised") {
				t.Errorf("%s has neither proof nor says that it is not promised", label)
			}
		case label != "" && label != "---":
			t.Errorf("after promise %d and threat %d there is row %q", promises, threats, label)
		}
	}
	if promises != 19 || threats != 67 {
		t.Errorf("%d promises and %d threats, want 19 and 67", promises, threats)
	}
}

// production visits the source files of what is built into kota.
func production(t *testing.T, visit func(path string)) {
	t.Helper()
	folders := 0
	for _, s := range readSources(t, root) {
		if isForTests(s.path) || strings.HasPrefix(s.path+"/", "cmd/") && !strings.HasPrefix(s.path+"/", "cmd/kota/") {
			continue
		}
		folders++
		files, err := filepath.Glob(filepath.Join(root, s.path, "*.go"))
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

// No address or text can be run by a shell that is never started.
func TestNoOtherProgramIsRun(t *testing.T) {
	production(t, func(path string) {
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

// What Google offers and KOTA never asks for: mail that is gone for good, and
// mail that goes to others by itself.
var neverAsked = regexp.MustCompile(`\b(Messages\.(Batch)?Delete|Threads\.Delete|ForwardingAddresses|UpdateAutoForwarding|Delegates)\b`)

func TestNothingIsDeletedForGoodNorForwarded(t *testing.T) {
	production(t, func(path string) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if found := neverAsked.Find(source); found != nil {
			t.Errorf("%s asks Google for %s", path, found)
		}
	})
	if !neverAsked.MatchString("service.Users.Messages.Delete(user, id)") {
		t.Error("the search finds nothing")
	}
}
