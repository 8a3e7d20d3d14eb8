package calendar

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/internal/timeparse"
)

// Address returns the address of the account that authorised client: the id of its primary
// calendar. An empty endpoint means Google's own. Address returns SCOPE_MISSING if
// CanReadAddress reports false for the granted scopes.
func Address(ctx context.Context, client *http.Client, endpoint string) (string, error) {
	primary, err := agenda.ReadPrimary(ctx, client, endpoint)
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	return primary.Id, nil
}

// CanReadAddress reports whether the granted scopes allow Address and Zone.
func CanReadAddress(scopes []string) bool { return slices.Contains(scopes, scopeRead) }

// Zone returns the zone of the primary calendar of the account that authorised client. It
// returns SCOPE_MISSING as Address does.
func Zone(ctx context.Context, client *http.Client, endpoint string) (*time.Location, error) {
	primary, err := agenda.ReadPrimary(ctx, client, endpoint)
	if err != nil {
		return nil, fmt.Errorf("find the time zone of the primary calendar: %w", err)
	}
	return timeparse.Zone(primary.TimeZone)
}
