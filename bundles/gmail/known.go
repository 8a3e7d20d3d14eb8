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

// mostSearchedForOne is among how many mails, the newest first, somebody's address
// is looked for. Gmail finds similar ones too.
const mostSearchedForOne = 20

// A Correspondence knows whom the user wrote to.
type Correspondence struct {
	gmail *gmail
	same  func(address, as string) bool
}

// OpenCorrespondence returns what the sent mail of the accounts knows. same reports
// whether an address, as a mail has it, is the one that is asked about.
func OpenCorrespondence(deps Deps, same func(address, as string) bool) *Correspondence {
	return &Correspondence{gmail: newGmail(deps), same: same}
}

// WroteTo reports whether the address is the user's own, or mail to it was sent from
// any account before that time, by its To or Cc line. An account that cannot be
// searched knows nobody; the error is of the last one.
func (c *Correspondence) WroteTo(ctx context.Context, address string, before time.Time) (bool, error) {
	accounts, err := c.gmail.Accounts()
	if err != nil {
		return false, err
	}
	ctx = bundles.WithScopes(ctx, []string{mailbox.ScopeRead})
	for _, account := range accounts {
		if c.same(account.Address, address) {
			return true, nil
		}
		m, openErr := c.gmail.Open(ctx, account.Name)
		if openErr != nil {
			err = openErr
			continue
		}
		wrote, searchErr := c.wroteFrom(ctx, m, address, before)
		if wrote {
			return true, nil
		}
		if searchErr != nil {
			err = searchErr
		}
	}
	return false, err
}

func (c *Correspondence) wroteFrom(ctx context.Context, m *mailbox.Mailbox, address string, before time.Time) (bool, error) {
	if strings.ContainsAny(address, "{}()\"'|") {
		return false, metadata.Errorf(metadata.ValidationError, "the address %q cannot be searched for", address)
	}
	query := fmt.Sprintf("in:sent to:%s before:%d", address, before.Unix())
	ids, _, err := search.Matching(ctx, m, query, mostSearchedForOne, "")
	if err != nil {
		return false, err
	}
	summaries, err := mailcache.SummariesOf(ctx, m, ids)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(summaries, func(h *store.MailHead) bool {
		auto := strings.ToLower(strings.TrimSpace(h.Header("Auto-Submitted")))
		if !h.Has(mailbox.Sent) || h.Has(mailbox.Trash) || !h.Date.Before(before) || auto != "" && auto != "no" {
			return false
		}
		return slices.ContainsFunc(append(mailbody.AddressesOnly(h.Header("To")), mailbody.AddressesOnly(h.Header("Cc"))...), func(one string) bool { return c.same(one, address) })
	}), nil
}
