package gmail

import (
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/markdown"
)

// Words are what a mail says, twice: as text, which is Markdown, and as HTML.
type words struct{ text, html string }

// newWords makes the one from the other when only one is given. Both parts are
// always there: Gmail breaks the lines of a draft that has text alone.
func newWords(text, html string) words {
	switch {
	case html == "":
		html = markdown.HTML(text)
	case text == "":
		text = textOfHTML(html)
	}
	return words{text: text, html: html}
}

// textOfHTML returns what a person sees of HTML, as Markdown.
func textOfHTML(html string) string {
	return htmltext.HTML([]byte(html), htmltext.Options{}).Markdown
}

// sign puts a signature below, as Gmail does: once.
func (w words) sign(signature string) words {
	if strings.TrimSpace(signature) == "" {
		return w
	}
	if text := strings.TrimSpace(textOfHTML(signature)); text != "" {
		w.text = strings.TrimRight(w.text, "\n") + "\n\n-- \n" + text + "\n"
	}
	w.html += `<br><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">` + signature + "</div>\n"
	return w
}

// add puts what is quoted below.
func (w words) add(quote words) words {
	if quote == (words{}) {
		return w
	}
	w.text = strings.TrimRight(w.text, "\n") + "\n\n" + quote.text
	w.html += "<br>" + quote.html
	return w
}
