package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
)

// Attachments are the folders for mail attachments: absolute, clean paths.
// Whether they exist is checked on use.
type Attachments struct {
	From []string // files below these may be attached
	Into string   // attachments are saved here; "" forbids saving
}

const foldersAllowed = "the full path of a folder, such as ~/Documents"

func (c *checker) attachments(v value) {
	c.mapping(v, []field{
		{"from", func(c *checker, v value) { c.cfg.Attachments.From = c.folders(v) }},
		{"into", func(c *checker, v value) { c.cfg.Attachments.Into = c.folder(v) }},
	})
}

func (c *checker) folders(v value) []string {
	if v.node.Type() == ast.NullType {
		return nil
	}
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a list, each %s", v.path, kindOf(v.node), foldersAllowed)
		return nil
	}
	folders := []string{}
	for _, n := range s.Values {
		folder := c.folder(value{path: v.path, line: lineOf(n), node: n})
		if folder != "" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// folder returns the absolute path in v, or "" if v has none. It refuses the root
// of the disk, because any file could then be attached.
func (c *checker) folder(v value) string { return c.absolutePath(v, foldersAllowed) }

// absolutePath returns the path in v, in which ~/ is the user's home. The path
// must not depend on the folder in which a client starts the program.
// absolutePath returns "" if v is not an absolute path, or is the root of the
// disk.
func (c *checker) absolutePath(v value, allowed string) string {
	text, ok := textOf(v.node)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), allowed)
		return ""
	}
	path := text
	if below, ok := strings.CutPrefix(text, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			c.problem(v.line, "%s: %v; allowed: %s", v.path, err, allowed)
			return ""
		}
		path = filepath.Join(home, below)
	}
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) || path == filepath.Dir(path) || strings.ContainsRune(path, 0) {
		c.problem(v.line, "%s is %q; allowed: %s", v.path, mistake.Shorten(text), allowed)
		return ""
	}
	return path
}
