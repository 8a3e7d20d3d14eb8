package mailbox

import (
	"context"
	"errors"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google"
	"kota/metadata"
)

// The most that is taken of Gmail's answer with a message, in bytes. Files are
// not in it, so that text alone makes it large, and such text is an attack.
const (
	MaxAlone     = 16 << 20
	MaxAmongMany = 4 << 20
)

// FullMessage returns a message with its text. If the message is too large or broken,
// it returns the headers and says so.
func (m *Mailbox) FullMessage(ctx context.Context, id string, limit int64) (message *gmailapi.Message, broken string, err error) {
	message, err = m.Message(ctx, id, "full", limit)
	why, ok := Unreadable(err)
	if err == nil || !ok {
		return message, "", err
	}
	message, err = m.Message(ctx, id, "metadata", limit)
	return message, "The text is left out: " + why + " Gmail itself may show it.", err
}

// Message fetches a message in one of Gmail's formats.
func (m *Mailbox) Message(ctx context.Context, id, format string, limit int64) (*gmailapi.Message, error) {
	message, err := m.Large(limit).Users.Messages.Get(Me, id).Format(format).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read message %s: %w", id, err)
	}
	return message, nil
}

// Unreadable tells the errors of an answer that came and cannot be read from
// those of a request that was refused or lost: the first are the message's own.
func Unreadable(err error) (why string, ok bool) {
	failure, foreign := (*google.Failure)(nil), (*metadata.Error)(nil)
	switch {
	case err == nil:
		return "", false
	case metadata.CodeOf(err) == metadata.TooLarge:
		return "the message is too large.", true
	case errors.As(err, &failure):
		return "Gmail's answer cannot be read.", failure.Status == 200
	}
	return "the message is nested too deep or broken.", !errors.As(err, &foreign) && !isEnded(err)
}

func isEnded(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
