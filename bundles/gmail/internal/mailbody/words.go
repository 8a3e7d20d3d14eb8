package mailbody

import (
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/markdown"
)

// Words are the content of a mail in two forms: Text, which is Markdown, and HTML.
type Words struct{ Text, HTML string }

// NewWords makes the missing form from the other. A mail always has both, because Gmail
// breaks the lines of a draft that only has text.
func NewWords(text, html string) Words {
	switch {
	case html == "":
		html = markdown.HTML(text)
	case text == "":
		text = TextOfHTML(html)
	}
	return Words{Text: text, HTML: html}
}

// TextOfHTML returns the visible text of HTML as Markdown.
func TextOfHTML(html string) string {
	return htmltext.HTML([]byte(html), htmltext.Options{}).Markdown
}

// Sign adds a signature below the text, like Gmail. An empty signature adds nothing.
func (w Words) Sign(signature string) Words {
	if strings.TrimSpace(signature) == "" {
		return w
	}
	if text := strings.TrimSpace(TextOfHTML(signature)); text != "" {
		w.Text = strings.TrimRight(w.Text, "\n") + "\n\n-- \n" + text + "\n"
	}
	w.HTML += `<br><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">` + signature + "</div>\n"
	return w
}

// Add adds the quote below the text.
func (w Words) Add(quote Words) Words {
	if quote == (Words{}) {
		return w
	}
	w.Text = strings.TrimRight(w.Text, "\n") + "\n\n" + quote.Text
	w.HTML += "<br>" + quote.HTML
	return w
}
