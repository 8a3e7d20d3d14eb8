package compose

import (
	"regexp"
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/markdown"
)

// replaceText replaces the text of a draft. nil means that the caller gave none. New HTML
// replaces everything. If there is only a new text, the signature and the quote below the
// old text stay, except as described at signatureAndQuote.
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

// signatureAndQuote returns the signature and the quote at the end of a draft, if they have
// the form that Gmail or KOTA writes. If newText contains a signature, it returns only the
// quote. If newText contains a quote, it returns neither.
func signatureAndQuote(draft mailbody.Content, newText string) mailbody.Content {
	switch {
	case quoteInText().MatchString(newText):
		return mailbody.Content{}
	case signatureInText().MatchString(newText):
		return mailbody.Content{Text: fromFirstMatch(draft.Text, quoteInText), HTML: fromFirstMatch(draft.HTML, quoteInHTML)}
	}
	return mailbody.Content{Text: fromFirstMatch(draft.Text, signatureInText, quoteInText), HTML: fromFirstMatch(draft.HTML, signatureInHTML, quoteInHTML)}
}

// fromFirstMatch returns the end of the text, beginning with the first match of any
// pattern. It returns "" if no pattern matches.
func fromFirstMatch(text string, patterns ...func() *regexp.Regexp) string {
	first := len(text)
	for _, pattern := range patterns {
		if at := pattern().FindStringIndex(text); at != nil {
			first = min(first, at[0])
		}
	}
	return text[first:]
}
