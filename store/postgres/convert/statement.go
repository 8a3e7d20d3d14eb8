// Package convert gives statements, their arguments and their results the form that PostgreSQL or
// package engine wants.
package convert

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// rewritten keeps the PostgreSQL form of each statement. The statements are a fixed set, apart from
// a few whose WHERE varies. maxRewritten bounds the memory if a caller builds texts without end.
var (
	rewritten      sync.Map // text with ? → text with $1
	rewrittenCount atomic.Int64
)

const maxRewritten = 4096

// Statement returns a statement with the parameters of SQLite, ? and ?2, as one with those of
// PostgreSQL, $1 and $2. As in SQLite, a bare ? has the number after the largest one so far. Text in
// quotes and comments stays as it is. PostgreSQL's own operators with a question mark cannot be
// used.
func Statement(query string) string {
	if text, ok := rewritten.Load(query); ok {
		return text.(string)
	}
	text := numberParameters(query)
	if rewrittenCount.Load() < maxRewritten {
		if _, exists := rewritten.LoadOrStore(query, text); !exists {
			rewrittenCount.Add(1)
		}
	}
	return text
}

func numberParameters(query string) string {
	if !strings.Contains(query, "?") {
		return query
	}
	b := strings.Builder{}
	largest := 0
	for at := 0; at < len(query); {
		skipped := skipQuoted(query[at:])
		if skipped > 0 {
			b.WriteString(query[at : at+skipped])
			at += skipped
			continue
		}
		if query[at] != '?' {
			b.WriteByte(query[at])
			at++
			continue
		}
		at++
		digits := at
		for digits < len(query) && query[digits] >= '0' && query[digits] <= '9' {
			digits++
		}
		number := largest + 1
		if digits > at {
			number, _ = strconv.Atoi(query[at:digits])
		}
		largest = max(largest, number)
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(number))
		at = digits
	}
	return b.String()
}

// skipQuoted returns the length of the string, quoted name or comment with which text begins, or 0.
// A doubled quote ends one string and begins the next, which gives the same result.
func skipQuoted(text string) int {
	end := ""
	switch {
	case text[0] == '\'' || text[0] == '"':
		end = text[:1]
	case strings.HasPrefix(text, "--"):
		end = "\n"
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	default:
		return 0
	}
	from := 1
	if len(end) == 2 {
		from = 2
	}
	if found := strings.Index(text[from:], end); found >= 0 {
		return from + found + len(end)
	}
	return len(text)
}
