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

// keyUsedError returns the error for an idempotency key that belongs to another mail. The
// subject of that mail may be untrusted content.
func keyUsedError(ctx context.Context, item store.OutboxItem) error {
	untrusted.MarkPartly(ctx, untrusted.Mail)
	e := metadata.Errorf(metadata.Conflict, "the idempotency key %q was used for another mail: %s, %s", arguments.Brief(item.Key), describeItem(item), statusInWords(item))
	return e.WithHint("Use a new idempotency_key for this mail. Nothing was sent now.")
}

// describeItem returns the subject and recipients of an outbox item.
func describeItem(item store.OutboxItem) string {
	envelope := envelopeOf(item)
	to := arguments.Brief(strings.Join(envelope.recipients(), ", "))
	if to == "" {
		return fmt.Sprintf("the draft %s", item.Draft)
	}
	return fmt.Sprintf("%q to %s", arguments.Brief(envelope.Subject), to)
}

func statusInWords(item store.OutboxItem) string {
	switch at := item.Updated.Format(time.RFC3339); item.Status {
	case store.OutboxSent:
		return "sent at " + at + " as message " + item.Message
	case store.OutboxSaved:
		return "saved at " + at + " as draft " + item.Draft + " and not sent"
	case store.OutboxCancelled:
		return "dropped at " + at
	case store.OutboxFailed:
		return "which was not sent"
	}
	return "and it is unknown whether it was sent"
}

// stillSendingError returns the error for a mail that another call or process may still be
// sending.
func stillSendingError(item store.OutboxItem) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "an earlier call is still sending this mail (outbox item %s)", item.ID)
	e.Retryable = true
	return e.WithHint("Repeat the same call in a minute; nothing is sent twice.")
}

// notSentError returns the error for a mail that was certainly not sent, with the cause.
func notSentError(item store.OutboxItem, cause error) error {
	what := "the mail was not sent"
	if item.SaveOnly {
		what = "the draft was not saved"
	}
	e := (*metadata.Error)(nil)
	if !errors.As(cause, &e) {
		return fmt.Errorf("%s: %w", what, cause)
	}
	shown := *e
	shown.Message = what + ": " + reasonOf(cause)
	if e.Code == metadata.OutcomeUnknown { // the outcome of saving the draft is unknown, but a draft reaches nobody
		shown.Code, shown.Retryable, shown.Hint = metadata.Unavailable, true, "Repeat the same call; nothing was sent yet."
	}
	return &shown
}

// reasonOf returns the reason for a failure, for people.
func reasonOf(err error) string {
	if failure := (*google.Failure)(nil); metadata.CodeOf(err) == metadata.OutcomeUnknown && errors.As(err, &failure) {
		return failure.Error()
	}
	return persist.Reason(err)
}

// unknownForGoodError returns the error for a mail that may have been sent, if only the
// user can find out.
func unknownForGoodError(item store.OutboxItem) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "it is unknown whether the mail was sent: %s", item.Error)
	return e.WithHint("Ask the user whether it was sent. If it was not, send it with another idempotency_key. `kota outbox drop %s` drops this item.", item.ID)
}

// draftEditedError returns the error for an unsent mail whose draft was edited after KOTA
// saved it.
func draftEditedError(item store.OutboxItem) error {
	e := metadata.Errorf(metadata.Conflict, "the draft %s of this mail was changed after an earlier call saved it", item.Draft)
	return e.WithHint("Send the current draft with gmail_send_draft, or send this mail with another idempotency_key.")
}

// draftChangedError returns the error for a draft that somebody changed between the
// user's approval and the send.
func draftChangedError(item store.OutboxItem) error {
	return metadata.Errorf(metadata.Conflict, "the draft %s was changed after the user approved it", item.Draft).
		WithHint("Repeat the same call; it uses the current draft.")
}

// outcomeUnknownError returns the error for a mail that may have been sent.
func outcomeUnknownError(item store.OutboxItem, reason string) error {
	e := metadata.Errorf(metadata.OutcomeUnknown, "it is unknown whether the mail was sent: %s", reason)
	return e.WithHint("Do not write a new mail. Repeat the same call: KOTA first looks for the mail in Sent, and sends it only if it was certainly not sent. The user can check with `kota outbox show %s`.", item.ID)
}
