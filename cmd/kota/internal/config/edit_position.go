package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
)

// edit changes a text at the positions of its YAML nodes.
type edit struct {
	raw   []byte
	lines []int // the byte offset of each line
}

// lineStarts returns the byte offset of each line of raw. The first line begins
// after the byte order mark.
func lineStarts(raw []byte) []int {
	starts := []int{0}
	if strings.HasPrefix(string(raw), byteOrderMark) {
		starts[0] = len(byteOrderMark)
	}
	for i, b := range raw {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// offset returns the byte offset of the token of n. It returns an error if the
// text there differs.
func (e *edit) offset(n ast.Node) (int, error) {
	t := n.GetToken()
	at := e.lines[t.Position.Line-1]
	line := []rune(string(e.raw[at:e.lineEnd(t.Position.Line)]))
	if column := t.Position.Column - 1; column <= len(line) {
		at += len(string(line[:column]))
		if strings.HasPrefix(string(e.raw[at:]), t.Value) {
			return at, nil
		}
	}
	return 0, fmt.Errorf("line %d: the position of %q is ambiguous", t.Position.Line, mistake.Shorten(t.Value))
}

// lineEnd returns the byte offset of the end of a line, without its line end.
func (e *edit) lineEnd(line int) int {
	if line >= len(e.lines) {
		return len(e.raw)
	}
	end := e.lines[line] - 1
	if end > 0 && e.raw[end-1] == '\r' {
		end--
	}
	return end
}

func (e *edit) replace(from, to int, text string) []byte {
	return slices.Concat(e.raw[:from], []byte(text), e.raw[to:])
}

// flip replaces the word of a switch by its opposite in the same spelling.
func (e *edit) flip(n ast.Node) ([]byte, error) {
	at, err := e.offset(n)
	if err != nil {
		return nil, err
	}
	word := n.GetToken().Value
	for yes, no := range opposites {
		switch word {
		case yes:
			return e.replace(at, at+len(word), no), nil
		case no:
			return e.replace(at, at+len(word), yes), nil
		}
	}
	return nil, fmt.Errorf("%q is neither true nor false", mistake.Shorten(word))
}

// fill adds the first setting to an entry without a value, on its own line.
// Within braces, or in place of a written null, the setting stays on the
// entry's line.
func (e *edit) fill(parent *ast.MappingNode, entry *ast.MappingValueNode, setting string) ([]byte, error) {
	if at, err := e.offset(entry.Value); err == nil {
		return e.replace(at, at+len(entry.Value.GetToken().Value), "{"+setting+"}"), nil
	}
	if parent.IsFlowStyle {
		at, err := e.offset(entry)
		if err != nil {
			return nil, err
		}
		return e.replace(at+1, at+1, " {"+setting+"}"), nil
	}
	key := entry.Key.GetToken().Position
	return e.insertLine(key.Line, strings.Repeat(" ", key.Column+1)+setting), nil
}

// add inserts a setting into m: after the opening brace, or on its own line
// below the last entry.
func (e *edit) add(m *ast.MappingNode, setting string) ([]byte, error) {
	if m.IsFlowStyle {
		at, err := e.offset(m)
		if err != nil {
			return nil, err
		}
		if len(m.Values) > 0 {
			setting += ","
			if !unicode.IsSpace(rune(e.raw[at+1])) {
				setting += " "
			}
		}
		return e.replace(at+1, at+1, setting), nil
	}
	last := &lastLine{}
	ast.Walk(last, m)
	indent := strings.Repeat(" ", m.Values[0].Key.GetToken().Position.Column-1)
	return e.insertLine(last.line, indent+setting), nil
}

// insertLine inserts text as the line after the given line, with the line end of
// the file.
func (e *edit) insertLine(line int, text string) []byte {
	end := e.lineEnd(line)
	newline := "\n"
	if strings.Contains(string(e.raw), "\r\n") {
		newline = "\r\n"
	}
	return e.replace(end, end, newline+text)
}

// lastLine is an ast.Visitor that finds the last line of a node.
type lastLine struct{ line int }

func (l *lastLine) Visit(n ast.Node) ast.Visitor {
	l.line = max(l.line, lineOf(n))
	switch n := n.(type) {
	case *ast.MappingNode:
		if n.End != nil {
			l.line = max(l.line, n.End.Position.Line)
		}
	case *ast.SequenceNode:
		if n.End != nil {
			l.line = max(l.line, n.End.Position.Line)
		}
	}
	return l
}
