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

// maxBodyBytes limits the decoded text of one message. Read omits what exceeds
// maxBodyBytes, maxPartDepth or maxParts, and adds a note.
const maxBodyBytes = 8 << 20

// Options control what Read returns.
type Options struct {
	Quoted bool // keep the quoted history below a reply
}

// A Body is the text of a message that a person sees.
type Body struct {
	Text        string
	Format      string   // "text" or "markdown"; "" if there is no text
	Hidden      int      // characters of hidden text that were removed
	Invisible   int      // invisible characters that were removed
	Trackers    int      // tracking images that were removed
	QuotedChars int      // characters of quoted history that were left out
	Notes       []string // notes for the reader, for example about limits that were reached
}

// Read reads the text of a message in Gmail's format=full.
//
// If the text has several alternative forms, Read prefers plain text, unless the plain
// text is a stub or differs from the HTML. It joins several texts in their order. It omits
// files and messages within the message.
func Read(payload *gmailapi.MessagePart, o Options) Body {
	r := bodyReader{bytesLeft: maxBodyBytes, options: o}
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

// A section is the text of one message part. Its format is like Body.Format.
type section struct {
	text, format string
	htmltext.Result
}

type bodyReader struct {
	options   Options
	parts     int // number of parts that were read
	bytesLeft int // number of text bytes that may still be decoded
	notes     []string
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
	if r.parts++; r.parts > maxParts {
		r.note("the message has more than %d parts; the rest was not read", maxParts)
		return nil
	}
	if depth > maxPartDepth {
		r.note("parts nested deeper than %d were not read", maxPartDepth)
		return nil
	}
	kind := strings.ToLower(part.MimeType)
	switch {
	case kind == "multipart/alternative":
		return r.alternative(part, depth)
	case kind == "multipart/related" && len(part.Parts) > 0:
		return r.read(part.Parts[0], depth+1) // the other parts are resources of the first
	case strings.HasPrefix(kind, "multipart/"), kind == "" && len(part.Parts) > 0:
		var all []section
		for _, inner := range part.Parts {
			if r.parts > maxParts {
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
			r.note("the text of part %s is not included in the message; read it as an attachment", htmltext.Line(part.PartId))
		}
		return nil
	}
	params := parameters(Header(part, "Content-Type"))
	if strings.Contains(strings.ToLower(params["charset"]), "utf-7") {
		r.note("a text in UTF-7 was not read, because it can hide text in plain ASCII")
		return nil
	}
	source := r.toUTF8(r.decodeData(part.Body.Data), params["charset"])
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

// isForward reports whether the subject marks a forward. Outlook puts the same header lines
// above forwarded mail as above quoted history, so only the subject tells them apart.
func isForward(payload *gmailapi.MessagePart) bool {
	subject := strings.ToLower(mailmsg.DecodeHeader(Header(payload, "Subject")))
	for _, prefix := range []string{"fwd:", "fw:", "wg:", "tr:", "rv:", "enc:", "doorst:", "vs:", "vb:", "i:", "pd:"} {
		if strings.HasPrefix(strings.TrimSpace(subject), prefix) {
			return true
		}
	}
	return false
}

// parameters returns the parameters of a Content-Type. Mail often has invalid parameters,
// so parameters returns those that can be parsed.
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
