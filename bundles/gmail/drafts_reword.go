package gmail

import (
	"regexp"
	"strings"

	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/markdown"
)

// reword replaces what the draft says. A text keeps the signature and the quote
// that were below the old one, unless it brings its own.
func reword(message *mailmsg.Message, text, html *string) {
	switch {
	case html != nil:
		plain := ""
		if text != nil {
			plain = *text
		}
		whole := newWords(plain, *html)
		message.Text, message.HTML = whole.text, whole.html
	case text != nil:
		below := tail(words{text: message.Text, html: message.HTML}, *text)
		switch { // other programs may have written one of the two alone
		case message.HTML == "":
			below.html = markdown.Plain(below.text)
		case message.Text == "" && below.html != "":
			below.text = "\n\n" + textOfHTML(below.html) + "\n"
		}
		message.Text, message.HTML = strings.TrimRight(*text, "\n")+below.text, markdown.HTML(*text)+below.html
	}
}

var (
	quoteInText = lazyregexp.Of(`(?m)\n*^(On .{1,400} wrote:|-{5,} ?Forwarded message ?-{5,})[ \t]*$`)
	signInText  = lazyregexp.Of(`(?m)\n*^-- $`)
	quoteInHTML = lazyregexp.Of(`(<br>)?<div class="gmail_quote`)
	signInHTML  = lazyregexp.Of(`(<br>)?(<span class="gmail_signature_prefix|<div [^>]*class="gmail_signature)`)
)

// tail is what stands below the words of a draft as Gmail and KOTA write it:
// its signature and its quote. What the new words bring themselves is not in
// it.
func tail(below words, text string) words {
	switch {
	case quoteInText().MatchString(text):
		return words{}
	case signInText().MatchString(text):
		return words{text: from(below.text, quoteInText), html: from(below.html, quoteInHTML)}
	}
	return words{text: from(below.text, signInText, quoteInText), html: from(below.html, signInHTML, quoteInHTML)}
}

// from returns the text from the first match of any of these on.
func from(text string, begins ...func() *regexp.Regexp) string {
	first := len(text)
	for _, begin := range begins {
		if at := begin().FindStringIndex(text); at != nil {
			first = min(first, at[0])
		}
	}
	return text[first:]
}
