package mailbody

import (
	"fmt"
	"mime"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// mostBodyBytes bounds the text of one message, decoded. What goes past this,
// deepestPart or mostParts is left out and noted.
const mostBodyBytes = 8 << 20

// Options say what becomes of a body besides being made readable.
type Options struct {
	Quoted bool // keep the history below an answer
}

// A Body is what a person sees of a message.
type Body struct {
	Text        string
	Format      string   // "text" or "markdown"; "" when there is no text
	Hidden      int      // characters of hidden text, dropped
	Invisible   int      // characters that show nothing, dropped
	Trackers    int      // images that report the reading, dropped
	QuotedChars int      // characters of history, left out
	Notes       []string // what a reader should know: limits that were met, what could not be read
}

// Read reads the text of a message as Gmail gives it with format=full.
//
// Of alternatives it takes the plain text, unless that says little or other
// than what the HTML shows. Several texts follow each other in their order.
// Files are left out, and so are messages within the message.
func Read(payload *gmailapi.MessagePart, o Options) Body {
	r := bodyReader{room: mostBodyBytes, options: o}
	r.options.Quoted = o.Quoted || isForward(payload)
	sections := r.read(payload, 0)
	b := Body{}
	var texts []string
	for _, s := range sections {
		b.Hidden += s.Hidden
		b.Invisible += s.Invisible
		b.Trackers += s.Trackers
		b.QuotedChars += s.QuotedChars
		if s.text == "" {
			continue
		}
		texts = append(texts, s.text)
		if b.Format == "" || s.format == "markdown" {
			b.Format = s.format
		}
	}
	b.Text = strings.Join(texts, "\n\n")
	b.Notes = r.notes
	return b
}

// A section is the text of one part.
type section struct {
	text, format string
	htmltext.Result
}

type bodyReader struct {
	options Options
	parts   int
	room    int // bytes of text that may still be decoded
	notes   []string
}

func (r *bodyReader) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); len(r.notes) < 10 && !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

func (r *bodyReader) read(part *gmailapi.MessagePart, depth int) []section {
	if part == nil {
		return nil
	}
	if r.parts++; r.parts > mostParts {
		r.note("the message has more than %d parts; the rest was not read", mostParts)
		return nil
	}
	if depth > deepestPart {
		r.note("parts nested deeper than %d were not read", deepestPart)
		return nil
	}
	kind := strings.ToLower(part.MimeType)
	switch {
	case kind == "multipart/alternative":
		return r.alternative(part, depth)
	case kind == "multipart/related" && len(part.Parts) > 0:
		return r.read(part.Parts[0], depth+1) // the rest is what it shows
	case strings.HasPrefix(kind, "multipart/"), kind == "" && len(part.Parts) > 0:
		var all []section
		for _, inner := range part.Parts {
			if r.parts > mostParts {
				break
			}
			all = append(all, r.read(inner, depth+1)...)
		}
		return all
	case isFile(part):
		return nil
	}
	return r.text(part, kind)
}

func (r *bodyReader) text(part *gmailapi.MessagePart, kind string) []section {
	if part.Body == nil {
		return nil
	}
	if part.Body.Data == "" {
		if part.Body.AttachmentId != "" {
			r.note("the text of part %s did not come with the message: it can be read as an attachment", htmltext.Line(part.PartId))
		}
		return nil
	}
	params := parameters(Header(part, "Content-Type"))
	if strings.Contains(strings.ToLower(params["charset"]), "utf-7") {
		r.note("a text in UTF-7 was not read: what it hides looks like plain ASCII")
		return nil
	}
	source := r.decode(r.bytes(part.Body.Data), params["charset"])
	if kind == "text/html" || htmlStart().MatchString(source) {
		return []section{r.html(source)}
	}
	if strings.EqualFold(params["format"], "flowed") {
		source = unflow(source, strings.EqualFold(params["delsp"], "yes"))
	}
	s := section{format: "text"}
	s.text, s.Invisible = htmltext.Text(source)
	s.text = strings.Trim(withoutImages(s.text), "\n")
	if !r.options.Quoted {
		s.text, s.QuotedChars = htmltext.Unquote(s.text)
	}
	return []section{s}
}

func (r *bodyReader) html(source string) section {
	s := section{format: "markdown", Result: htmltext.HTML([]byte(source), htmltext.Options{StripQuotes: !r.options.Quoted})}
	s.text = s.Markdown
	if s.Truncated {
		r.note("the HTML is too large or too deep; not all of it was read")
	}
	if !r.options.Quoted {
		own, quoted := htmltext.Unquote(s.text)
		s.text = own
		s.QuotedChars += quoted
	}
	return s
}

// isForward reports whether the subject says that the message was passed on:
// Outlook sets the same block above what it forwards as above history.
func isForward(payload *gmailapi.MessagePart) bool {
	subject := strings.ToLower(mailmsg.DecodeHeader(Header(payload, "Subject")))
	for _, prefix := range []string{"fwd:", "fw:", "wg:", "tr:", "rv:", "enc:", "doorst:", "vs:", "vb:", "i:", "pd:"} {
		if strings.HasPrefix(strings.TrimSpace(subject), prefix) {
			return true
		}
	}
	return false
}

// parameters reads what it can of a Content-Type: those of mail are often bad.
func parameters(contentType string) map[string]string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return params
	}
	params := map[string]string{}
	for _, piece := range strings.Split(contentType, ";")[1:] {
		name, value, _ := strings.Cut(piece, "=")
		params[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(value, " \t\r\n\"'")
	}
	return params
}
