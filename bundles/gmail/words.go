package gmail

import (
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
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

var (
	speaksOfFile = lazyregexp.Of(`(?i)\b(attached|attachment|attaching|enclosed|im anhang|anbei|angehängt|beigefügt|ci-joint|pièce jointe|en pièces jointes|adjunt[oa]|in allegato|bijlage|bijgevoegd)\b`)
	placeholder  = lazyregexp.Of(`(?i)\[(your|my|insert|recipient|name|first name|company|date|position|title|contact|phone|link)\b[^\]\n]{0,40}\]([^(]|$)`)
)

// remark warns of what looks forgotten in what the user is about to send.
func (l *letter) remark() {
	say := func(what string) { l.warnings = append(l.warnings, what) }
	files := len(l.message.Attachments)
	if strings.TrimSpace(l.message.Subject) == "" {
		say("there is no subject")
	}
	if strings.TrimSpace(l.words) == "" && files == 0 && l.kind != "forward" {
		say("there is no text")
	}
	if files == 0 && speaksOfFile().MatchString(l.words) {
		say("the text speaks of an attachment, and none is attached")
	}
	if left := placeholder().FindString(l.words); left != "" {
		say("a placeholder is left in the text: " + strings.TrimSpace(left))
	}
}
