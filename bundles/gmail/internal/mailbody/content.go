package mailbody

import (
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/markdown"
)

// Content is the content of a mail in two forms: Text, which is Markdown, and HTML.
type Content struct{ Text, HTML string }

// NewContent returns content with both forms. It makes a form that is "" from the other,
// because Gmail breaks the lines of a draft that only has text.
func NewContent(text, html string) Content {
	switch {
	case html == "":
		html = markdown.HTML(text)
	case text == "":
		text = TextOfHTML(html)
	}
	return Content{Text: text, HTML: html}
}

// TextOfHTML returns the visible text of HTML as Markdown.
func TextOfHTML(html string) string {
	return htmltext.HTML([]byte(html), htmltext.Options{}).Markdown
}

// AddSignature adds a signature below the text, like Gmail. An empty signature adds
// nothing.
func (c Content) AddSignature(signature string) Content {
	if strings.TrimSpace(signature) == "" {
		return c
	}
	if text := strings.TrimSpace(TextOfHTML(signature)); text != "" {
		c.Text = strings.TrimRight(c.Text, "\n") + "\n\n-- \n" + text + "\n"
	}
	c.HTML += `<br><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">` + signature + "</div>\n"
	return c
}

// AddQuote adds the quote below the text.
func (c Content) AddQuote(quote Content) Content {
	if quote == (Content{}) {
		return c
	}
	c.Text = strings.TrimRight(c.Text, "\n") + "\n\n" + quote.Text
	c.HTML += "<br>" + quote.HTML
	return c
}
