package compose

import (
	"regexp"
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/markdown"
)

// replaceText replaces the text of a draft. A new text keeps the signature and the quote
// below the old text, unless it contains its own.
func replaceText(message *mailmsg.Message, text, html *string) {
	switch {
	case html != nil:
		plain := ""
		if text != nil {
			plain = *text
		}
		content := mailbody.NewContent(plain, *html)
		message.Text, message.HTML = content.Text, content.HTML
	case text != nil:
		below := signatureAndQuote(mailbody.Content{Text: message.Text, HTML: message.HTML}, *text)
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
	quoteInText     = lazyregexp.New(`(?m)\n*^(On .{1,400} wrote:|-{5,} ?Forwarded message ?-{5,})[ \t]*$`)
	signatureInText = lazyregexp.New(`(?m)\n*^-- $`)
	quoteInHTML     = lazyregexp.New(`(<br>)?<div class="gmail_quote`)
	signatureInHTML = lazyregexp.New(`(<br>)?(<span class="gmail_signature_prefix|<div [^>]*class="gmail_signature)`)
)

// signatureAndQuote returns the signature and the quote below the text of a draft, in the
// form of Gmail or KOTA. It omits those that the new text contains itself.
func signatureAndQuote(below mailbody.Content, text string) mailbody.Content {
	switch {
	case quoteInText().MatchString(text):
		return mailbody.Content{}
	case signatureInText().MatchString(text):
		return mailbody.Content{Text: fromFirstMatch(below.Text, quoteInText), HTML: fromFirstMatch(below.HTML, quoteInHTML)}
	}
	return mailbody.Content{Text: fromFirstMatch(below.Text, signatureInText, quoteInText), HTML: fromFirstMatch(below.HTML, signatureInHTML, quoteInHTML)}
}

// fromFirstMatch returns the text from the first match of any pattern on.
func fromFirstMatch(text string, begins ...func() *regexp.Regexp) string {
	first := len(text)
	for _, begin := range begins {
		if at := begin().FindStringIndex(text); at != nil {
			first = min(first, at[0])
		}
	}
	return text[first:]
}
