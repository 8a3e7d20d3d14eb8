package gmail

import "kota/bundles/gmail/internal/outgoing"

// OpenOutbox returns the outbox that the bundle of the same deps sends from.
// Nothing is touched before its first use.
func OpenOutbox(deps Deps) *outgoing.Outbox {
	g := newGmail(deps)
	return outgoing.OpenOutbox(g.Mailboxes, g.sending())
}
