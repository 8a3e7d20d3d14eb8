package outgoing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// keyUsedError returns the error for a key that belongs to another mail. The subject of
// that mail may be untrusted content.
func keyUsedError(ctx context.Context, l store.OutboxItem) error {
	untrusted.MarkPartly(ctx, untrusted.Mail)
	e := metadata.Errorf(metadata.Conflict, "the idempotency key %q was used for another mail: %s, %s", arguments.Brief(l.Key), describeItem(l), statusInWords(l))
	return e.WithHint("Use a new idempotency_key for this mail. Nothing was sent now.")
}

// describeItem returns the subject and recipients of an outbox item.
func describeItem(l store.OutboxItem) string {
	e := envelopeOf(l)
	to := arguments.Brief(strings.Join(e.recipients(), ", "))
	if to == "" {
		return fmt.Sprintf("the draft %s", l.Draft)
	}
	return fmt.Sprintf("%q to %s", arguments.Brief(e.Subject), to)
}

func statusInWords(l store.OutboxItem) string {
	switch at := l.Updated.Format(time.RFC3339); l.Status {
	case store.OutboxSent:
		return "sent at " + at + " as message " + l.Message
	case store.OutboxSaved:
		return "saved at " + at + " as draft " + l.Draft + " and not sent"
	case store.OutboxCancelled:
		return "dropped at " + at
	case store.OutboxFailed:
		return "which was not sent"
	}
	return "and it is unknown whether it was sent"
}

// stillSendingError returns the error of a repeated call that stopped waiting for the
// first one.
func stillSendingError(l store.OutboxItem) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "an earlier call is still sending this mail (outbox item %s)", l.ID)
	e.Retryable = true
	return e.WithHint("Repeat the same call in a minute; nothing is sent twice.")
}

// notSentError returns the error for a mail that was certainly not sent, with the cause.
func notSentError(l store.OutboxItem, cause error) error {
	what := "the mail was not sent"
	if l.SaveOnly {
		what = "the draft was not saved"
	}
	e := (*metadata.Error)(nil)
	if !errors.As(cause, &e) {
		return fmt.Errorf("%s: %w", what, cause)
	}
	shown := *e
	shown.Message = what + ": " + reasonOf(cause)
	if e.Code == metadata.OutcomeUnknown { // an unknown outcome of preparing the draft, which reaches nobody
		shown.Code, shown.Retryable, shown.Hint = metadata.Unavailable, true, "Repeat the same call; nothing was sent yet."
	}
	return &shown
}

// reasonOf returns the reason of a failure, for people.
func reasonOf(err error) string {
	if failure := (*google.Failure)(nil); metadata.CodeOf(err) == metadata.OutcomeUnknown && errors.As(err, &failure) {
		return failure.Error()
	}
	return persist.Reason(err)
}

// unknownForGoodError returns the error for a mail if only the user can know whether it
// was sent.
func unknownForGoodError(l store.OutboxItem) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "it is unknown whether the mail was sent: %s", l.Error)
	return e.WithHint("Ask the user whether it was sent. If it was not, send it with another idempotency_key. `kota outbox drop %s` drops this item.", l.ID)
}

// draftEditedError returns the error for an unsent mail whose draft was edited since.
func draftEditedError(l store.OutboxItem) error {
	e := metadata.Errorf(metadata.Conflict, "the draft %s of this mail was changed after an earlier call saved it", l.Draft)
	return e.WithHint("Send the current draft with gmail_send_draft, or send this mail with another idempotency_key.")
}

// draftChangedError returns the error for a draft that somebody changed between the
// question to the user and the send.
func draftChangedError(l store.OutboxItem) error {
	return metadata.Errorf(metadata.Conflict, "the draft %s was changed after the user approved it", l.Draft).
		WithHint("Repeat the same call; it uses the current draft.")
}

// outcomeUnknownError returns the error for a mail that may have been sent.
func outcomeUnknownError(l store.OutboxItem, reason string) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "it is unknown whether the mail was sent: %s", reason)
	return e.WithHint("Do not write a new mail. Repeat the same call: KOTA first looks for the mail in Sent, and sends it only if it was certainly not sent. The user can check with `kota outbox show %s`.", l.ID)
}
