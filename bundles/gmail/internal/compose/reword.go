package compose

import (
	"regexp"
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/markdown"
)

// reword replaces the text of a draft. A new text keeps the signature and the quote below
// the old text, unless it contains its own.
func reword(message *mailmsg.Message, text, html *string) {
	switch {
	case html != nil:
		plain := ""
		if text != nil {
			plain = *text
		}
		whole := mailbody.NewWords(plain, *html)
		message.Text, message.HTML = whole.Text, whole.HTML
	case text != nil:
		below := tail(mailbody.Words{Text: message.Text, HTML: message.HTML}, *text)
		switch { // other programs may have written only text or only HTML
		case message.HTML == "":
			below.HTML = markdown.Plain(below.Text)
		case message.Text == "" && below.HTML != "":
			below.Text = "\n\n" + mailbody.TextOfHTML(below.HTML) + "\n"
		}
		message.Text, message.HTML = strings.TrimRight(*text, "\n")+below.Text, markdown.HTML(*text)+below.HTML
	}
}

var (
	quoteInText = lazyregexp.Of(`(?m)\n*^(On .{1,400} wrote:|-{5,} ?Forwarded message ?-{5,})[ \t]*$`)
	signInText  = lazyregexp.Of(`(?m)\n*^-- $`)
	quoteInHTML = lazyregexp.Of(`(<br>)?<div class="gmail_quote`)
	signInHTML  = lazyregexp.Of(`(<br>)?(<span class="gmail_signature_prefix|<div [^>]*class="gmail_signature)`)
)

// tail returns the signature and the quote below the text of a draft, in the form of
// Gmail or KOTA. It omits those that the new text contains itself.
func tail(below mailbody.Words, text string) mailbody.Words {
	switch {
	case quoteInText().MatchString(text):
		return mailbody.Words{}
	case signInText().MatchString(text):
		return mailbody.Words{Text: from(below.Text, quoteInText), HTML: from(below.HTML, quoteInHTML)}
	}
	return mailbody.Words{Text: from(below.Text, signInText, quoteInText), HTML: from(below.HTML, signInHTML, quoteInHTML)}
}

// from returns the text from the first match of any pattern on.
func from(text string, begins ...func() *regexp.Regexp) string {
	first := len(text)
	for _, begin := range begins {
		if at := begin().FindStringIndex(text); at != nil {
			first = min(first, at[0])
		}
	}
	return text[first:]
}
