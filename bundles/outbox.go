package bundles

import "time"

// An OutboxItem is something that was asked to be sent, a mail or an
// invitation, as its user's own hands deal with it. Texts that others wrote are
// safe to print.
type OutboxItem struct {
	ID      string    `json:"id"`
	Time    time.Time `json:"time"` // when it was asked for
	Account string    `json:"account"`
	Status  string    `json:"status"` // sending, sent, saved (as a draft), unknown, failed, dropped
	Kind    string    `json:"kind"`   // of mail: send, reply, forward, draft
	To      []string  `json:"to"`
	Subject string    `json:"subject"` // of an invitation: the title of its event
	Key     string    `json:"idempotency_key,omitempty"`
	Message string    `json:"message_id,omitempty"`
	Thread  string    `json:"thread_id,omitempty"`
	Draft   string    `json:"draft_id,omitempty"`
	Event   string    `json:"event_id,omitempty"`
	Error   string    `json:"error,omitempty"`
	Text    string    `json:"text,omitempty"` // where one is shown alone, until it is sent
	Next    string    `json:"next,omitempty"` // what its user can do about it

	Changed time.Time `json:"-"` // the last time; lists begin with the newest
	Bundle  string    `json:"-"` // the key of the one that sends it
	Reaches []string  `json:"-"` // the addresses of To
}
