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

// Quote returns the mail in the form of a quote below an answer. A line above it names
// the author and the time in the user's zone. The quote contains only what a person could
// read, so no hidden text is passed on.
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

// asHTML returns the readable text as HTML. It does not interpret plain text as Markdown.
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

// Forward returns the mail in the form of a forward: below its headers, with its
// original HTML. The result cut reports that some of the HTML is omitted because it is
// too large.
func (o *Original) Forward(zone *time.Location) (all Content, cut bool) {
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
	content, cut := htmltext.Sanitize([]byte(o.HTML), ".gmail_quote")
	if content == "" {
		content = o.asHTML()
	}
	return Content{Text: text + "\n" + strings.TrimSpace(o.Text) + "\n", HTML: markup + "</div><br>\n" + content + "</div>\n"}, cut
}

// textAndHTML returns a line with the same content as text and as HTML.
func textAndHTML(text string) [2]string { return [2]string{text, html.EscapeString(text)} }

// ShowAddress returns an address in readable form.
func ShowAddress(a *mail.Address) string {
	if a == nil {
		return ""
	}
	if a.Name == "" {
		return a.Address
	}
	return a.Name + " <" + a.Address + ">"
}

func ShowAddresses(list []*mail.Address) []string {
	all := make([]string, 0, len(list))
	for _, a := range list {
		all = append(all, ShowAddress(a))
	}
	return all
}
