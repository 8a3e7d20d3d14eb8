package policy_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

type telegramIn struct {
	To    []string `json:"to"`
	Mixed bool     `json:"mixed,omitempty"`
}

// telegrams returns a bundle that reads telegrams by others and sends some.
func telegrams() bundles.Bundle {
	about := metadata.Bundle{Key: "wire", Name: "Wire", Description: "Telegrams", Category: metadata.Core, Tags: []string{"post"}, Enabled: true}
	return bundles.New(about,
		bundles.Bind(metadata.Action{Name: "read", Effect: metadata.Reads, Summary: "Read a telegram."}, func(ctx context.Context, _ routertest.ListIn) (routertest.LetterOut, error) {
			bundles.MarkUntrusted(ctx)
			return routertest.LetterOut{Status: "read"}, nil
		}),
		bundles.Bind(metadata.Action{Name: "send", Effect: metadata.Sends, Summary: "Send a telegram."}, func(ctx context.Context, in telegramIn) (routertest.LetterOut, error) {
			return routertest.LetterOut{Status: "sent"}, bundles.ConfirmSend(ctx, bundles.Outgoing{What: "telegram", People: in.To, Tainted: in.Mixed})
		}),
	)
}

// contactsFunc implements Contacts by a function.
type contactsFunc func(ctx context.Context, address string, before time.Time) bool

func (f contactsFunc) Known(ctx context.Context, address string, before time.Time) bool {
	return f(ctx, address, before)
}

func TestKnownRecipientsNeedNoQuestion(t *testing.T) {
	known := policy.Recipients{policy.Known}
	and := policy.Recipients{policy.Known, "example.net"}
	list := policy.Recipients{"example.org", "example.com"}
	for name, c := range map[string]struct {
		policy policy.Policy
		to     string
		want   string // "sent", "asked" or "refused"; with "mixed " before it if it was written after untrusted text
	}{
		"somebody known":             {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "bob@example.com", "sent"},
		"in other letters":           {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "Bob@Example.COM", "sent"},
		"somebody else":              {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "eve@example.com", "asked"},
		"both":                       {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "bob@example.com eve@example.com", "asked"},
		"no address":                 {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "everybody_who_writes", "asked"},
		"a look-alike of the domain": {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "bob@examp1e.com", "asked"},
		"in another alphabet":        {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "bob@ex\u0430mple.com", "asked"},
		"a longer domain":            {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "bob@example.com.evil.org", "asked"},
		"twenty people":              {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, strings.Repeat("bob@example.com ", 20), "sent"},
		"more than are looked up":    {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, strings.Repeat("bob@example.com ", 21), "asked"},
		"twenty-one on the list":     {policy.Policy{Send: policy.Allow, SendTo: and}, strings.Repeat("eve@example.net ", 21), "sent"},
		"without taint too":          {policy.Policy{Send: policy.Allow, SendTo: known}, "eve@example.com", "asked"},
		"on the list beside":         {policy.Policy{Send: policy.Allow, SendTo: and, Taint: true}, "eve@example.net", "asked"},
		"with somebody known":        {policy.Policy{Send: policy.Allow, SendTo: and, Taint: true}, "eve@example.net bob@example.com", "asked"},
		"on the list and known":      {policy.Policy{Send: policy.Allow, SendTo: and, Taint: true}, "dan@example.net", "sent"},
		"on the list without taint":  {policy.Policy{Send: policy.Allow, SendTo: and}, "eve@example.net", "sent"},
		"a marked draft":             {policy.Policy{Send: policy.Allow, SendTo: known, Taint: true}, "bob@example.com", "mixed asked"},
		"a marked one without taint": {policy.Policy{Send: policy.Allow, SendTo: known}, "bob@example.com", "mixed sent"},
		"where all is asked about":   {policy.Policy{Send: policy.Ask, SendTo: known, Taint: true}, "bob@example.com", "asked"},
		"where all is refused":       {policy.Policy{Send: policy.Refuse, SendTo: known}, "bob@example.com", "refused"},
		"a profile narrows":          {policy.Policy{Send: policy.Allow, SendTo: known, ProfileGates: policy.Gates{SendTo: list}}, "dan@example.net", "refused"},
		"to those on its list":       {policy.Policy{Send: policy.Allow, SendTo: known, ProfileGates: policy.Gates{SendTo: list}}, "eve@example.org", "asked"},
		"who are known":              {policy.Policy{Send: policy.Allow, SendTo: list, ProfileGates: policy.Gates{SendTo: known}, Taint: true}, "bob@example.com", "sent"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked *entrypoint.Request
			began := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
			now := began
			r := routertest.New(t, pipeline.Options{
				Bundles: []bundles.Bundle{telegrams()}, Policy: c.policy,
				Approver: routertest.Approver(func(_ context.Context, q entrypoint.Request) error {
					asked = &q
					return metadata.Errorf(metadata.Refused, "no")
				}),
				Now: func() time.Time { return now },
				Contacts: contactsFunc(func(_ context.Context, address string, before time.Time) bool {
					if !before.Equal(began) {
						t.Errorf("known before %s, want the begin of the conversation", before)
					}
					return slices.Contains([]string{"bob@example.com", "dan@example.net"}, address)
				}),
			})
			ctx := entrypoint.WithNewSession(t.Context())
			if _, err := r.Call(ctx, "wire_read", json.RawMessage(`{}`)); err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Hour)
			args, err := json.Marshal(telegramIn{strings.Fields(c.to), strings.HasPrefix(c.want, "mixed ")})
			if err != nil {
				t.Fatal(err)
			}
			_, err = r.Call(ctx, "wire_send", args)
			if got := map[bool]string{true: "asked", false: map[bool]string{true: "sent", false: "refused"}[err == nil]}[asked != nil]; got != strings.TrimPrefix(c.want, "mixed ") {
				t.Errorf("it is %s, want %s: %v", got, c.want, err)
			}
			if asked != nil && c.policy.Send == policy.Allow && (asked.Reason == "" || strings.Contains(asked.Reason, "bob@example.com ") || strings.Contains(asked.Reason, "\u0430")) {
				t.Errorf("asked because of %q", asked.Reason)
			}
		})
	}
}
