package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linkPattern    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
	headingPattern = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	codeSpan       = regexp.MustCompile("(?s)```.*?\n```|`[^`\n]*`")
	notInAnchor    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link in a document to a file of this repository leads to an existing
// file, and to an existing heading if it names one. Links to other sites are
// not checked.
func TestLinksInDocumentsResolve(t *testing.T) {
	links := 0
	err := filepath.WalkDir(moduleRoot, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != moduleRoot && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".md":
			return nil
		}
		text, err := os.ReadFile(file)
		for _, found := range linkPattern.FindAllStringSubmatch(codeSpan.ReplaceAllString(string(text), ""), -1) {
			to, err := url.Parse(found[1] + found[2])
			if err != nil {
				t.Errorf("%s: %s is not a link: %v", file, found[0], err)
				continue
			}
			if to.Scheme != "" {
				continue
			}
			links++
			target := file
			if to.Path != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(to.Path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", file, found[1])
			} else if to.Fragment != "" && !anchors(t, target)[to.Fragment] {
				t.Errorf("%s links to %s, but %s has no such heading", file, found[1], target)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 10 {
		t.Errorf("only %d links were found", links)
	}
}

// Each file and package that the architecture page names exists.
func TestArchitectureNamesExistingFiles(t *testing.T) {
	const name = "docs/explanation/architecture.md"
	named := regexp.MustCompile("`((?:cmd|entrypoint|metadata|bundles|store|auth)(?:/[\\w.]+)*)`").FindAllStringSubmatch(readPage(t, name), -1)
	for _, found := range named {
		if _, err := os.Stat(filepath.Join(moduleRoot, found[1])); err != nil && !strings.Contains(found[1], "bundles.") {
			t.Errorf("%s names %s, which does not exist", name, found[1])
		}
	}
	if len(named) < 40 {
		t.Errorf("%s names only %d files and packages", name, len(named))
	}
}

// The architecture page names each package, except the parts of a bundle and of a test package.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	const name = "docs/explanation/architecture.md"
	page, ofBundle := readPage(t, name), regexp.MustCompile("^bundles/[a-z]+/internal/")
	for _, source := range readSources(t, moduleRoot) {
		part := ofBundle.MatchString(source.path) || strings.Contains(source.path, "test/")
		if !part && !strings.Contains(page, "`"+source.path+"`") {
			t.Errorf("%s does not name the package %s", name, source.path)
		}
	}
}

// anchors returns the names that GitHub gives to the headings of a page.
func anchors(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, found := range headingPattern.FindAllStringSubmatch(string(text), -1) {
		plain := notInAnchor.ReplaceAllString(strings.ToLower(found[1]), "")
		names[strings.ReplaceAll(strings.TrimSpace(plain), " ", "-")] = true
	}
	return names
}
