package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each line of the table names an existing file, and a test that is run.
func TestLibraryFaultsHaveFilesAndTests(t *testing.T) {
	t.Parallel()
	const moduleFolder = "../.."
	page, err := os.ReadFile(filepath.Join(moduleFolder, "docs", "project", "protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, folder := range []string{"entrypoint", "entrypoint/mcpserver", "entrypoint/transport", "entrypoint/web", "cmd/kota"} {
		files, err := filepath.Glob(filepath.Join(moduleFolder, folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			tests.Write(readFile(t, file))
		}
	}
	lines := regexp.MustCompile(`(?m)^\| (.+) \| (\S+\.go) \| (Test\w+) \|$`).FindAllStringSubmatch(string(page), -1)
	if len(lines) < 20 {
		t.Fatalf("the table has %d lines", len(lines))
	}
	for _, line := range lines {
		if _, err := os.Stat(filepath.Join(moduleFolder, line[2])); err != nil {
			t.Errorf("%s: %v", line[1], err)
		}
		if !strings.Contains(tests.String(), "\nfunc "+line[3]+"(t *testing.T) {") {
			t.Errorf("%s: there is no %s", line[1], line[3])
		}
	}
}
