package attachment

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// Find returns the files that match a selector: the file with that part or number ("#1"),
// or otherwise all files with that name. The case of names does not matter. The selector ""
// matches every file.
func Find(files []mailbody.Attachment, selector string) []mailbody.Attachment {
	var matching []mailbody.Attachment
	for i, f := range files {
		if selector == f.Part && selector != "" || selector == "#"+strconv.Itoa(i+1) {
			return files[i : i+1]
		}
		if selector == "" || strings.EqualFold(f.Name, htmltext.Line(selector)) {
			matching = append(matching, f)
		}
	}
	return matching
}

// partNames returns the names and parts of the first files, for an error that asks the
// caller to choose one.
func partNames(files []mailbody.Attachment) string {
	names := []string{}
	for _, f := range files[:min(len(files), present.MaxListedOfMany)] {
		names = append(names, fmt.Sprintf("%s (part %s)", arguments.Brief(f.Name), f.Part))
	}
	return strings.Join(names, ", ")
}

// Content returns all bytes of a file in the message with that id. If Gmail returns only a
// part of the file, Content returns an error. It fetches the file unless the message
// already contains its bytes.
func Content(ctx context.Context, m *mailbox.Mailbox, messageID string, file mailbody.Attachment) ([]byte, error) {
	body := file.MessagePart().Body
	if body == nil {
		return nil, incompleteError(file)
	}
	data := body.Data
	if body.AttachmentId != "" {
		fetched, err := m.Large(mailbox.MaxResponse).Users.Messages.Attachments.Get(mailbox.Me, messageID, body.AttachmentId).Context(ctx).Do()
		if err != nil {
			return nil, fmt.Errorf("fetch the attachment %q: %w", arguments.Brief(file.Name), err)
		}
		data = fetched.Data
	}
	content, err := mailbody.DecodeBase64(data)
	if err != nil || !isComplete(file, len(content)) {
		return nil, incompleteError(file)
	}
	return content, nil
}

// isComplete reports whether a content of size bytes can be the whole file. Gmail converts
// text to UTF-8, and may return nothing for a message within a message.
func isComplete(file mailbody.Attachment, size int) bool {
	switch {
	case size == 0:
		return file.Size == 0 && file.Type != "message/rfc822"
	case strings.HasPrefix(file.Type, "text/"):
		return true
	}
	return int64(size) == file.Size
}

func incompleteError(file mailbody.Attachment) error {
	return metadata.Errorf(metadata.Unavailable, "Gmail returned only a part of the attachment %q: nothing was sent or saved", arguments.Brief(file.Name)).
		WithHint("Repeat the call, or omit the attachment; the user can open the message in Gmail.")
}

// Fetch returns a message, its attachment that matches the selector, and the content of
// that attachment. It reads the message first, because the id of an attachment changes
// with each read. If only the attachment cannot be read, it still returns the message.
func Fetch(ctx context.Context, m *mailbox.Mailbox, messageID, selector string) (*gmailapi.Message, mailbody.Attachment, []byte, error) {
	message, err := m.Message(ctx, messageID, "full", mailbox.MaxMessage)
	if err != nil {
		return nil, mailbody.Attachment{}, nil, err
	}
	file, err := chooseFile(mailbody.Attachments(message.Payload), selector)
	if err != nil {
		return message, mailbody.Attachment{}, nil, err
	}
	if file.Size > maxFileBytes {
		return message, file, nil, metadata.Errorf(metadata.TooLarge, "%s has %s MB; the limit is 25 MB", file.Name, metadata.MiB(file.Size)).
			WithHint("Open the message in Gmail to download it.")
	}
	content, err := Content(ctx, m, messageID, file)
	return message, file, content, err
}

// chooseFile returns the only file that matches the selector. It returns NOT_FOUND if there
// is none, and a VALIDATION_ERROR if there are several.
func chooseFile(files []mailbody.Attachment, selector string) (mailbody.Attachment, error) {
	found := Find(files, selector)
	hint := "Name one of them by its part: " + partNames(files) + "."
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(files) == 0:
		return mailbody.Attachment{}, metadata.Errorf(metadata.NotFound, "the message has no attachments").WithHint("Read the message with gmail_get_message; another message of the thread may have the attachment.")
	case len(found) == 0:
		return mailbody.Attachment{}, metadata.Errorf(metadata.NotFound, "the message has no attachment %q", arguments.Brief(selector)).WithHint("%s", hint)
	}
	e := metadata.Errorf(metadata.ValidationError, "%d attachments match", len(found)).WithHint("%s", hint)
	e.Problems = []metadata.Problem{{Path: "attachment", Expected: "the part of one of them", Got: strconv.Quote(arguments.Brief(selector)), Suggestion: found[0].Part}}
	return mailbody.Attachment{}, e
}

// FetchFiles fetches parts of one mail, in their order. Before that, it checks that their
// total size is within Gmail's limit.
func FetchFiles(ctx context.Context, m *mailbox.Mailbox, message string, parts []mailbody.Attachment) ([]mailmsg.File, error) {
	total := int64(0)
	for _, part := range parts {
		total += part.Size
	}
	if err := mailbox.CheckSize(total); err != nil {
		return nil, err
	}
	files := make([]mailmsg.File, len(parts))
	group, ctx := panicsafe.WithContext(ctx, MaxConcurrent)
	for i, part := range parts {
		group.Go(func() (err error) {
			files[i], err = fetchFile(ctx, m, message, part)
			return err
		})
	}
	return files, group.Wait()
}
