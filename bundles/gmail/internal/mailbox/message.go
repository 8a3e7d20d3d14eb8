package mailbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/lazyregexp"
	"kota/metadata"
)

// These limit Gmail's answer for a message, in bytes. Only an answer in the format raw
// includes files. In the other formats, only an attack exceeds the limit.
const (
	MaxMessage       = 16 << 20
	MaxMessageOfMany = 4 << 20 // for one of several messages in a call
)

// FullMessage returns a message with its text. If Gmail's answer exceeds limit bytes or is
// broken, it returns only the headers, and a note for the reader. Otherwise note is "".
func (m *Mailbox) FullMessage(ctx context.Context, id string, limit int64) (message *gmailapi.Message, note string, err error) {
	message, err = m.Message(ctx, id, "full", limit)
	reason, ok := UnreadableReason(err)
	if err == nil || !ok {
		return message, "", err
	}
	message, err = m.Message(ctx, id, "metadata", limit)
	return message, "The text is omitted: " + reason + " Gmail itself may show it.", err
}

// Message fetches a message in one of Gmail's formats: full, metadata, minimal or raw.
// limit is the largest answer that it accepts, in bytes.
func (m *Mailbox) Message(ctx context.Context, id, format string, limit int64) (*gmailapi.Message, error) {
	message, err := m.Large(limit).Users.Messages.Get(Me, id).Format(format).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read message %s: %w", id, err)
	}
	return message, nil
}

// UnreadableReason reports whether Gmail answered but the answer cannot be read because of
// the message itself. It also returns the reason as a sentence. ok is false for a request
// that was refused or lost.
func UnreadableReason(err error) (reason string, ok bool) {
	failure, coded := (*google.Failure)(nil), (*metadata.Error)(nil)
	switch {
	case err == nil:
		return "", false
	case metadata.CodeOf(err) == metadata.TooLarge:
		return "the message is too large.", true
	case errors.As(err, &failure):
		return "Gmail's answer cannot be read.", failure.Status == 200
	}
	return "the message is nested too deeply or damaged.", !errors.As(err, &coded) && !isContextError(err)
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

const (
	// MaxRaw is Gmail's limit for an encoded mail (maxSize of gmail.users.drafts.create
	// in the discovery document).
	MaxRaw = 36_700_160
	// MaxContent is Gmail's limit for the content of a mail before encoding:
	// https://support.google.com/mail/answer/6584
	MaxContent = 25 << 20
	// MaxResponse limits an answer with a mail of up to MaxRaw bytes in base64.
	MaxResponse = MaxRaw/3*4 + 1<<20
)

// CheckSize returns TOO_LARGE if total, the size of a mail's content in bytes, exceeds
// Gmail's limit.
func CheckSize(total int64) error {
	if total <= MaxContent {
		return nil
	}
	return TooLargeError(total)
}

// TooLargeError returns the error for a mail of total bytes that exceeds Gmail's limit.
func TooLargeError(total int64) error {
	return metadata.Errorf(metadata.TooLarge, "the mail would have %.1f MB, and Gmail accepts 25: nothing was sent or saved", float64(total)/(1<<20)).
		WithHint("Attach less, or upload the file and send a link to it.")
}

// Problems are the problems of a call's arguments.
type Problems struct{ arguments.Problems }

// IDForm matches Gmail's ids. Other text must not become part of a request's path.
var IDForm = lazyregexp.New(`^[A-Za-z0-9_-]{1,128}$`)

// ID adds a problem if the argument at path cannot be an id.
func (p *Problems) ID(path, id string) {
	if !IDForm().MatchString(id) {
		p.Add(path, "an id as an earlier answer gave it", id)
	}
}

// CheckID returns a VALIDATION_ERROR if the argument at path cannot be an id.
func CheckID(path, id string) error {
	var p Problems
	p.ID(path, id)
	return p.Err()
}

// CheckIDs is like CheckID for a list of ids. The error names every invalid id.
func CheckIDs(path string, ids []string) error {
	var p Problems
	for i, id := range ids {
		p.ID(path+"["+strconv.Itoa(i)+"]", id)
	}
	return p.Err()
}

// Unique returns the elements in their order, without duplicates.
func Unique(list []string) []string {
	unique := make([]string, 0, len(list))
	for _, element := range list {
		if !slices.Contains(unique, element) {
			unique = append(unique, element)
		}
	}
	return unique
}
