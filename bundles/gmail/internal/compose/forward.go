package compose

import (
	"context"
	"html"
	"net/url"
	"slices"
	"strings"

	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/mailmsg"
)

// showsImage reports whether an HTML document shows the image with that Content-ID.
func showsImage(document, id string) bool {
	escaped := html.EscapeString(id)
	return strings.Contains(document, `"cid:`+escaped+`"`) || strings.Contains(document, `"cid:`+url.PathEscape(id)+`"`)
}

// ForwardFiles copies files of the original mail into the composition: the images that the
// HTML document shows, and with includeAttachments the other files. It warns about files
// that are neither copied nor among the caller's enclosures.
func ForwardFiles(ctx context.Context, m *mailbox.Mailbox, c *Composition, o *mailbody.Original, document string, includeAttachments bool, enclosures []attachment.Enclosure) error {
	var inline, attached []mailbody.Attachment
	omitted := 0
	for _, file := range o.Files {
		switch id := strings.Trim(mailmsg.MessageID(mailbody.Header(file.MessagePart(), "Content-ID")), "<>"); {
		case id != "" && showsImage(document, id):
			inline = append(inline, file)
		case includeAttachments:
			attached = append(attached, file)
		case !slices.ContainsFunc(enclosures, func(e attachment.Enclosure) bool { return e.RefersTo(o, file) }):
			omitted++
		}
	}
	var err error
	if c.Message.Inline, err = attachment.FetchFiles(ctx, m, o.ID, inline); err != nil {
		return err
	}
	if c.Message.Attachments, err = attachment.FetchFiles(ctx, m, o.ID, attached); err != nil {
		return err
	}
	if omitted > 0 {
		c.Warnings = append(c.Warnings, present.Counted(omitted, "attachment of the mail is", "attachments of the mail are")+" left out")
	}
	return nil
}
