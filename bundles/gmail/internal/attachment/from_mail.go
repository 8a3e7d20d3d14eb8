package attachment

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
)

// MaxConcurrent is the maximum number of attachments that are fetched
// concurrently.
const MaxConcurrent = 4

// RefersTo reports whether the enclosure is that file of the original mail.
func (e Enclosure) RefersTo(o *mailbody.Original, file mailbody.Attachment) bool {
	found := Find(o.Files, e.part)
	return e.message == o.ID && len(found) == 1 && found[0].Part == file.Part
}

// FetchEnclosures returns the files to attach, in the order of list. It fetches the parts
// of mails. If parts are missing, one error names all of them.
func FetchEnclosures(ctx context.Context, m *mailbox.Mailbox, list []Enclosure) ([]mailmsg.File, error) {
	var p mailbox.Problems
	mails := map[string]*mailbody.Original{}
	parts := make([]*mailbody.Attachment, len(list))
	for i, e := range list {
		if e.message == "" {
			continue
		}
		if mails[e.message] == nil {
			message, err := m.API.Users.Messages.Get(mailbox.Me, e.message).Format("full").Context(ctx).Do()
			if err != nil {
				return nil, fmt.Errorf("read the mail that %s is in: %w", e.path, err)
			}
			mails[e.message] = mailbody.NewOriginal(message)
		}
		files := mails[e.message].Files
		if found := Find(files, e.part); len(found) == 1 {
			parts[i] = &found[0]
		} else {
			untrusted.Mark(ctx, untrusted.Mail, "") // the error quotes names that the sender chose
			p.Add(e.path, "an attachment of that mail, by its part: "+cmp.Or(partNames(files), "it has none"), e.part)
		}
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	total := int64(0)
	for i, e := range list {
		total += e.Size
		if parts[i] != nil {
			total += parts[i].Size
		}
	}
	if err := mailbox.CheckSize(total); err != nil {
		return nil, err
	}
	files := make([]mailmsg.File, len(list))
	group, ctx := panicsafe.WithContext(ctx, MaxConcurrent)
	for i, e := range list {
		if e.message == "" {
			files[i] = e.File
			continue
		}
		group.Go(func() (err error) {
			files[i], err = fetchFile(ctx, m, e.message, *parts[i])
			return err
		})
	}
	return files, group.Wait()
}

// fetchFile fetches one file of the message with that id. It keeps the file's type, and
// makes the name safe for any file system.
func fetchFile(ctx context.Context, m *mailbox.Mailbox, messageID string, source mailbody.Attachment) (mailmsg.File, error) {
	part := source.MessagePart()
	name := mailmsg.DecodeHeader(part.Filename)
	if name == "" {
		name = mailbody.DefaultName(part, part.MimeType)
	}
	file := mailmsg.File{Name: mailbody.SafeFileName(name), ContentID: strings.Trim(mailmsg.MessageID(mailbody.Header(part, "Content-ID")), "<>")}
	content, err := Content(ctx, m, messageID, source)
	if err != nil {
		return mailmsg.File{}, err
	}
	file.Content, file.Type = content, mailmsg.MediaType(mailbody.Header(part, "Content-Type"), content)
	return file, nil
}
