package markdown

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/lazyregexp"
)

// maxSpan is the maximum length in bytes of emphasis and inline code.
const maxSpan = 1000

var (
	link          = lazyregexp.New(`^(!?)\[((?:[^\[\]\\]|\\.){0,500})\]\(<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:[ \t]+"[^"]{0,200}")?\)`)
	urlPattern    = lazyregexp.New(`^(?i:https?://|mailto:)[^\s<>"` + "`" + `]+`)
	allowedTarget = lazyregexp.New(`^(?i:https?://|mailto:|tel:)[^\s]`)
)

// inline writes the text of one block. For each kind of mark it calls a
// function that writes the beginning of text and returns how many bytes of text
// that is. The function returns 0 if text does not begin with such a mark.
func (w *writer) inline(text string, depth int) {
	before := ' ' // the character before text: some marks must not follow a letter
	for len(text) > 0 {
		n := 0
		switch c := text[0]; {
		case c == '\\':
			n = w.escaped(text)
		case c == '\n':
			w.WriteString("<br>\n")
			n = 1
		case c == '`':
			n = w.inlineCode(text)
		case c == '[', c == '!':
			n = w.link(text, depth)
		case c == '<':
			n = w.autolink(text)
		case c == '*', c == '_' && !isWord(before):
			n = w.emphasis(text, depth)
		case (c|0x20 == 'h' || c|0x20 == 'm') && !isWord(before): // http, mailto
			n = w.bareURL(text)
		}
		if n > 0 {
			before, _ = utf8.DecodeLastRuneInString(text[:n])
			text = text[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		w.WriteString(html.EscapeString(text[:size]))
		before, text = r, text[size:]
	}
}

// isWord reports whether r can be part of a word.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// escaped writes the character after a backslash, without the backslash.
func (w *writer) escaped(text string) int {
	if len(text) < 2 || strings.IndexByte("\\`*_[]()#+-.!<>~|", text[1]) < 0 {
		return 0
	}
	w.WriteString(html.EscapeString(text[1:2]))
	return 2
}

// inlineCode writes the code between two runs of backticks of the same length.
func (w *writer) inlineCode(text string) int {
	ticks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	inner := text[len(ticks):min(len(text), maxSpan)]
	end := strings.Index(inner, ticks)
	for end >= 0 && strings.HasPrefix(inner[end+len(ticks):], "`") { // a longer run does not end it
		skip := end + len(ticks) + len(inner[end+len(ticks):]) - len(strings.TrimLeft(inner[end+len(ticks):], "`"))
		next := strings.Index(inner[skip:], ticks)
		if next < 0 {
			return w.text(ticks)
		}
		end = skip + next
	}
	if len(ticks) > maxSpan || end <= 0 {
		return w.text(ticks)
	}
	w.WriteString("<code>" + strings.ReplaceAll(html.EscapeString(inner[:end]), "\n", "<br>\n") + "</code>")
	return end + 2*len(ticks)
}

// text writes the text without markup, escaped, and returns its length.
func (w *writer) text(text string) int {
	w.WriteString(html.EscapeString(text))
	return len(text)
}

// link writes [text](target), or an image that the mail contains (cid:).
func (w *writer) link(text string, depth int) int {
	parts := link().FindStringSubmatch(text[:min(len(text), maxSpan+500)]) // 500 is the limit of the link's text
	if parts == nil || depth >= maxDepth {
		return 0
	}
	target := html.EscapeString(parts[3])
	switch {
	case parts[1] == "!" && strings.HasPrefix(parts[3], "cid:"):
		w.WriteString(`<img src="` + target + `" alt="` + html.EscapeString(parts[2]) + `">`)
	case parts[1] == "" && allowedTarget().MatchString(parts[3]):
		w.WriteString(`<a href="` + target + `">`)
		w.label(parts[2], depth)
		w.WriteString("</a>")
	default:
		return 0
	}
	return len(parts[0])
}

// label writes the text of a link. If that is a URL or contains a link, label
// writes it without markup, because links cannot be nested.
func (w *writer) label(text string, depth int) {
	if urlPattern().MatchString(text) {
		w.text(text)
		return
	}
	var inner writer
	inner.inline(text, depth+1)
	if strings.Contains(inner.String(), "<a ") {
		w.text(text)
		return
	}
	w.WriteString(inner.String())
}

// autolink writes <https://…>.
func (w *writer) autolink(text string) int {
	target := urlPattern().FindString(text[1:])
	if target == "" || !strings.HasPrefix(text[1+len(target):], ">") {
		return 0
	}
	w.anchor(target)
	return len(target) + 2
}

// bareURL writes a URL, without punctuation that follows it.
func (w *writer) bareURL(text string) int {
	target := urlPattern().FindString(text)
	for target != "" {
		trimmed := strings.TrimRight(target, ".,;:!?'*_~")
		if strings.HasSuffix(trimmed, ")") && strings.Count(trimmed, ")") > strings.Count(trimmed, "(") ||
			strings.HasSuffix(trimmed, "]") && strings.Count(trimmed, "]") > strings.Count(trimmed, "[") {
			trimmed = trimmed[:len(trimmed)-1]
		}
		if trimmed == target {
			break
		}
		target = trimmed
	}
	if !allowedTarget().MatchString(target) {
		return 0
	}
	w.anchor(target)
	return len(target)
}

// anchor writes a link whose text is its target.
func (w *writer) anchor(target string) {
	target = html.EscapeString(target)
	w.WriteString(`<a href="` + target + `">` + target + `</a>`)
}

// emphasis writes **strong** and *emphasized* text, but not 2 * 3 * 4 or snake_case.
func (w *writer) emphasis(text string, depth int) int {
	run := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	if len(run) > 3 || depth >= maxDepth {
		return w.text(run)
	}
	for size := min(len(run), 2); size > 0; size-- {
		mark := run[:size]
		end := closingIndex(text[size:min(len(text), maxSpan)], mark)
		if end <= 0 {
			continue
		}
		tag := map[int]string{1: "em", 2: "strong"}[size]
		w.WriteString("<" + tag + ">")
		w.inline(text[size:size+end], depth+1)
		w.WriteString("</" + tag + ">")
		return end + 2*size
	}
	return w.text(run)
}

// closingIndex returns the index in text of the mark that closes the emphasis,
// or -1. text begins after the opening mark.
func closingIndex(text, mark string) int {
	if r, _ := utf8.DecodeRuneInString(text); unicode.IsSpace(r) || r == utf8.RuneError {
		return -1
	}
	for at := 0; ; {
		next := strings.Index(text[at:], mark)
		if next < 0 {
			return -1
		}
		end := at + next
		run := len(text[end:]) - len(strings.TrimLeft(text[end:], mark[:1]))
		before, _ := utf8.DecodeLastRuneInString(text[:end])
		after, _ := utf8.DecodeRuneInString(text[end+run:])
		fits := run == len(mark) || run == 3 // three marks close * and **
		if end > 0 && fits && !unicode.IsSpace(before) && before != '\\' && (mark[0] == '*' || !isWord(after)) {
			return end + run - len(mark)
		}
		at = end + run
	}
}
