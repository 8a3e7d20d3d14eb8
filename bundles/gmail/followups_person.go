package gmail

import (
	"slices"
	"strings"

	"kota/bundles/internal/pattern"
	"kota/bundles/internal/rfc5322"
	"kota/store"
)

// awaits reports whether the last message of a conversation wants an answer:
// of mine one that went to somebody who could, of theirs one that a person
// wrote.
func awaits(h *store.MailHead, mine bool, senders identities) bool {
	if h.Has(labelTrash) || h.Has(labelSpam) {
		return false
	}
	if mine {
		return slices.ContainsFunc(append(people(h.Header("To")), people(h.Header("Cc"))...), func(address string) bool {
			return !senders.own(address) && !machine().MatchString(address)
		})
	}
	return !isAutomatic(h)
}

// people are the addresses of a header.
func people(header string) []string {
	list, _ := rfc5322.ParseAddressList(header)
	addresses := make([]string, len(list))
	for i, a := range list {
		addresses[i] = a.Address
	}
	return addresses
}

// machine is what the addresses of machines look like.
var machine = pattern.Of(`(?i)^(.*[._+-])?(no|do[._-]?not|never|non)[._-]?(reply|respond|answer|responder)|^(mailer-daemon|postmaster|bounces?|newsletters?|notifications?|alerts?|automated|updates?|news)([._+-].*)?@|@(.*\.)?(bounces?|mailer|notifications?)\.`)

// isAutomatic reports whether a machine has sent the message, or a list has
// passed it on (RFC 3834, RFC 2919, RFC 2369).
func isAutomatic(h *store.MailHead) bool {
	if h.Header("List-Id") != "" || h.Header("List-Unsubscribe") != "" {
		return true
	}
	switch strings.ToLower(strings.TrimSpace(h.Header("Precedence"))) {
	case "bulk", "list", "junk", "auto_reply":
		return true
	}
	if auto := strings.ToLower(strings.TrimSpace(h.Header("Auto-Submitted"))); auto != "" && auto != "no" {
		return true
	}
	if h.Has("CATEGORY_PROMOTIONS") || h.Has("CATEGORY_SOCIAL") || h.Has("CATEGORY_FORUMS") {
		return true
	}
	senders := people(h.Header("From"))
	return len(senders) == 0 || slices.ContainsFunc(senders, machine().MatchString)
}
