package gmail

import (
	"html"
	"net/mail"
	"strings"
	"time"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/markdown"
)

// quoteStyle is how Gmail draws a quote, and knows one to fold away.
const quoteStyle = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"

// quote returns the mail as it stands below an answer, under a line that says
// whose words they are and when they were written, in the user's zone. It is
// what a person could read of the mail: nothing hidden is passed on.
func (o *original) quote(zone *time.Location) words {
	said := "On " + o.date.In(zone).Format("Mon, 2 Jan 2006 at 15:04") + ", "
	name, link := whom(o.from)
	var text strings.Builder
	text.WriteString(said + name + " wrote:\n\n")
	for line := range strings.Lines(strings.TrimSpace(o.text) + "\n") {
		line = strings.TrimRight(line, " \t\n")
		if strings.HasPrefix(line, ">") || line == "" {
			text.WriteString(">" + line + "\n")
			continue
		}
		text.WriteString("> " + line + "\n")
	}
	return words{
		text: text.String(),
		html: `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">` + html.EscapeString(said) + link + " wrote:<br></div>" +
			`<blockquote class="gmail_quote" style="` + quoteStyle + `">` + "\n" + o.asHTML() + "</blockquote></div>\n",
	}
}

// asHTML is the text that a person could read as HTML. A plain text is no
// Markdown: a number sign in it is one.
func (o *original) asHTML() string {
	if o.isMarkdown {
		return markdown.HTML(o.text)
	}
	return markdown.Plain(o.text)
}

// whom returns an address as text and as HTML.
func whom(a *mail.Address) (text, markup string) {
	if a == nil {
		return "somebody", "somebody"
	}
	link := `&lt;<a href="mailto:` + html.EscapeString(a.Address) + `">` + html.EscapeString(a.Address) + "</a>&gt;"
	if a.Name == "" {
		return "<" + a.Address + ">", link
	}
	return a.Name + " <" + a.Address + ">", html.EscapeString(a.Name) + " " + link
}

// passedOn returns the mail as it stands in one that forwards it: below its
// headers, with its HTML as it looked, and whether some of that is left out
// because it is too much.
func (o *original) passedOn(zone *time.Location) (all words, cut bool) {
	const begin = "---------- Forwarded message ---------"
	from, fromHTML := whom(o.from)
	lines := [][2]string{
		{"From: " + from, "From: " + fromHTML},
		same("Date: " + o.date.In(zone).Format("Mon, 2 Jan 2006 at 15:04")),
		same("Subject: " + o.subject),
		same("To: " + strings.Join(shownAll(o.to), ", ")),
	}
	if len(o.cc) > 0 {
		lines = append(lines, same("Cc: "+strings.Join(shownAll(o.cc), ", ")))
	}
	text := begin + "\n"
	markup := `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">` + begin + "<br>"
	for _, line := range lines {
		text += line[0] + "\n"
		markup += line[1] + "<br>"
	}
	content, cut := htmltext.Harmless([]byte(o.html), ".gmail_quote")
	if content == "" {
		content = o.asHTML()
	}
	return words{text: text + "\n" + strings.TrimSpace(o.text) + "\n", html: markup + "</div><br>\n" + content + "</div>\n"}, cut
}

// same is a line that reads the same in both forms.
func same(text string) [2]string { return [2]string{text, html.EscapeString(text)} }

// shown is an address as people read it.
func shown(a *mail.Address) string {
	if a == nil {
		return ""
	}
	if a.Name == "" {
		return a.Address
	}
	return a.Name + " <" + a.Address + ">"
}

func shownAll(list []*mail.Address) []string {
	all := make([]string, 0, len(list))
	for _, a := range list {
		all = append(all, shown(a))
	}
	return all
}
