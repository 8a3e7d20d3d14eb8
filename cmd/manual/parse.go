package main

import (
	"fmt"
	"regexp"
	"strings"
)

// page is the help of one command.
type page struct {
	name        string   // "kota auth login"
	description []string // its paragraphs
	usage       string   // "kota auth login [flags]"
	examples    []string // their lines
	options     []option
}

// option is a flag of a command.
type option struct{ name, help string }

var (
	commandBlock = regexp.MustCompile("(?ms)^##+ (kota [a-z -]+)\n\n```text\n(.*?)^```$")
	commandTitle = regexp.MustCompile("(?m)^##+ kota ")
	flagLine     = regexp.MustCompile(`^ +((?:-\w, )?--\S+(?: \S+)?) {2,}(\S.*)$`)
	link         = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)
	variableRow  = regexp.MustCompile("(?m)^\\| `(KOTA_[A-Z_]+)` \\| (.*?) \\|$")
)

// parse returns the commands of docs/reference/cli.md in their order. It returns an
// error if a part of the text would be lost.
func parse(text string) ([]page, error) {
	var pages []page
	for _, found := range commandBlock.FindAllStringSubmatch(text, -1) {
		p, err := parseBlock(found[1], found[2])
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	if titles := len(commandTitle.FindAllString(text, -1)); len(pages) == 0 || len(pages) != titles {
		return nil, fmt.Errorf("%d of %d commands have a text block", len(pages), titles)
	}
	return pages, nil
}

// parseBlock reads the help of a command: paragraphs, the usage on a line of its
// own, examples and flags.
func parseBlock(name, text string) (page, error) {
	p := page{name: name}
	parts := strings.Split(strings.Trim(text, "\n"), "\n\n")
	usage := -1
	for i, part := range parts {
		if !strings.Contains(part, "\n") && (part == name || strings.HasPrefix(part, name+" ")) {
			usage = i
		}
	}
	if usage < 0 {
		return p, fmt.Errorf("%s has no usage", name)
	}
	p.description, p.usage = parts[:usage], parts[usage]
	for _, part := range parts[usage+1:] {
		for line := range strings.Lines(part) {
			line = strings.TrimSuffix(line, "\n")
			if found := flagLine.FindStringSubmatch(line); found != nil {
				p.options = append(p.options, option{found[1], found[2]})
			} else if strings.HasPrefix(line, "  ") && len(p.options) == 0 {
				p.examples = append(p.examples, strings.TrimPrefix(line, "  "))
			} else {
				return p, fmt.Errorf("%s has the line %q, which is no example and no flag", name, line)
			}
		}
	}
	return p, nil
}

// variables returns the variables of docs/reference/environment.md.
func variables(text string) []option {
	var all []option
	for _, found := range variableRow.FindAllStringSubmatch(text, -1) {
		all = append(all, option{found[1], link.ReplaceAllString(found[2], "$1") + "."})
	}
	return all
}

// summary is the first sentence of the description.
func (p page) summary() string {
	text := strings.Join(strings.Fields(p.description[0]), " ")
	sentence, _, _ := strings.Cut(text, ". ")
	return strings.TrimRight(sentence, ".:")
}

// file is the name of the man page: "kota-auth-login.1".
func (p page) file() string { return p.title() + ".1" }

func (p page) title() string { return strings.ReplaceAll(p.name, " ", "-") }

// parent is the title of the page above: "kota-auth", or "kota".
func (p page) parent() string { return p.title()[:strings.LastIndex(p.title(), "-")] }
