package google

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"kota/bundles"
)

func TestNothingThatGoogleMailsLeavesBeforeItIsLetThrough(t *testing.T) {
	decides := bundles.Sending{May: func(context.Context, bundles.Outgoing) error { return nil }}
	for target, free := range map[string]bool{
		"POST /gmail/v1/users/me/messages/send":                                  false,
		"POST /upload/gmail/v1/users/me/messages/send?uploadType=multipart":      false,
		"POST /gmail/v1/users/me/drafts/send":                                    false,
		"POST /calendar/v3/calendars/primary/events?sendUpdates=all":             false,
		"PATCH /calendar/v3/calendars/primary/events/1?sendUpdates=externalOnly": false,
		"DELETE /calendar/v3/calendars/primary/events/1?sendUpdates=all":         false,
		"DELETE /calendar/v3/calendars/primary/events/1?sendUpdates=none":        true,
		"POST /gmail/v1/users/me/drafts":                                         true,
		"GET /gmail/v1/users/me/messages":                                        true,
	} {
		s := serve(t, ok)
		client, _ := s.client(t, nil)
		method, path, _ := strings.Cut(target, " ")
		do := func(ctx context.Context) {
			req, err := http.NewRequestWithContext(ctx, method, s.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if resp, err := client.Do(req); err == nil {
				resp.Body.Close()
			}
		}
		ctx := bundles.WithSending(t.Context(), decides)
		do(ctx)
		if left := len(s.requests()) == 1; left != free {
			t.Errorf("%s: left %v, want %v", target, left, free)
		}
		if err := bundles.MaySend(ctx, bundles.Outgoing{People: []string{"bob@example.com"}}); err != nil {
			t.Fatal(err)
		}
		before := len(s.requests())
		do(ctx)
		do(t.Context()) // of its user's own hands
		if left := len(s.requests()) - before; left != 2 {
			t.Errorf("%s, let through: %d of 2 left", target, left)
		}
	}
}
