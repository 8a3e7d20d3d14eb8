package outgoing

import (
	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/htmltext"
	"kota/store"
)

// describe returns an outbox item in the form that the user sees.
func (o *Outbox) describe(stored store.OutboxItem) bundles.OutboxItem {
	envelope, item := envelopeOf(stored), o.ItemOf(stored, o.mailboxes.Now().Location())
	item.Subject, item.Message, item.Thread = htmltext.Line(envelope.Subject), stored.Message, stored.ThreadID
	if stored.Status != store.OutboxSent {
		item.Draft = stored.Draft
	}
	item.Bundle, item.Addresses = mailbox.BundleKey, envelope.addresses()
	for _, to := range envelope.recipients() {
		item.To = append(item.To, htmltext.Line(to))
	}
	switch {
	case item.Status == "unknown" && stored.Kind == KindOneClick:
		item.Next = "Check in a few days whether mail of the list still arrives. Run `kota outbox drop " + item.ID + "` to drop it; then the request can be sent again."
	case item.Status == "unknown":
		item.Next = "Run `kota outbox retry " + item.ID + "`: it looks in Sent, and sends the mail only if it was certainly not sent. " +
			"If it stays unknown, check in Gmail yourself, then run `kota outbox drop " + item.ID + "`."
	}
	return item
}
