package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// roff returns the man page of a command, in the macros of man(7).
func (p page) roff(all []page, version string) string {
	var b strings.Builder
	head(&b, p.title(), p.summary(), version)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", escape(p.name))
	if rest := strings.TrimPrefix(p.usage, p.name); rest != "" {
		line(&b, escape(strings.TrimSpace(rest)))
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, paragraph := range p.description {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		text(&b, paragraph)
	}
	options(&b, "OPTIONS", p.options)
	if len(p.examples) > 0 {
		b.WriteString(".SH EXAMPLES\n")
		verbatim(&b, p.examples)
	}
	related := []string{p.parent()}
	for _, other := range all {
		if other.parent() == p.title() {
			related = append(related, other.title())
		}
	}
	seeAlso(&b, related)
	return b.String()
}

// overview returns the page kota(1), which lists all commands and variables.
func overview(all []page, variables []option, version string) string {
	var b strings.Builder
	head(&b, "kota", "memory, mail, calendar and diary for AI assistants over MCP", version)
	b.WriteString(".SH SYNOPSIS\n.B kota\n[\\-\\-config FILE] [\\-\\-profile NAME] [\\-\\-owner NAME] COMMAND [ARGUMENT ...]\n")
	b.WriteString(".SH DESCRIPTION\nKOTA gives an AI assistant a memory, mail, a calendar and a daily log.\n.B kota init\nsets it up.\nEach command has a page of its own:\n.BR kota\\-init (1)\nis the page of\n.BR \"kota init\" .\n")
	var commands []option
	var titles []string
	for _, p := range all {
		commands, titles = append(commands, option{p.name, p.summary() + "."}), append(titles, p.title())
	}
	options(&b, "COMMANDS", commands)
	options(&b, "OPTIONS", []option{
		{"--config FILE", "the bundles.yaml to use."},
		{"--profile NAME", "the profile to use instead of the one in bundles.yaml."},
		{"--owner NAME", "the person whose data to use, on a server for several people."},
	})
	options(&b, "ENVIRONMENT", variables)
	b.WriteString(".SH EXIT STATUS\n0: done. 1: the command failed. 2: the command line or the configuration has a mistake.\n")
	seeAlso(&b, titles)
	return b.String()
}

func head(b *strings.Builder, title, summary, version string) {
	fmt.Fprintf(b, ".TH \"%s\" 1 \"\" \"kota %s\" \"KOTA\"\n.SH NAME\n%s \\- %s\n", escape(strings.ToUpper(title)), escape(version), escape(title), inline(summary))
}

// text writes a paragraph. Its lines that begin with two spaces stay as they are.
func text(b *strings.Builder, paragraph string) {
	lines := strings.Split(paragraph, "\n")
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  ") != strings.HasPrefix(lines[0], "  ") })
		if n < 0 {
			n = len(lines)
		}
		if strings.HasPrefix(lines[0], "  ") {
			verbatim(b, lines[:n])
		} else {
			line(b, inline(strings.Join(lines[:n], "\n")))
		}
		lines = lines[n:]
	}
}

func verbatim(b *strings.Builder, lines []string) {
	b.WriteString(".PP\n.nf\n")
	for _, l := range lines {
		line(b, escape(l))
	}
	b.WriteString(".fi\n")
}

func options(b *strings.Builder, title string, all []option) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	for _, o := range all {
		fmt.Fprintf(b, ".TP\n.B %s\n", escape(o.name))
		line(b, inline(o.help))
	}
}

func seeAlso(b *strings.Builder, titles []string) {
	b.WriteString(".SH \"SEE ALSO\"\n")
	for i, title := range titles {
		comma := ","
		if i == len(titles)-1 {
			comma = ""
		}
		fmt.Fprintf(b, ".BR %s (1)%s\n", escape(title), comma)
	}
}

// line writes text in which no line begins with a control character of roff.
func line(b *strings.Builder, escaped string) {
	for l := range strings.SplitSeq(escaped, "\n") {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			l = `\&` + l
		}
		b.WriteString(l + "\n")
	}
}

var quoted = regexp.MustCompile("`([^`]*)`")

// inline escapes a text and sets what is in backquotes bold.
func inline(text string) string { return quoted.ReplaceAllString(escape(text), `\fB$1\fR`) }

// escape keeps roff from reading backslashes and hyphens as its own.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
}
