package followups

import (
	"slices"
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/lazyregexp"
	"kota/store"
)

// isFromPerson reports whether a person wrote the message, and the message is neither in
// the trash nor in spam.
func isFromPerson(h *store.MailSummary) bool {
	return !h.HasLabel(mailbox.Trash) && !h.HasLabel(mailbox.Spam) && !isAutomatic(h)
}

// machineAddress matches typical addresses of automatic senders.
var machineAddress = lazyregexp.New(`(?i)^(.*[._+-])?(no|do[._-]?not|never|non)[._-]?(reply|respond|answer|responder)|^(mailer-daemon|postmaster|bounces?|newsletters?|notifications?|alerts?|automated|updates?|news)([._+-].*)?@|@(.*\.)?(bounces?|mailer|notifications?)\.`)

// isAutomatic reports whether a machine or a list sent the message (RFC 3834, RFC 2919,
// RFC 2369).
func isAutomatic(h *store.MailSummary) bool {
	if h.Header("List-Id") != "" || h.Header("List-Unsubscribe") != "" {
		return true
	}
	switch precedence(h) {
	case "bulk", "list", "junk":
		return true
	}
	if h.HasLabel("CATEGORY_PROMOTIONS") || h.HasLabel("CATEGORY_SOCIAL") || h.HasLabel("CATEGORY_FORUMS") {
		return true
	}
	return isAutomaticAnswer(h)
}

// isAutomaticAnswer reports whether a machine wrote the message, for example an
// out-of-office reply. It returns false for a person's answer that a mailing list forwards.
func isAutomaticAnswer(h *store.MailSummary) bool {
	if auto := strings.ToLower(strings.TrimSpace(h.Header("Auto-Submitted"))); auto != "" && auto != "no" || precedence(h) == "auto_reply" {
		return true
	}
	senders := mailbody.BareAddresses(h.Header("From"))
	return len(senders) == 0 || slices.ContainsFunc(senders, machineAddress().MatchString)
}

func precedence(h *store.MailSummary) string {
	return strings.ToLower(strings.TrimSpace(h.Header("Precedence")))
}
