package gmail

import (
	"cmp"
	"time"

	"kota/bundles"
	"kota/bundles/internal/readable"
	"kota/store"
)

// itemOf shows a letter to its user. Where the process that worked on it was
// ended, what it was at says what is known.
func itemOf(l store.Letter, zone *time.Location) bundles.OutboxItem {
	e := envelopeOf(l)
	item := bundles.OutboxItem{
		ID: l.ID, Time: l.Created.In(zone), Account: l.Account, Kind: l.Kind, To: []string{}, Subject: readable.Line(e.Subject),
		Key: l.Key, Message: l.Message, Thread: l.Placed, Draft: l.Draft, Error: l.Error, Status: string(l.Status), Changed: l.Updated,
	}
	for _, to := range e.everybody() {
		item.To = append(item.To, readable.Line(to))
	}
	switch {
	case l.Abandoned() && l.Status == store.LetterPending:
		item.Status, item.Error = "failed", cmp.Or(l.Error, "KOTA was ended before it sent the mail")
	case l.Abandoned():
		item.Status, item.Error = "unknown", "KOTA was ended while it sent the mail"
	case l.Status == store.LetterPending:
		item.Status = "sending"
	case l.Status == store.LetterSent:
		item.Draft = ""
	}
	item.Next = nextFor(item)
	return item
}

// nextFor is what its user can do about a mail.
func nextFor(item bundles.OutboxItem) string {
	switch item.Status {
	case "unknown":
		return "Run `kota outbox retry " + item.ID + "`: it looks into Sent, and sends the mail only when it certainly was not. " +
			"When it stays unknown, look in Gmail yourself, then run `kota outbox drop " + item.ID + "`."
	case "failed":
		return "It was not sent. Run `kota outbox retry " + item.ID + "` to send it, or `kota outbox drop " + item.ID + "` to give it up."
	case "sending":
		return "Wait a minute, then look again."
	}
	return ""
}
