package gmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/search"
	"kota/metadata"
	"kota/store"
)

// maxSearchedMails is the maximum number of found mails whose addresses KOTA checks. More
// than one is necessary, because Gmail also finds similar addresses.
const maxSearchedMails = 20

// A Correspondence knows which addresses the user has written to.
type Correspondence struct {
	gmail  *gmail
	isSame func(a, b string) bool
}

// OpenCorrespondence returns the Correspondence of all accounts. isSame reports whether two
// addresses are equal.
func OpenCorrespondence(deps Deps, isSame func(a, b string) bool) *Correspondence {
	return &Correspondence{gmail: newGmail(deps), isSame: isSame}
}

// WroteTo reports whether the address is the user's own, or whether any account sent mail
// to it before the given time. It considers To and Cc, and ignores automatic mail and mail
// in the trash. If some accounts cannot be searched and the others have no such mail, it
// returns the last error.
func (c *Correspondence) WroteTo(ctx context.Context, address string, before time.Time) (bool, error) {
	accounts, err := c.gmail.Accounts()
	if err != nil {
		return false, err
	}
	ctx = bundles.WithScopes(ctx, []string{mailbox.ScopeRead})
	for _, account := range accounts {
		if c.isSame(account.Address, address) {
			return true, nil
		}
		m, openErr := c.gmail.Open(ctx, account.Name)
		if openErr != nil {
			err = openErr
			continue
		}
		wrote, searchErr := c.accountWroteTo(ctx, m, address, before)
		if wrote {
			return true, nil
		}
		if searchErr != nil {
			err = searchErr
		}
	}
	return false, err
}

func (c *Correspondence) accountWroteTo(ctx context.Context, m *mailbox.Mailbox, address string, before time.Time) (bool, error) {
	if strings.ContainsAny(address, "{}()\"'|") {
		return false, metadata.Errorf(metadata.ValidationError, "the address %q cannot be searched for", address)
	}
	query := fmt.Sprintf("in:sent to:%s before:%d", address, before.Unix())
	ids, _, err := search.MatchingIDs(ctx, m, query, maxSearchedMails, "")
	if err != nil {
		return false, err
	}
	summaries, err := mailcache.SummariesOf(ctx, m, ids)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(summaries, func(h *store.MailSummary) bool {
		auto := strings.ToLower(strings.TrimSpace(h.Header("Auto-Submitted")))
		if !h.HasLabel(mailbox.Sent) || h.HasLabel(mailbox.Trash) || !h.Date.Before(before) || auto != "" && auto != "no" {
			return false
		}
		return slices.ContainsFunc(append(mailbody.BareAddresses(h.Header("To")), mailbody.BareAddresses(h.Header("Cc"))...), func(recipient string) bool { return c.isSame(recipient, address) })
	}), nil
}
