package mailbody

import (
	"strings"
	"unicode"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/lazyregexp"
)

// alternative reads all forms of a text and returns one of them.
func (r *bodyReader) alternative(part *gmailapi.MessagePart, depth int) []section {
	var plain, rich []section
	for _, inner := range part.Parts {
		if r.parts > maxParts {
			break
		}
		sections := r.read(inner, depth+1)
		if isRich(sections) {
			rich = sections // the last form is the most faithful: RFC 2046, 5.1.4
		} else if len(plain) == 0 {
			plain = sections
		}
	}
	switch {
	case textLength(rich) == 0:
		return plain
	case textLength(plain) == 0:
		return rich
	}
	return r.choose(plain, rich)
}

func isRich(sections []section) bool {
	for _, s := range sections {
		if s.format == "markdown" {
			return true
		}
	}
	return false
}

// choose returns the plain text, unless the plain text is a stub or differs from the HTML.
// A person sees the HTML, so a different plain text could hide instructions for machines.
func (r *bodyReader) choose(plain, rich []section) []section {
	plainWords, richWords := wordSet(plain), wordSet(rich)
	common := 0
	for word := range plainWords {
		if richWords[word] {
			common++
		}
	}
	switch {
	case stub().MatchString(joinTexts(plain)) && 2*len(plainWords) < len(richWords), 4*len(plainWords) < len(richWords):
		return rich
	case 10*common < 7*len(plainWords):
		r.note("the plain text differs from the HTML; this is the HTML, which people see")
		return rich
	}
	return plain
}

// stub matches words that are typical of a plain text that only refers to the HTML.
var stub = lazyregexp.New(`(?i)(view|read|see|open)\b.{0,60}\b(browser|online|web)|html|im browser|online[- ](ansehen|lesen|version)|navigateur|en ligne|navegador|en línea`)

var linksAndTags = lazyregexp.New(`https?://\S+|<[^<>\s]*>`)

// wordSet returns the distinct words of the sections, without links and addresses.
func wordSet(sections []section) map[string]bool {
	set := map[string]bool{}
	text := linksAndTags().ReplaceAllString(strings.ToLower(joinTexts(sections)), " ")
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		set[word] = true
	}
	return set
}

func joinTexts(sections []section) string {
	var b strings.Builder
	for _, s := range sections {
		b.WriteString(s.text + "\n")
	}
	return b.String()
}

func textLength(sections []section) int { return len(strings.TrimSpace(joinTexts(sections))) }

var (
	htmlStart    = lazyregexp.New(`(?i)^\s*(<!doctype html|<html[\s>])`)
	inlineImage  = lazyregexp.New(`!(\[[^\[\]\n]{0,500}\]\()`)
	linkTarget   = lazyregexp.New(`(?m)^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*\S`)
	anyImageMark = lazyregexp.New(`!(\[[^\[\]\n]{0,500}\])`)
)

// withoutImages turns Markdown images in a plain text into links. A client that renders
// the model's answer would otherwise fetch the images.
func withoutImages(text string) string {
	if !strings.Contains(text, "![") {
		return text
	}
	text = inlineImage().ReplaceAllString(text, "$1")
	if linkTarget().MatchString(text) {
		text = anyImageMark().ReplaceAllString(text, "$1")
	}
	return text
}
