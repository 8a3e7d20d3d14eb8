package gmail

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
)

// Address returns the address of the mailbox that client is authorised for. endpoint is
// the base URL of Google's APIs; "" means Google's own. Address returns SCOPE_MISSING if
// CanReadAddress is false for the granted scopes.
func Address(ctx context.Context, client *http.Client, endpoint string) (string, error) {
	client = google.Client(client, google.Options{Endpoint: endpoint})
	profile, err := google.NewGmail(client, endpoint).Users.GetProfile(mailbox.Me).Context(ctx).Do()
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	return profile.EmailAddress, nil
}

// CanReadAddress reports whether one of the scopes is enough for Address. A scope that
// allows reading or writing mail is enough.
func CanReadAddress(scopes []string) bool {
	return slices.ContainsFunc(scopes, func(scope string) bool {
		return scope == mailbox.ScopeRead || scope == mailbox.ScopeModify || scope == mailbox.ScopeCompose
	})
}

// ClearCache deletes the cached mail summaries of the mailbox. The outbox and the undo
// records stay.
func ClearCache(ctx context.Context, cache MailCache, address string) error {
	if err := cache.Forget(ctx); err != nil {
		return fmt.Errorf("forget the mail of %s: %w", address, err)
	}
	return nil
}
