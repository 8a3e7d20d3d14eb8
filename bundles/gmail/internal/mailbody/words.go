package mailbody

import (
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/markdown"
)

// Words are what a mail says, twice: as text, which is Markdown, and as HTML.
type Words struct{ Text, HTML string }

// NewWords makes the one from the other when only one is given. Both parts are
// always there: Gmail breaks the lines of a draft that has text alone.
func NewWords(text, html string) Words {
	switch {
	case html == "":
		html = markdown.HTML(text)
	case text == "":
		text = TextOfHTML(html)
	}
	return Words{Text: text, HTML: html}
}

// TextOfHTML returns what a person sees of HTML, as Markdown.
func TextOfHTML(html string) string {
	return htmltext.HTML([]byte(html), htmltext.Options{}).Markdown
}

// Sign puts a signature below, as Gmail does: once.
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

// Add puts what is quoted below.
func (w Words) Add(quote Words) Words {
	if quote == (Words{}) {
		return w
	}
	w.Text = strings.TrimRight(w.Text, "\n") + "\n\n" + quote.Text
	w.HTML += "<br>" + quote.HTML
	return w
}
