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

// Address returns the address of the account that client is authorised for, at
// the endpoint ("" means Google's own): the id of its primary calendar. It
// returns SCOPE_MISSING when none of the scopes granted does what ShowAddress
// says.
func Address(ctx context.Context, client *http.Client, endpoint string) (string, error) {
	own, err := agenda.ReadPrimary(ctx, client, endpoint)
	if err != nil {
		return "", fmt.Errorf("find the account's address: %w", err)
	}
	return own.Id, nil
}

// ShowAddress reports whether one of the scopes is enough for Address and Zone.
func ShowAddress(scopes []string) bool { return slices.Contains(scopes, scopeRead) }

// Zone returns the zone of the primary calendar of the account that client is
// authorised for. It returns SCOPE_MISSING as Address does.
func Zone(ctx context.Context, client *http.Client, endpoint string) (*time.Location, error) {
	own, err := agenda.ReadPrimary(ctx, client, endpoint)
	if err != nil {
		return nil, fmt.Errorf("find the time zone of the primary calendar: %w", err)
	}
	return timeparse.Zone(own.TimeZone)
}
