package htmltext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

// Whole is HTML without options, and reports whether its Markdown is all that
// the document says: whoever has read the Markdown has read every text,
// attribute and comment of the source.
//
// That holds of a document of plain elements alone (paragraphs, headings, lists,
// quotes, tables, links, emphasis, code), with no attribute beyond the address
// of a link, the number a list starts with, and a few values that are fixed.
// Whatever else is in the source, and whatever a parser would have to mend,
// makes it not whole; so does a word or an address that the Markdown is without.
// How it is laid out is not told: which of those elements words stand in, and
// how much white space is between them.
func Whole(src []byte) (Result, bool) {
	p := render(src, Options{})
	said, plain := saidBySource(src)
	return *p.result, plain && p.result.Invisible == 0 && !p.result.Truncated && said == saidByPage(p.root)
}

// A saying is what a document says, without what lays it out: its texts in their
// order without white space, and between them the attributes.
type saying struct{ strings.Builder }

func (s *saying) text(text string) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			s.WriteRune(r)
		}
	}
}

// attribute stands between characters that no text has.
func (s *saying) attribute(name, value string) { s.WriteString("\x00" + name + "=" + value + "\x00") }

// saidByPage is what the tree of a page says.
func saidByPage(root *html.Node) string {
	var s saying
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			s.text(n.Data)
		}
		for _, a := range n.Attr {
			s.attribute(a.Key, a.Val)
		}
	}
	return s.String()
}

// saidBySource is what the source says, and whether it is plain. It trusts no parser
// to have kept anything: each byte is in a token that is known to the letter.
func saidBySource(src []byte) (said string, plain bool) {
	z := html.NewTokenizer(strings.NewReader(string(src)))
	var s saying
	for read := 0; ; {
		kind := z.Next()
		raw := string(z.Raw())
		if kind == html.ErrorToken {
			return s.String(), read == len(src) && raw == ""
		}
		read += len(raw)
		if !s.token(kind, raw, z) {
			return "", false
		}
	}
}

// token adds what a token says, and reports whether it is plain.
func (s *saying) token(kind html.TokenType, raw string, z *html.Tokenizer) bool {
	switch kind {
	case html.TextToken:
		s.text(html.UnescapeString(raw))
		return !strings.ContainsFunc(raw, func(r rune) bool { return r == '<' || r == unicode.ReplacementChar || isControl(r) })
	case html.DoctypeToken:
		return strings.EqualFold(raw, "<!doctype html>")
	case html.EndTagToken:
		name, ok := strings.CutPrefix(strings.TrimSuffix(raw, ">"), "</")
		return ok && isPlain(name)
	case html.StartTagToken, html.SelfClosingTagToken:
		if !plainTag().MatchString(raw) {
			return false
		}
		tag := z.Token()
		once := strings.Count(raw, `"`) == 2*len(tag.Attr) // of two of a name, all but the first are dropped
		return once && s.tag(tag)
	}
	return false
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }

// plainTag is a start tag that nobody reads in two ways.
var plainTag = lazyregexp.Of(`^<[a-z]+[1-6]?( [a-z]+="[^"<>\x00-\x1f]*")* ?/?>$`)

// tag adds the attributes that a page shows, and reports whether the rest is fixed.
func (s *saying) tag(tag html.Token) bool {
	if !isPlain(tag.Data) {
		return false
	}
	for _, a := range tag.Attr {
		switch {
		case tag.Data == "a" && a.Key == "href", tag.Data == "ol" && a.Key == "start" && isNumber(a.Val):
			s.attribute(a.Key, a.Val)
		case !slices.Contains(fixed[a.Key], a.Val):
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && strconv.Itoa(n) == text
}

// isPlain reports whether an element says nothing that its text does not. That
// is not so of those that strike out, raise, fold away or hide what is in them.
func isPlain(name string) bool {
	switch name {
	case "html", "head", "meta", "body", "div", "span", "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "u", "code", "pre",
		"blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "a":
		return true
	}
	return false
}

// fixed are the attribute values that need not be shown: how mail programs, this one too,
// mark quotes, signatures and tables. None loads, hides or names anything.
var fixed = map[string][]string{
	"charset": {"utf-8", "UTF-8"},
	"dir":     {"ltr", "auto"},
	"align":   {"left", "center", "right"},
	"border":  {"0", "1"},
	"target":  {"_blank"},
	"rel":     {"noopener", "noreferrer", "noopener noreferrer"},
	"class":   {"gmail_quote", "gmail_quote gmail_quote_container", "gmail_attr", "gmail_signature", "gmail_signature_prefix"},
	"style": {
		"margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex",
		"margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex",
		"border-collapse:collapse",
		"border:1px solid #ccc;padding:2px 8px;text-align:left",
	},
}
