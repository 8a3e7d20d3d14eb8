package gmail

// OpenOutbox returns the outbox that the bundle of the same deps sends from.
// Nothing is touched before its first use.
func OpenOutbox(deps Deps) *Outbox {
	g := newGmail(deps)
	return openOutbox(g.Mailboxes, g.sending())
}
