package calendar

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/internal/google"
)

// Address returns the address of the account that client is authorised for, at
// the endpoint ("" means Google's own): the id of its primary calendar. It
// returns SCOPE_MISSING when none of the scopes granted does what ShowAddress
// says.
func Address(ctx context.Context, client *http.Client, endpoint string) (string, error) {
	client = google.Client(client, google.Options{Endpoint: endpoint})
	api, err := calendarapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(endpoint)))
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	own, err := api.CalendarList.Get(primary).Context(ctx).Do()
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	return own.Id, nil
}

// ShowAddress reports whether one of the scopes is enough for Address.
func ShowAddress(scopes []string) bool { return slices.Contains(scopes, scopeRead) }
