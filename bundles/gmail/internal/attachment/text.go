package attachment

import (
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// textTypes are the media types of text in addition to text/*.
var textTypes = map[string]bool{
	"application/json": true, "application/xml": true, "application/csv": true, "application/ics": true, "application/x-yaml": true,
	"application/yaml": true, "message/delivery-status": true,
}

// Text returns the text of a text file. If it cuts the text, total is the length of the
// whole text in characters, and otherwise 0. Text refuses other types, because a model
// cannot read them but would have to pay for them.
func Text(file mailbody.Attachment, content []byte) (text string, total int, err error) {
	if !strings.HasPrefix(file.Type, "text/") && !textTypes[file.Type] {
		return "", 0, metadata.Errorf(metadata.ValidationError, "%s is not text but %s", file.Name, file.Type).WithHint(`Save it with as "file".`)
	}
	if file.Type == "text/html" {
		text = htmltext.HTML(content, htmltext.Options{}).Markdown
	} else {
		text, _ = htmltext.Text(mailbody.TextOfPart(file.MessagePart(), content))
	}
	part, next, all := htmltext.Cut(text, 0, maxTextChars)
	if next == 0 {
		return part, 0, nil
	}
	return part, all, nil
}

const (
	maxFileBytes = 25 << 20 // Gmail's limit for sending
	maxTextChars = 20_000
)
