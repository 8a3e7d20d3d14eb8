package gmail

import (
	"context"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google"
	"kota/bundles/internal/rfc5322"
	"kota/bundles/internal/safely"
	"kota/metadata"
)

// filesAtOnce is how many attachments are fetched at the same time.
const filesAtOnce = 4

// enclosed returns the files to attach, in their order: those that are parts
// of other mails are fetched now. All that are missing are named at once.
func (m *mailbox) enclosed(ctx context.Context, list []enclosure) ([]rfc5322.File, error) {
	var p problems
	mails := map[string]*original{}
	parts := make([]*attachment, len(list))
	for i, e := range list {
		if e.message == "" {
			continue
		}
		if mails[e.message] == nil {
			message, err := m.api.Users.Messages.Get(me, e.message).Format("full").Context(ctx).Do()
			if err != nil {
				return nil, fmt.Errorf("read the mail that %s is in: %w", e.path, err)
			}
			mails[e.message] = newOriginal(message)
		}
		if parts[i] = findPart(mails[e.message].files, e.part); parts[i] == nil {
			p.add(e.path, "an attachment of that mail: "+strings.Join(partNames(mails[e.message].files), ", "), e.part)
		}
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	total := int64(0)
	for i, e := range list {
		total += e.size
		if parts[i] != nil {
			total += parts[i].Size
		}
	}
	if err := checkSize(total); err != nil {
		return nil, err
	}
	files := make([]rfc5322.File, len(list))
	group, ctx := safely.WithContext(ctx, filesAtOnce)
	for i, e := range list {
		if e.message == "" {
			files[i] = e.file
			continue
		}
		group.Go(func() (err error) {
			files[i], err = m.fetchFile(ctx, e.message, parts[i].content)
			return err
		})
	}
	return files, group.Wait()
}

// findPart returns the file with that part id or, when only one has it, that
// name; else nil.
func findPart(files []attachment, name string) *attachment {
	var named *attachment
	for i := range files {
		switch {
		case files[i].Part == name:
			return &files[i]
		case files[i].Name == name && named != nil:
			return nil
		case files[i].Name == name:
			named = &files[i]
		}
	}
	return named
}

func partNames(files []attachment) []string {
	names := []string{}
	for _, f := range files {
		names = append(names, fmt.Sprintf("%s (%s)", f.Part, brief(f.Name)))
	}
	if len(names) == 0 {
		return []string{"it has none"}
	}
	return names
}

// fetchFile reads one file of a mail. Its name and type are those it has
// there, as far as a mail of ours can say them.
func (m *mailbox) fetchFile(ctx context.Context, message string, part *gmailapi.MessagePart) (rfc5322.File, error) {
	file := rfc5322.File{
		Name:      rfc5322.FileName(rfc5322.DecodeHeader(part.Filename)),
		ContentID: strings.Trim(rfc5322.MessageID(partHeader(part, "Content-ID")), "<>"),
	}
	if file.Name == "" {
		file.Name = unnamed(part, part.MimeType)
	}
	body := part.Body
	if body == nil {
		body = &gmailapi.MessagePartBody{}
	}
	data := body.Data
	if body.AttachmentId != "" {
		fetched, err := m.api.Users.Messages.Attachments.Get(me, message, body.AttachmentId).Context(google.WithLimit(ctx, mostAnswered)).Do()
		if err != nil {
			return rfc5322.File{}, fmt.Errorf("fetch the attachment %q: %w", file.Name, err)
		}
		data = fetched.Data
	}
	content, err := decodeData(data)
	// An empty file in the place of one that cannot be had would look sent.
	if err != nil || len(content) == 0 && (body.Size > 0 || part.MimeType == "message/rfc822") {
		return rfc5322.File{}, metadata.Errorf(metadata.Unavailable, "Gmail does not give the attachment %q whole: nothing was sent or saved", brief(file.Name)).
			WithHint("Repeat the call, or leave it out; the user can pass it on in Gmail.")
	}
	file.Content, file.Type = content, rfc5322.MediaType(partHeader(part, "Content-Type"), content)
	return file, nil
}
