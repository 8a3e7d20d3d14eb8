package gmail

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
)

// Address returns the address of the mailbox that client is authorised for, at
// the endpoint ("" means Google's own). It returns SCOPE_MISSING when
// none of the scopes granted does what ShowAddress says.
func Address(ctx context.Context, client *http.Client, endpoint string) (string, error) {
	client = google.Client(client, google.Options{Endpoint: endpoint})
	api, err := gmailapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.GmailBase(endpoint)))
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	profile, err := api.Users.GetProfile(mailbox.Me).Context(ctx).Do()
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	return profile.EmailAddress, nil
}

// ShowAddress reports whether one of the scopes is enough for Address: any that
// lets mail be read or written.
func ShowAddress(scopes []string) bool {
	return slices.ContainsFunc(scopes, func(scope string) bool {
		return scope == mailbox.ScopeRead || scope == mailbox.ScopeModify || scope == mailbox.ScopeCompose
	})
}

// Forget drops what is kept of the mailbox of that address so that lists of it
// cost little. What was sent through the outbox, and what can be undone, stays.
func Forget(ctx context.Context, cache MailCache, address string) error {
	if err := cache.Forget(ctx); err != nil {
		return fmt.Errorf("forget the mail of %s: %w", address, err)
	}
	return nil
}
