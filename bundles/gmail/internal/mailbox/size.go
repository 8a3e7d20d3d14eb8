package mailbox

import "kota/metadata"

const (
	// MaxRaw is what Gmail takes (the discovery document's maxSize of
	// gmail.users.drafts.create).
	MaxRaw = 36_700_160
	// MaxContent is what Gmail takes in a mail before it is encoded:
	// https://support.google.com/mail/answer/6584
	MaxContent = 25 << 20
	// MaxAnswer bounds the answer that has such a mail or file in it, in
	// base64.
	MaxAnswer = MaxRaw/3*4 + 1<<20
)

// CheckSize returns TOO_LARGE for more content than Gmail takes.
func CheckSize(total int64) error {
	if total <= MaxContent {
		return nil
	}
	return TooLarge(total)
}

func TooLarge(total int64) error {
	return metadata.Errorf(metadata.TooLarge, "the mail would have %.1f MB, and Gmail takes 25: nothing was sent or saved", float64(total)/(1<<20)).
		WithHint("Attach less, or put the file somewhere and send a link to it.")
}
