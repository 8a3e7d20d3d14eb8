package htmltext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

// HTMLComplete is HTML without options. It also reports whether the Markdown is
// complete: whether a reader of it has seen every text, attribute and comment of
// the source that has a meaning.
//
// Only a document of plain elements is complete: paragraphs, headings, lists,
// quotes, tables, links, emphasis and code. The only attributes are the address
// of a link, the number at which a list starts, and a few fixed values.
// Anything else in the source makes the Markdown incomplete. Markup that a
// parser must repair makes it incomplete too, and so does each word or address
// that the Markdown lacks. Layout does not count: which of these elements contains a word, and how
// much white space is between words.
func HTMLComplete(src []byte) (Result, bool) {
	p := render(src, Options{})
	source, plain := sourceContent(src)
	return *p.result, plain && p.result.Invisible == 0 && !p.result.Truncated && source == pageContent(p.root)
}

// content is the content of a document without its layout: its texts in order
// without white space, and between them the attributes.
type content struct{ strings.Builder }

func (s *content) text(text string) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			s.WriteRune(r)
		}
	}
}

// attribute encloses the attribute in characters that no text contains.
func (s *content) attribute(name, value string) { s.WriteString("\x00" + name + "=" + value + "\x00") }

// pageContent returns the content of the tree of a page.
func pageContent(root *html.Node) string {
	var s content
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

// sourceContent returns the content of the source, and whether every byte of it
// is in a plain token. It uses no parser, because a parser may drop or repair
// something.
func sourceContent(src []byte) (text string, plain bool) {
	z := html.NewTokenizer(strings.NewReader(string(src)))
	var s content
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

// token adds the content of a token, and reports whether the token is plain:
// whether its text is fully known.
func (s *content) token(kind html.TokenType, raw string, z *html.Tokenizer) bool {
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
		once := strings.Count(raw, `"`) == 2*len(tag.Attr) // of two attributes with the same name, the tokenizer keeps only the first
		return once && s.tag(tag)
	}
	return false
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }

// plainTag matches a start tag that can be read in only one way.
var plainTag = lazyregexp.New(`^<[a-z]+[1-6]?( [a-z]+="[^"<>\x00-\x1f]*")* ?/?>$`)

// tag adds the attributes that a page shows. It reports whether the element is
// plain and every other attribute has one of its fixedValues.
func (s *content) tag(tag html.Token) bool {
	if !isPlain(tag.Data) {
		return false
	}
	for _, a := range tag.Attr {
		switch {
		case tag.Data == "a" && a.Key == "href", tag.Data == "ol" && a.Key == "start" && isNumber(a.Val):
			s.attribute(a.Key, a.Val)
		case !slices.Contains(fixedValues[a.Key], a.Val):
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && strconv.Itoa(n) == text
}

// isPlain reports whether an element adds nothing to the meaning of its text.
// Elements that strike out, raise, fold away or hide their content are not
// plain.
func isPlain(name string) bool {
	switch name {
	case "html", "head", "meta", "body", "div", "span", "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "u", "code", "pre",
		"blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "a":
		return true
	}
	return false
}

// fixedValues are the attribute values that need not be shown: mail programs,
// including KOTA, mark quotes, signatures and tables with them. None loads,
// hides or names anything.
var fixedValues = map[string][]string{
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
