package google

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
)

func TestUnapprovedRequestThatReachesPeopleIsNotSent(t *testing.T) {
	decides := bundles.SendPolicy{Confirm: func(context.Context, bundles.Outgoing) error { return nil }}
	for target, free := range map[string]bool{
		"POST /gmail/v1/users/me/messages/send":                                  false,
		"POST /upload/gmail/v1/users/me/messages/send?uploadType=multipart":      false,
		"POST /gmail/v1/users/me/drafts/send":                                    false,
		"POST /calendar/v3/calendars/primary/events?sendUpdates=all":             false,
		"PATCH /calendar/v3/calendars/primary/events/1?sendUpdates=externalOnly": false,
		"DELETE /calendar/v3/calendars/primary/events/1?sendUpdates=all":         false,
		"DELETE /calendar/v3/calendars/primary/events/1?sendUpdates=none":        true,
		"POST /calendar/v3/calendars/primary/events?sendNotifications=true":      false,
		"POST /calendar/v3/calendars/primary/acl":                                false,
		"PUT /calendar/v3/calendars/primary/acl/1?sendNotifications=false":       false,
		"POST /gmail/v1/users/me/settings/forwardingAddresses":                   false,
		"POST /gmail/v1/users/me/settings/delegates":                             false,
		"PUT /gmail/v1/users/me/settings/autoForwarding":                         false,
		`PUT /gmail/v1/users/me/settings/vacation {"enableAutoReply":true}`:      false,
		"PUT /gmail/v1/users/me/settings/vacation not JSON":                      false,
		`PUT /gmail/v1/users/me/settings/vacation {"enableAutoReply":false}`:     true,
		`POST /gmail/v1/users/me/settings/filters {"action":{"forward":"e@x"}}`:  false,
		`POST /gmail/v1/users/me/settings/filters {"action":{}}`:                 true,
		"DELETE /gmail/v1/users/me/settings/filters/1":                           true,
		"POST /gmail/v1/users/me/drafts":                                         true,
		"GET /gmail/v1/users/me/messages":                                        true,
	} {
		s := serve(t, ok)
		client, _ := s.client(t, nil)
		method, path, _ := strings.Cut(target, " ")
		path, body, _ := strings.Cut(path, " ")
		do := func(ctx context.Context) {
			req, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if resp, err := client.Do(req); err == nil {
				resp.Body.Close()
			}
		}
		ctx := bundletest.WithSendPolicy(t.Context(), decides)
		if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "what reaches nobody"}); err != nil {
			t.Fatal(err)
		}
		for where, ctx := range map[string]context.Context{"of a call": ctx, "where nobody decides": t.Context()} {
			before := len(s.requests())
			do(ctx)
			if left := len(s.requests()) > before; left != free {
				t.Errorf("%s, %s: left %v, want %v", target, where, left, free)
			}
		}
		if err := bundles.ConfirmSend(ctx, bundles.Outgoing{People: []string{"bob@example.com"}}); err != nil {
			t.Fatal(err)
		}
		before := len(s.requests())
		do(ctx)
		do(bundletest.WithUserConsent(t.Context()))
		if left := len(s.requests()) - before; left != 2 {
			t.Errorf("%s, let through: %d of 2 left", target, left)
		}
	}
}
