package agenda

import (
	"context"
	"net/http"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/internal/google"
)

// ReadPrimary returns the primary calendar of the account that client is authorised
// for.
func ReadPrimary(ctx context.Context, client *http.Client, endpoint string) (*calendarapi.CalendarListEntry, error) {
	client = google.Client(client, google.Options{Endpoint: endpoint})
	api, err := calendarapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(endpoint)))
	if err != nil {
		return nil, err
	}
	return api.CalendarList.Get(Primary).Context(ctx).Do()
}
