package gmail

import (
	"context"
	"fmt"
	"net/http"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"
)

// Address returns the address of the mailbox that client is authorised for, at
// the endpoint ("" means Google's own). Any scope that lets mail be read or
// written will do.
func Address(ctx context.Context, client *http.Client, endpoint string) (string, error) {
	api, err := gmailapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(endpoint))
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	profile, err := api.Users.GetProfile(me).Context(ctx).Do()
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	return profile.EmailAddress, nil
}
