package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A package has at most maxFiles files and maxLines lines, without tests.
// Larger packages have more than one job.
const (
	maxFiles = 30
	maxLines = 4000
)

func TestPackagesAreSmall(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(moduleRoot, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != moduleRoot && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_templ.go"): // templates are read, not what is generated of them
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(moduleRoot, filepath.Dir(file))
		pkg := filepath.ToSlash(folder)
		files[pkg]++
		lines[pkg] += bytes.Count(text, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files["metadata"] == 0 {
		t.Fatal("no package was read")
	}
	for pkg := range files {
		if files[pkg] > maxFiles || lines[pkg] > maxLines {
			t.Errorf("%s has %d files and %d lines; a package has at most %d and %d", pkg, files[pkg], lines[pkg], maxFiles, maxLines)
		}
	}
}
