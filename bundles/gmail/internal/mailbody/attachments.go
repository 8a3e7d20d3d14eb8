package mailbody

import (
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// An Attachment is a file in a message.
type Attachment struct {
	Part   string `json:"part"` // its place in the message, which names it
	Name   string `json:"name"`
	Type   string `json:"type"`
	Size   int64  `json:"size"`
	Inline bool   `json:"inline,omitempty"` // a picture in the text

	source *gmailapi.MessagePart
}

// MessagePart returns the part of the message that is the file.
func (a Attachment) MessagePart() *gmailapi.MessagePart { return a.source }

// A hostile message may have parts without end.
const (
	deepestPart = 50
	mostParts   = 1000
)

// Attachments returns the files in a message, in their order. A message in it
// is one file.
func Attachments(payload *gmailapi.MessagePart) (files []Attachment) {
	seen := 0
	var walk func(part *gmailapi.MessagePart, depth int)
	walk = func(part *gmailapi.MessagePart, depth int) {
		if seen++; part == nil || depth > deepestPart || seen > mostParts {
			return
		}
		if isFile(part) {
			files = append(files, fileOf(part))
			return
		}
		for _, inner := range part.Parts {
			walk(inner, depth+1)
		}
	}
	walk(payload, 0)
	return files
}

// isFile tells a file from the text of the message and from what holds other
// parts together.
func isFile(part *gmailapi.MessagePart) bool {
	kind := strings.ToLower(part.MimeType)
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		return false
	case kind == "text/plain" || kind == "text/html":
		return part.Filename != "" || isDisposition(part, "attachment")
	}
	return kind != ""
}

func fileOf(part *gmailapi.MessagePart) Attachment {
	file := Attachment{
		Part: part.PartId, Name: htmltext.Line(mailmsg.DecodeHeader(part.Filename)), Type: htmltext.Line(strings.ToLower(part.MimeType)),
		Inline: !isDisposition(part, "attachment") && Header(part, "Content-ID") != "", source: part,
	}
	if part.Body != nil {
		file.Size = part.Body.Size
	}
	if file.Name == "" {
		file.Name = DefaultName(part, file.Type)
	}
	file.Name = shortName(file.Name)
	return file
}

// DefaultName is what a file without a name is called; a message by its subject.
func DefaultName(part *gmailapi.MessagePart, kind string) string {
	switch kind {
	case "message/rfc822":
		if len(part.Parts) > 0 {
			if subject := htmltext.Line(mailmsg.DecodeHeader(Header(part.Parts[0], "Subject"))); subject != "" {
				return subject + ".eml"
			}
		}
		return "message.eml"
	case "text/calendar":
		return "invite.ics"
	}
	return "unnamed"
}

func isDisposition(part *gmailapi.MessagePart, kind string) bool {
	value, _, _ := strings.Cut(Header(part, "Content-Disposition"), ";")
	return strings.EqualFold(strings.TrimSpace(value), kind)
}

// Header returns the first header of that name, in any case, or "".
func Header(part *gmailapi.MessagePart, name string) string {
	if part == nil {
		return ""
	}
	for _, h := range part.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}
