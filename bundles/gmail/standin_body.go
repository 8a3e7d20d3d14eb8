package gmail

import (
	"encoding/base64"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/readable"
)

type bodyOptions struct{ Quoted bool }

type mailBody struct {
	Text    string
	Dropped dropped
	Note    string
}

func readBody(payload *gmailapi.MessagePart, _ bodyOptions) mailBody {
	var b mailBody
	var walk func(*gmailapi.MessagePart)
	walk = func(p *gmailapi.MessagePart) {
		if p == nil {
			return
		}
		if strings.HasPrefix(p.MimeType, "text/") && !isFile(p) && p.Body != nil && b.Text == "" {
			raw, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(p.Body.Data, "="))
			b.Text, b.Dropped.Invisible = readable.Text(string(raw))
		}
		for _, q := range p.Parts {
			walk(q)
		}
	}
	walk(payload)
	return b
}
