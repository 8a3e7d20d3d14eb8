package mailbody

import (
	"html"
	"net/mail"
	"strings"
	"time"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/markdown"
)

// quoteStyle is Gmail's style for a quote. Gmail also uses it to recognise and fold
// quotes.
const quoteStyle = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"

// Quote returns the mail as a quote for a reply. A line above the quote names the author,
// and the time in zone. The quote contains only what a person could read, so the reply
// passes on no hidden text.
func (o *Original) Quote(zone *time.Location) Content {
	intro := "On " + o.date.In(zone).Format("Mon, 2 Jan 2006 at 15:04") + ", "
	name, link := textAndLink(o.From)
	var text strings.Builder
	text.WriteString(intro + name + " wrote:\n\n")
	for line := range strings.Lines(strings.TrimSpace(o.Text) + "\n") {
		line = strings.TrimRight(line, " \t\n")
		if strings.HasPrefix(line, ">") || line == "" {
			text.WriteString(">" + line + "\n")
			continue
		}
		text.WriteString("> " + line + "\n")
	}
	return Content{
		Text: text.String(),
		HTML: `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">` + html.EscapeString(intro) + link + " wrote:<br></div>" +
			`<blockquote class="gmail_quote" style="` + quoteStyle + `">` + "\n" + o.asHTML() + "</blockquote></div>\n",
	}
}

// asHTML returns o.Text as HTML. It does not interpret plain text as Markdown.
func (o *Original) asHTML() string {
	if o.isMarkdown {
		return markdown.HTML(o.Text)
	}
	return markdown.Plain(o.Text)
}

// textAndLink returns an address as text and as HTML.
func textAndLink(a *mail.Address) (text, markup string) {
	if a == nil {
		return "somebody", "somebody"
	}
	link := `&lt;<a href="mailto:` + html.EscapeString(a.Address) + `">` + html.EscapeString(a.Address) + "</a>&gt;"
	if a.Name == "" {
		return "<" + a.Address + ">", link
	}
	return a.Name + " <" + a.Address + ">", html.EscapeString(a.Name) + " " + link
}

// Forward returns the mail as the content of a forward: its headers, and below them its
// text and sanitized HTML. cut reports whether some of the HTML is omitted because it is
// too large or complex.
func (o *Original) Forward(zone *time.Location) (content Content, cut bool) {
	const begin = "---------- Forwarded message ---------"
	from, fromHTML := textAndLink(o.From)
	lines := [][2]string{
		{"From: " + from, "From: " + fromHTML},
		textAndHTML("Date: " + o.date.In(zone).Format("Mon, 2 Jan 2006 at 15:04")),
		textAndHTML("Subject: " + o.Subject),
		textAndHTML("To: " + strings.Join(ShowAddresses(o.To), ", ")),
	}
	if len(o.Cc) > 0 {
		lines = append(lines, textAndHTML("Cc: "+strings.Join(ShowAddresses(o.Cc), ", ")))
	}
	text := begin + "\n"
	markup := `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">` + begin + "<br>"
	for _, line := range lines {
		text += line[0] + "\n"
		markup += line[1] + "<br>"
	}
	sanitized, cut := htmltext.Sanitize([]byte(o.HTML), ".gmail_quote")
	if sanitized == "" {
		sanitized = o.asHTML()
	}
	return Content{Text: text + "\n" + strings.TrimSpace(o.Text) + "\n", HTML: markup + "</div><br>\n" + sanitized + "</div>\n"}, cut
}

// textAndHTML returns a line twice: as text and as HTML.
func textAndHTML(text string) [2]string { return [2]string{text, html.EscapeString(text)} }

// ShowAddress returns an address in readable form: "Anna Berg <anna@example.org>". It
// returns "" for nil.
func ShowAddress(a *mail.Address) string {
	if a == nil {
		return ""
	}
	if a.Name == "" {
		return a.Address
	}
	return a.Name + " <" + a.Address + ">"
}

// ShowAddresses is like ShowAddress for a list of addresses.
func ShowAddresses(list []*mail.Address) []string {
	all := make([]string, 0, len(list))
	for _, a := range list {
		all = append(all, ShowAddress(a))
	}
	return all
}
