package search

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTextBytes is the length of text after which PlainText stops reading an object or an array.
const maxTextBytes = 256 << 10

// PlainText returns the readable text of a JSON value in its original order. The JSON of a string
// gives that string, and {"city":"Ulm","zip":[1,2]} gives "city: Ulm, zip: 1, 2". Text that does
// not begin with JSON is returned unchanged.
func PlainText(value string) string {
	if only := ""; strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &only) == nil {
		return only // most values are strings, and this is twice as fast as a decoder
	}
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.UseNumber()
	text := strings.Builder{}
	inObject := []bool{} // one per open bracket
	name := false        // the next string is a name
	noSeparator := true  // the next token needs no separator before it
	for text.Len() < maxTextBytes {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		if bracket, ok := token.(json.Delim); ok {
			if bracket == '{' || bracket == '[' {
				inObject = append(inObject, bracket == '{')
			} else {
				inObject = inObject[:len(inObject)-1]
			}
			name = len(inObject) > 0 && inObject[len(inObject)-1]
			continue
		}
		if !noSeparator {
			text.WriteString(", ")
		}
		text.WriteString(tokenText(token))
		if name {
			text.WriteString(": ")
		}
		noSeparator = name
		name = !name && len(inObject) > 0 && inObject[len(inObject)-1]
	}
	if text.Len() == 0 && !json.Valid([]byte(value)) {
		return value
	}
	return text.String()
}

// tokenText returns the text of a JSON string, number, boolean or null.
func tokenText(token json.Token) string {
	switch v := token.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return "null"
}

// maxSnippetRunes is the maximum length of a snippet.
const maxSnippetRunes = 160

// Snippet returns the part of text around the first matched term, on one line of at most
// maxSnippetRunes runes. It marks omitted text with ….
func Snippet(text string, matched map[string]bool) string {
	text = oneLine(strings.ToValidUTF8(text, "\uFFFD"))
	length := utf8.RuneCountInString(text)
	if length <= maxSnippetRunes {
		return text
	}
	start := max(0, firstMatch(text, matched)-maxSnippetRunes/4)
	end := min(length, start+maxSnippetRunes-2) // two for the ellipses
	if start > 0 && end == length {
		start = end - (maxSnippetRunes - 2)
	}
	from := offset(text, start)
	if start > 0 {
		before := offset(text, start-1)
		if space := strings.IndexByte(text[before:offset(text, min(start+20, end)-1)], ' '); space >= 0 {
			from = before + space + 1
		}
	}
	cut := text[from:offset(text, end)]
	if end < length {
		if space := strings.LastIndexByte(cut, ' '); space > len(cut)*4/5 {
			cut = cut[:space]
		}
		cut += "…"
	}
	if start > 0 {
		cut = "…" + cut
	}
	return cut
}

// oneLine replaces white space with single spaces and removes it at both ends. Most texts
// need no change.
func oneLine(text string) string {
	last := ' '
	for _, r := range text {
		if unicode.IsSpace(r) && (r != ' ' || last == ' ') {
			return strings.Join(strings.Fields(text), " ")
		}
		last = r
	}
	return strings.TrimSuffix(text, " ")
}

// offset returns the byte position of the rune with that index.
func offset(text string, index int) int {
	for at := range text {
		if index == 0 {
			return at
		}
		index--
	}
	return len(text)
}

// firstMatch returns the position, in runes, of the first field of text with a matched
// term, or 0.
func firstMatch(text string, matched map[string]bool) int {
	if len(matched) == 0 {
		return 0 // without terms there is nothing to find
	}
	at := 0
	for field := range strings.SplitSeq(text, " ") {
		for _, c := range chunks(field) {
			if within := c.position(field, matched); within >= 0 {
				return at + within
			}
		}
		at += utf8.RuneCountInString(field) + 1
	}
	return 0
}

// position returns the position, in runes, of a matched term of c in field, or -1.
func (c chunk) position(field string, matched map[string]bool) int {
	for _, term := range slices.Concat(c.joined, c.literal) {
		if matched[term] {
			return 0
		}
	}
	for _, part := range c.parts {
		for _, term := range part {
			if !matched[term] {
				continue
			}
			// Chinese has no spaces, so a field can be a whole page.
			before, _, _ := strings.Cut(strings.ToLower(field), term)
			if len(before) == len(strings.ToLower(field)) {
				return 0
			}
			return utf8.RuneCountInString(before)
		}
	}
	return -1
}
