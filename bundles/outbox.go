package bundles

import "time"

// An OutboxItem is a mail, an invitation or an unsubscription that was requested,
// in the form that the user's own commands show. Untrusted texts in it are safe to
// print.
type OutboxItem struct {
	ID      string    `json:"id"`
	Time    time.Time `json:"time"` // when the send was requested
	Account string    `json:"account"`
	Status  string    `json:"status"` // sending, sent, saved (as a draft), unknown, failed, dropped
	Kind    string    `json:"kind"`   // for gmail: send, reply, forward, draft, unsubscribe
	To      []string  `json:"to"`
	Subject string    `json:"subject"` // for an invitation: the title of its event
	Key     string    `json:"idempotency_key,omitempty"`
	Message string    `json:"message_id,omitempty"`
	Thread  string    `json:"thread_id,omitempty"`
	Draft   string    `json:"draft_id,omitempty"`
	Event   string    `json:"event_id,omitempty"`
	Error   string    `json:"error,omitempty"`
	Text    string    `json:"text,omitempty"` // only if the item is shown alone and not yet sent
	Next    string    `json:"next,omitempty"` // what the user can do about it

	Changed   time.Time `json:"-"` // the last change; lists begin with the newest
	Bundle    string    `json:"-"` // the key of the bundle that sends it
	Addresses []string  `json:"-"` // the addresses of To
}
