package clients

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	gotoml "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// toml is TOML 1.0. An entry is a table of its own, [table.entry], with the
// tables below it.
type toml struct{}

func (toml) decode(text []byte) (map[string]any, error) {
	all := map[string]any{}
	if err := gotoml.Unmarshal(bytes.TrimPrefix(text, utf8BOM), &all); err != nil {
		return nil, errors.New("it is not TOML: " + strings.TrimPrefix(err.Error(), "toml: "))
	}
	return all, nil
}

// set rewrites the entry's table in place, without the comments in it, or
// appends it to the text.
func (f toml) set(text []byte, c change) ([]byte, error) {
	all, err := f.decode(text)
	if err != nil {
		return nil, err
	}
	merged, unchanged := c.merged(all)
	if unchanged {
		return text, nil
	}
	block, err := gotoml.Marshal(map[string]any{c.table: map[string]any{c.entry: merged}})
	if err != nil {
		return nil, err
	}
	block = bytes.TrimPrefix(block, fmt.Appendf(nil, "[%s]\n", c.table)) // the parent table needs no header
	from, to, err := f.tables(text, c.table, c.entry)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte("\r\n")) {
		block = bytes.ReplaceAll(block, []byte("\n"), []byte("\r\n"))
	}
	if from < to {
		return splice(text, from, to, block), nil
	}
	edited := slices.Concat(text, separator(text), block)
	if _, err := f.decode(edited); err != nil {
		return nil, notATableError(c.table, c.entry)
	}
	return edited, nil
}

// notATableError returns the error for an entry, or a table of entries, that is
// inline or has dotted keys instead of a header.
func notATableError(table, entry string) error {
	return fmt.Errorf("%w: %s, or the entry, is an inline value, and KOTA only writes tables such as [%s.%s]", ErrLayout, table, table, entry)
}

// separator returns the line ends to put between a text and a new table.
func separator(text []byte) []byte {
	line := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		line = "\r\n"
	}
	switch {
	case len(bytes.TrimSpace(bytes.TrimPrefix(text, utf8BOM))) == 0:
		return nil
	case bytes.HasSuffix(text, []byte("\n")):
		return []byte(line)
	}
	return []byte(line + line)
}

func (f toml) remove(text []byte, table, entry string) ([]byte, error) {
	from, to, err := f.tables(text, table, entry)
	if err != nil {
		return nil, err
	}
	if from == to {
		return nil, notATableError(table, entry)
	}
	before := text[:from]
	if len(bytes.TrimPrefix(before, utf8BOM)) == 0 {
		return slices.Concat(before, bytes.TrimLeft(text[to:], "\r\n")), nil
	}
	if to == len(text) { // remove the blank line that set put before the entry
		for _, line := range []string{"\r\n", "\n"} {
			if bytes.HasSuffix(before, []byte(line+line)) {
				before = before[:len(before)-len(line)]
				break
			}
		}
	}
	return slices.Concat(before, text[to:]), nil
}

// tables returns where the tables of an entry begin and end in the text: its
// own and those below it. The range begins with the first header, and excludes
// comments after the last table. from equals to if there are none. tables
// returns ErrLayout if they are not adjacent.
func (f toml) tables(text []byte, table, entry string) (from, to int, err error) {
	if rest, hasBOM := bytes.CutPrefix(text, utf8BOM); hasBOM {
		from, to, err = f.tables(rest, table, entry)
		return from + len(utf8BOM), to + len(utf8BOM), err
	}
	p := unstable.Parser{}
	p.Reset(text)
	inside := false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		var names []string
		at := -1
		for keys := e.Key(); keys.Next(); {
			if at < 0 {
				at = int(keys.Node().Raw.Offset)
			}
			names = append(names, string(keys.Node().Data))
		}
		begin := bytes.LastIndexByte(text[:at], '\n') + 1
		belongs := len(names) >= 2 && names[0] == table && names[1] == entry
		switch {
		case belongs && !inside && to > 0:
			return 0, 0, fmt.Errorf("%w: the tables of %s.%s are not next to each other", ErrLayout, table, entry)
		case belongs && !inside:
			from, to, inside = begin, len(text), true
		case !belongs && inside:
			to, inside = commentsBefore(text, begin), false
		}
	}
	if inside {
		to = commentsBefore(text, len(text))
	}
	return from, to, p.Error()
}

// commentsBefore returns where the comment and blank lines directly before
// offset begin, or offset if there are none. Such comments belong to the text
// after them.
func commentsBefore(text []byte, offset int) int {
	for offset > 0 {
		line := bytes.LastIndexByte(text[:offset-1], '\n') + 1
		content := bytes.TrimSpace(text[line:offset])
		if len(content) > 0 && content[0] != '#' {
			break
		}
		offset = line
	}
	return offset
}
