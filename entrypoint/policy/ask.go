package policy

import (
	"context"
	"fmt"
	"slices"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// The reasons to ask the user although bundles.yaml allows the call.
const (
	afterUntrusted        = "untrusted content was read in this session and may have asked for this"
	writtenAfterUntrusted = "it was written after untrusted content was read, which may have asked for this"
)

const (
	maxLookups = 20 // recipients of one send that KOTA looks up in the sent mail
	maxRemoved = 10 // mails that a tainted session may remove without a question
)

// gates returns the gates that apply to the call.
func (d *decision) gates() effectiveGates { return d.Policy.gates(d.call.Action.BundleKey()) }

// mustAskToSend reports whether KOTA asks the user about a send, and the reason if
// bundles.yaml allows the send. With `send: allow` and a list that contains Known, KOTA
// asks about people who are neither known nor listed. It does not ask if the user trusts
// all the people for the rest of the session. It always reports true for a call approved by
// its id, so that this approval is checked and used up.
//
// Untrusted text may have asked the model to send. So with Policy.Taint, KOTA also asks if
// such text reached the session that wrote the message. If such text reached this session,
// KOTA asks too, unless a list contains Known and all the people are known.
func (d *decision) mustAskToSend(ctx context.Context, out bundles.Outgoing) (asks bool, reason string) {
	gates, people := d.gates(), slices.Concat(out.People, out.ReplyTo)
	switch {
	case gates.Send.Gate != Allow || d.call.Approval != nil:
		return true, ""
	case d.trusts(people):
		return false, ""
	}
	reason = d.askReason(ctx, gates, out, people)
	return reason != "", reason
}

// askReason returns why KOTA asks the user about an allowed send to these people, or "" if
// no question is needed.
func (d *decision) askReason(ctx context.Context, gates effectiveGates, out bundles.Outgoing, people []string) string {
	toCheck, asksUnknown := gates.mustBeKnown(people)
	if len(toCheck) > maxLookups {
		return fmt.Sprintf("it goes to %d people; KOTA checks at most %d for whether you know them", len(toCheck), maxLookups)
	}
	tainted := d.call.Session.IsTainted()
	unknown := d.unknown(ctx, toCheck)
	switch {
	case len(unknown) > 0:
		return "you had not written to " + metadata.FirstFew(unknown) + " before this conversation"
	case !d.Policy.Taint:
		return ""
	case tainted && !out.Tainted && asksUnknown && len(people) <= maxLookups && len(d.unknown(ctx, people)) == 0:
		return ""
	case tainted:
		return afterUntrusted
	case out.Tainted:
		return writtenAfterUntrusted
	}
	return ""
}

// unknown returns the people that the user did not write to before the conversation began.
// It normalizes addresses, so that letters from another alphabet in a domain become visible.
func (d *decision) unknown(ctx context.Context, people []string) (unknown []string) {
	began := d.call.Session.Began()
	for _, person := range people {
		address, ok := addressOf(person)
		switch {
		case !ok:
			unknown = append(unknown, person)
		case d.Contacts == nil || began.IsZero() || !d.Contacts.Known(ctx, address, began):
			unknown = append(unknown, address)
		}
	}
	return unknown
}

// trusts reports whether the user trusts each of these people for the rest of the session.
func (d *decision) trusts(people []string) bool {
	for _, person := range people {
		if address, ok := addressOf(person); !ok || !d.call.Session.Trusts(address) {
			return false
		}
	}
	return len(people) > 0
}

// trustable returns the addresses of these people. It returns nil if the session is not
// a single conversation, or if one of the people has no address.
func trustable(s *entrypoint.Session, people []string) []string {
	if !s.IsSingle() {
		return nil
	}
	list := make([]string, len(people))
	for i, person := range people {
		address, ok := addressOf(person)
		if !ok {
			return nil
		}
		list[i] = address
	}
	return list
}

// mustAskToRemove reports whether a call that moves mail out of sight needs an approval. A
// call approved by its id does. With Policy.Taint, a call in a tainted session does too,
// except for the first maxRemoved mails if the session has shown them. It returns an error if it is
// unknown how many mails the session has removed at other replicas.
func (d *decision) mustAskToRemove(ctx context.Context, removal bundles.Removal) (bool, error) {
	s := d.call.Session
	switch {
	case d.call.Approval != nil:
		return true, nil
	case !d.Policy.Taint || !s.IsTainted():
		return false, nil
	case len(removal.Items) == 0:
		return true, nil
	}
	counted, err := s.CountRemoved(ctx, removal.Items, removal.Count, maxRemoved)
	return !counted, err
}
