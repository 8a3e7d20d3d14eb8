package mailbody

import (
	"path/filepath"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
)

// An Attachment is a file in a message.
type Attachment struct {
	Part   string `json:"part"` // the position of the file in the message, used as the file's id
	Name   string `json:"name"`
	Type   string `json:"type"`
	Size   int64  `json:"size"`
	Inline bool   `json:"inline,omitempty"` // the text may show the file, such as an image

	source *gmailapi.MessagePart
}

// MessagePart returns the message part that contains the file.
func (a Attachment) MessagePart() *gmailapi.MessagePart { return a.source }

// These limit the work for a hostile message with endless parts.
const (
	maxPartDepth = 50
	maxParts     = 1000
)

// Attachments returns the files in a message, in their order. A message within the message
// counts as one file.
func Attachments(payload *gmailapi.MessagePart) (files []Attachment) {
	seen := 0
	var walk func(part *gmailapi.MessagePart, depth int)
	walk = func(part *gmailapi.MessagePart, depth int) {
		if seen++; part == nil || depth > maxPartDepth || seen > maxParts {
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

// isFile reports whether a part is a file, and neither text of the message nor a container
// of parts.
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

// DefaultName returns the name for a file without a name. For a message, this is the
// subject.
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

// Header returns the first header with that name, or "". The case of the name does not
// matter.
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

var (
	// unsafeInNames matches characters with a special meaning in the file names of some
	// system.
	unsafeInNames = lazyregexp.New(`[<>:"|?*/\\\x00-\x1f]`)
	// windowsDevices matches the names of Windows devices, with any extension.
	windowsDevices = lazyregexp.New(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$| )`)
)

// maxFileName is the largest length of a file name in bytes. File systems allow 255. The
// rest is for the number that attachment.Folder.Save adds if the name is taken.
const maxFileName = 150

// SafeFileName turns a name from a sender into one that is harmless in any file system.
// The result contains no folders, and does not name a device, a hidden file or a
// command-line option.
func SafeFileName(name string) string {
	name = htmltext.Line(name)
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = unsafeInNames().ReplaceAllString(name, "_")
	name = strings.Trim(name, " .-_~")
	if name == "" {
		name = "attachment"
	}
	if windowsDevices().MatchString(name) {
		name = "_" + name
	}
	return shortName(name)
}

// shortName shortens a name to the limit and keeps its extension.
func shortName(name string) string {
	base, ending := SplitFileName(name)
	if len(base)+len(ending) <= maxFileName {
		return name
	}
	base = strings.ToValidUTF8(base[:maxFileName-len(ending)], "")
	return strings.TrimRight(base, " .") + ending
}

// SplitFileName splits a name before its extension: the extension of "a.tar.gz" is ".gz".
// ending is "" if the extension is the whole name or longer than 20 bytes.
func SplitFileName(name string) (base, ending string) {
	ending = filepath.Ext(name)
	if len(ending) > 20 || len(ending) == len(name) {
		ending = ""
	}
	return strings.TrimSuffix(name, ending), ending
}
