package gmail

import "kota/metadata"

const (
	// mostRaw is what Gmail takes (the discovery document's maxSize of
	// gmail.users.drafts.create).
	mostRaw = 36_700_160
	// mostContent is what Gmail takes in a mail before it is encoded:
	// https://support.google.com/mail/answer/6584
	mostContent = 25 << 20
	// mostAnswered bounds the answer that has such a mail or file in it, in
	// base64.
	mostAnswered = mostRaw/3*4 + 1<<20
)

// checkSize returns TOO_LARGE for more content than Gmail takes.
func checkSize(total int64) error {
	if total <= mostContent {
		return nil
	}
	return tooLarge(total)
}

func tooLarge(total int64) error {
	return metadata.Errorf(metadata.TooLarge, "the mail would have %.1f MB, and Gmail takes 25: nothing was sent or saved", float64(total)/(1<<20)).
		WithHint("Attach less, or put the file somewhere and send a link to it.")
}
