// Package docs writes a catalogue as Markdown, for documents and for agents that do not speak
// MCP. It is deterministic: the same catalogue always gives the same bytes.
//
// Start reading at Markdown and Context.
package docs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kota/metadata"
)

// A Detail says how much Markdown shows of each action.
type Detail int

const (
	Names      Detail = iota + 1 // one line per bundle, with the names of its actions
	Signatures                   // one line per action
	Full                         // with arguments, examples, errors and notes, but without output schemas
)

// Markdown describes the bundles. The same bundles always give the same bytes, which end with
// a line break unless there are no bundles. It escapes the texts of bundles: a < does not
// start a tag, and a | does not end a cell.
func Markdown(bundles []metadata.Bundle, detail Detail) string {
	if detail == Names {
		var lines strings.Builder
		for _, b := range bundles {
			lines.WriteString(bundleLine(b) + "\n")
		}
		return lines.String()
	}
	var d document
	for _, b := range bundles {
		describeBundle(&d, b, detail)
	}
	return d.String()
}

// A document is Markdown with an empty line between blocks.
type document struct{ text strings.Builder }

// add appends a block: a heading, a paragraph or a list. It ignores an empty block.
func (d *document) add(lines ...string) {
	block := strings.Join(lines, "\n")
	if block == "" {
		return
	}
	if d.text.Len() > 0 {
		d.text.WriteString("\n")
	}
	d.text.WriteString(block + "\n")
}

func (d *document) String() string { return d.text.String() }

// bundleLine returns the bundle in one line.
func bundleLine(b metadata.Bundle) string {
	words := []string{"- **" + b.Key + "**:"}
	if b.Description != "" {
		words = append(words, sentence(b.Description))
	}
	names := make([]string, 0, len(b.Actions))
	for _, a := range b.Actions {
		names = append(names, a.Name)
	}
	if len(names) > 0 {
		words = append(words, "Actions: "+strings.Join(names, ", ")+".")
	}
	return strings.Join(words, " ")
}

func describeBundle(d *document, b metadata.Bundle, detail Detail) {
	d.add("## " + prose(b.Name) + " (" + code(b.Key) + ")")
	d.add(sentence(b.Description))
	d.add(status(b))
	var related []string
	for _, rel := range b.Relationships {
		related = append(related, relation(rel))
	}
	d.add(related...)
	if detail == Signatures {
		d.add(signatures(b)...)
		return
	}
	for _, a := range b.Actions {
		describeAction(d, a)
	}
	for _, flow := range b.Workflows {
		describeWorkflow(d, flow)
	}
}

func signatures(b metadata.Bundle) []string {
	if len(b.Actions) == 0 {
		return nil
	}
	// Without this line, Markdown would join the list to a list directly before it.
	lines := []string{"Actions:"}
	for _, a := range b.Actions {
		lines = append(lines, fmt.Sprintf("- %s: %s (%s)", code(b.Key+"_"+a.Signature()), prose(a.Summary), a.Effect))
	}
	return lines
}

// status returns the category, the tags, and whether the bundle is enabled and available.
func status(b metadata.Bundle) string {
	var sentences []string
	if b.Category != "" {
		sentences = append(sentences, "Category "+b.Category+".")
	}
	if len(b.Tags) > 0 {
		sentences = append(sentences, "Tags: "+strings.Join(b.Tags, ", ")+".")
	}
	switch {
	case b.Unavailable != "":
		sentences = append(sentences, "Unavailable: "+sentence(b.Unavailable))
	case b.Enabled:
		sentences = append(sentences, "On.")
	default:
		sentences = append(sentences, "Off.")
	}
	return strings.Join(sentences, " ")
}

func relation(rel metadata.Relationship) string {
	line := "- " + strings.ReplaceAll(rel.Type, "_", " ") + " " + code(rel.Bundle)
	if rel.Enabled != nil && !*rel.Enabled {
		line += " (off)"
	}
	if rel.Description != "" {
		line += ": " + sentence(rel.Description)
	}
	return line
}

func describeAction(d *document, a metadata.Action) {
	d.add("### " + a.Tool)
	d.add(code(a.Signature()) + " · " + string(a.Effect))
	d.add(prose(a.Text()))
	if a.Deprecated != "" {
		d.add("Deprecated: " + sentence(a.Deprecated))
	}
	d.add(arguments(a)...)
	for _, example := range a.Examples {
		d.add(prose(example.Title) + ":")
		d.add("```json", metadata.Compact(example.Args), "```")
		if example.Answer != nil {
			d.add("It answers:")
			d.add("```json", metadata.Compact(example.Answer), "```")
		}
	}
	if len(a.Errors) > 0 {
		codes := make([]string, 0, len(a.Errors))
		for _, c := range a.Errors {
			codes = append(codes, code(string(c)))
		}
		d.add("Errors: " + strings.Join(codes, ", ") + ".")
	}
	if len(a.UsedWith) > 0 {
		tools := make([]string, 0, len(a.UsedWith))
		for _, tool := range a.UsedWith {
			tools = append(tools, code(tool))
		}
		d.add("Often used with " + strings.Join(tools, ", ") + ".")
	}
	var notes []string
	for _, note := range a.Notes {
		notes = append(notes, "- "+prose(note))
	}
	d.add(notes...)
}

// arguments returns the table of arguments, or nil if there are none.
func arguments(a metadata.Action) []string {
	if a.Input == nil || len(a.Input.Params()) == 0 {
		return nil
	}
	rows := []string{"| argument | type | what it is |", "| --- | --- | --- |"}
	for _, param := range a.Input.Params() {
		name := code(param.Name)
		if param.Required {
			name += " (required)"
		}
		rows = append(rows, "| "+cell(name)+" | "+cell(param.Type)+" | "+cell(paramText(param))+" |")
	}
	return rows
}

func describeWorkflow(d *document, w metadata.Workflow) {
	d.add("### Example: " + prose(w.Title))
	d.add(sentence(w.Scenario))
	var steps []string
	for i, step := range w.Steps {
		steps = append(steps, fmt.Sprintf("%d. %s %s", i+1, code(step.Tool), code(metadata.Compact(step.Args))))
	}
	d.add(steps...)
}

// paramText returns the parameter's description with its default. It adds the enum values if
// there are too many for Param.Type.
func paramText(p metadata.Param) string {
	var extra []string
	if len(p.Enum) > metadata.MaxChoices {
		extra = append(extra, "One of "+prose(strings.Join(p.Enum, ", "))+".")
	}
	if len(p.Default) > 0 {
		extra = append(extra, "Default "+prose(string(p.Default))+".")
	}
	if len(extra) == 0 {
		return prose(p.Description)
	}
	return strings.TrimSpace(sentence(p.Description) + " " + strings.Join(extra, " "))
}

// cell returns Markdown that stays within one table cell, as code or as text.
func cell(markdown string) string { return strings.ReplaceAll(markdown, "|", `\|`) }

// prose returns text as Markdown on one line. It escapes a <, which would start a tag that no
// reader shows. Text between two backticks is code and needs no escapes.
func prose(text string) string {
	parts := strings.Split(strings.Join(strings.Fields(text), " "), "`")
	for i := range parts {
		if i%2 == 0 || i == len(parts)-1 {
			parts[i] = strings.ReplaceAll(parts[i], "<", `\<`)
		}
	}
	return strings.Join(parts, "`")
}

// sentence returns prose that ends like a sentence. An empty text stays empty.
func sentence(text string) string {
	text = prose(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || strings.ContainsRune(".!?…。", last) {
		return text
	}
	return text + "."
}

// code returns text as a code span, between more backticks than the text has in a row.
func code(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + text + fence
	}
	return fence + " " + text + " " + fence
}
