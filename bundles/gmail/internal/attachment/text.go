package attachment

import (
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// textTypes are the media types of text, besides text/*.
var textTypes = map[string]bool{
	"application/json": true, "application/xml": true, "application/csv": true, "application/ics": true, "application/x-yaml": true,
	"application/yaml": true, "message/delivery-status": true,
}

// Text returns what is written in a text file, and how many characters
// it has if that is not all. What is no text is refused: a model cannot read
// it, and would pay for it.
func Text(file mailbody.Attachment, content []byte) (text string, total int, err error) {
	if !strings.HasPrefix(file.Type, "text/") && !textTypes[file.Type] {
		return "", 0, metadata.Errorf(metadata.ValidationError, "%s is no text but %s", file.Name, file.Type).WithHint(`Save it with as "file".`)
	}
	if file.Type == "text/html" {
		text = htmltext.HTML(content, htmltext.Options{}).Markdown
	} else {
		text, _ = htmltext.Text(mailbody.TextOfPart(file.MessagePart(), content))
	}
	part, next, all := htmltext.Cut(text, 0, mostOfAText)
	if next == 0 {
		return part, 0, nil
	}
	return part, all, nil
}

const (
	mostOfAFile = 25 << 20 // bytes, as much as Gmail lets anybody send
	mostOfAText = 20_000   // characters
)
