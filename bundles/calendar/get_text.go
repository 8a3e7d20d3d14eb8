package calendar

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
)

// A textOut is an event's description, or a part of it.
type textOut struct {
	Description string       `json:"description,omitempty"` // Markdown
	TotalChars  int          `json:"total_chars,omitempty"` // length of the whole description, if this is a part
	NextOffset  int          `json:"next_offset,omitempty"`
	Dropped     *droppedText `json:"dropped,omitempty"`
}

// A droppedText counts what was left out of a description because a reader would not see
// it.
type droppedText struct {
	Hidden    int `json:"hidden,omitempty"`    // characters of hidden text
	Invisible int `json:"invisible,omitempty"` // characters without a glyph
	Trackers  int `json:"trackers,omitempty"`  // tracking images, which report to their server that they were loaded
}

// lineBreakTag matches the HTML tags that begin a new line.
var lineBreakTag = lazyregexp.New(`(?i)<(br|p|div|li|ul|ol|table|tr|h[1-6]|html|body)\b`)

// readText returns at most max characters of a description from the offset on, as Markdown.
// It leaves out what Google Calendar does not show. The description may be plain text, HTML
// or both.
func readText(description string, offset, max int) textOut {
	var out textOut
	text, dropped := description, droppedText{}
	if strings.Contains(text, "<") || html.UnescapeString(text) != text {
		if !lineBreakTag().MatchString(text) {
			text = strings.ReplaceAll(text, "\n", "<br>")
		}
		read := htmltext.HTML([]byte(text), htmltext.Options{})
		text, dropped = read.Markdown, droppedText{read.Hidden, read.Invisible, read.Trackers}
	} else {
		text, dropped.Invisible = htmltext.Text(text)
	}
	if dropped != (droppedText{}) {
		out.Dropped = &dropped
	}
	var total int
	out.Description, out.NextOffset, total = htmltext.Cut(text, offset, max)
	if out.NextOffset > 0 || offset > 0 {
		out.TotalChars = total
	}
	return out
}

// An attachment is a file of an event, stored in Google Drive.
type attachment struct {
	Title string `json:"title"`
	Type  string `json:"type,omitempty"`
	Link  string `json:"link,omitempty"`
}

func attachments(e *calendarapi.Event) []attachment {
	var all []attachment
	for _, f := range e.Attachments {
		all = append(all, attachment{eventtext.Cut(htmltext.Line(f.Title), maxShownText), htmltext.Line(f.MimeType), webLink(f.FileUrl)})
	}
	return all
}

// joinLinks lists the links and numbers of the event's video call:
// "video: https://meet.google.com/abc-defg-hij", "phone: tel:+31-20-555-0100 (PIN 1234)".
func joinLinks(e *calendarapi.Event) []string {
	var links []string
	if e.ConferenceData != nil {
		for _, entry := range e.ConferenceData.EntryPoints {
			link := linkOf(entry.Uri, "https", "http", "tel", "sip")
			if link == "" {
				continue
			}
			way := htmltext.Line(entry.EntryPointType) + ": " + link
			for _, secret := range [][2]string{{"PIN", entry.Pin}, {"access code", entry.AccessCode}, {"meeting code", entry.MeetingCode}, {"passcode", entry.Passcode}, {"password", entry.Password}} {
				if secret[1] != "" && !strings.Contains(link, secret[1]) {
					way += fmt.Sprintf(" (%s %s)", secret[0], eventtext.Cut(htmltext.Line(secret[1]), maxShownText))
				}
			}
			links = append(links, way)
		}
		if len(links) == 0 && e.ConferenceData.CreateRequest != nil {
			links = append(links, "being created: read the event again in a moment")
		}
	}
	if link := webLink(e.HangoutLink); link != "" && !slices.ContainsFunc(links, func(way string) bool { return strings.Contains(way, link) }) {
		links = append(links, "video: "+link)
	}
	return links
}

// webLink returns the text if it is the address of a web page, or "".
func webLink(text string) string { return linkOf(text, "https", "http") }

// linkOf returns the text if it is an address with one of the schemes, or "".
func linkOf(text string, schemes ...string) string {
	const maxLength = 2000
	text = htmltext.Line(text)
	u, err := url.Parse(text)
	if err != nil || len(text) > maxLength || !slices.Contains(schemes, strings.ToLower(u.Scheme)) || strings.ContainsAny(text, " <>\"") {
		return ""
	}
	return text
}
