package policy_test

import (
	"context"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// meetings returns a bundle that changes meetings and finds the guests only during the call.
func meetings(guests ...string) bundles.Bundle {
	change := func(ctx context.Context, _ routertest.SendOnlyIn) (routertest.LetterOut, error) {
		if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "invitation", People: guests}); err != nil {
			return routertest.LetterOut{}, err
		}
		return routertest.LetterOut{Status: "changed"}, nil
	}
	poll := func(ctx context.Context, _ routertest.SendOnlyIn) (routertest.LetterOut, error) {
		return routertest.LetterOut{Status: "changed"}, bundles.ConfirmSend(ctx, bundles.Outgoing{What: "poll", People: guests[:1], ReplyTo: guests[1:]})
	}
	about := metadata.Bundle{Key: "meetings", Name: "Meetings", Description: "Meetings with people", Category: metadata.Core, Tags: []string{"time"}, Enabled: true}
	return bundles.New(about,
		bundles.Bind(metadata.Action{Name: "move", Effect: metadata.Writes, Summary: "Move a meeting."}, change),
		bundles.Bind(metadata.Action{Name: "poll", Effect: metadata.Sends, Summary: "Ask people, who answer to others."}, poll),
		bundles.Bind(metadata.Action{Name: "look", Effect: metadata.Reads, Summary: "Look at a meeting."}, change),
		bundles.Bind(metadata.Action{Name: "invite", Effect: metadata.Sends, Summary: "Invite to a meeting."}, change),
	)
}

func TestUserIsAskedWhenRunningCallReachesPeople(t *testing.T) {
	asked := 0
	answer := func(err error) func(context.Context, entrypoint.Request) error {
		return func(_ context.Context, q entrypoint.Request) error {
			if q.Effect != metadata.Sends || string(q.Args) != `{"text":"hello"}` {
				t.Errorf("asked about an effect %s with %s", q.Effect, q.Args)
			}
			if q.Action.Name == "move" && len(q.Outgoing.People) == 0 {
				t.Error("asked without a word of whom it reaches")
			}
			asked++
			return err
		}
	}
	no := metadata.Errorf(metadata.Refused, "no")
	six := []string{"a@x", "b@x", "c@x", "d@x", "e@x", "f@x", "g@x"}
	for name, c := range map[string]struct {
		policy  policy.Policy
		confirm func(context.Context, entrypoint.Request) error
		tool    string
		guests  []string
		code    metadata.Code
		says    string
		asked   int
	}{
		"nobody comes":                     {policy: policy.Policy{Send: policy.Refuse}, tool: "meetings_move"},
		"draft stops it and names whom":    {policy: policy.Policy{Send: policy.Draft}, confirm: answer(nil), tool: "meetings_move", guests: six, code: metadata.ApprovalNeeded, says: "a@x, b@x, c@x, d@x, e@x and 2 others"},
		"ask without anybody to ask stops": {policy: policy.Policy{Send: policy.Ask}, tool: "meetings_move", guests: six[:1], code: metadata.ApprovalNeeded, says: "reach a@x"},
		"ask and a yes lets it go on":      {policy: policy.Policy{Send: policy.Ask}, confirm: answer(nil), tool: "meetings_move", guests: six, asked: 1},
		"ask and a no does not":            {policy: policy.Policy{}, confirm: answer(no), tool: "meetings_move", guests: six, code: metadata.Refused, asked: 1},
		"allow lets it go on":              {policy: policy.Policy{Send: policy.Allow}, confirm: answer(no), tool: "meetings_move", guests: six},
		"refuse stops it":                  {policy: policy.Policy{Send: policy.Refuse}, tool: "meetings_move", guests: six, code: metadata.Refused, says: "send"},
		"a profile without sends stops it": {policy: policy.Policy{Effects: []metadata.Effect{metadata.Writes}, Send: policy.Allow}, tool: "meetings_move", guests: six, code: metadata.WritesDisabled},
		"what only reads never does":       {policy: policy.Policy{Send: policy.Allow}, tool: "meetings_look", guests: six, code: metadata.Internal},
		"no list at all reaches all":       {policy: policy.Policy{Send: policy.Allow, SendTo: policy.Recipients{policy.Everybody}}, tool: "meetings_move", guests: six},
		"a list names who is not on it":    {policy: policy.Policy{Send: policy.Allow, SendTo: policy.Recipients{"a@x.org", "y.org"}}, tool: "meetings_move", guests: []string{"a@x.org", "b@x.org", "c@y.org", "d@z.y.org"}, code: metadata.Refused, says: "reach b@x.org, d@z.y.org, which send_to does not list"},
		"who gets the answers is on it":    {policy: policy.Policy{Send: policy.Allow, SendTo: policy.Recipients{"y.org"}}, tool: "meetings_poll", guests: []string{"a@y.org", "b@x.org"}, code: metadata.Refused, says: "reach b@x.org, which send_to does not list"},
		"an empty one reaches nobody":      {policy: policy.Policy{Send: policy.Allow, SendTo: policy.Recipients{}}, tool: "meetings_move", guests: six[:1], code: metadata.Refused, says: "a@x"},
		"a list goes before the question":  {policy: policy.Policy{SendTo: policy.Recipients{}}, confirm: answer(nil), tool: "meetings_invite", guests: six[:1], code: metadata.Refused, says: "a@x"},
		"what sends is asked once":         {policy: policy.Policy{Send: policy.Ask}, confirm: answer(nil), tool: "meetings_invite", guests: six, asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			asked = 0
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{meetings(c.guests...)}, Policy: c.policy, Approver: routertest.Approver(c.confirm)})
			got, err := routertest.Call(t, r, c.tool, `{"text": "hello"}`)
			switch {
			case c.code == "" && (err != nil || got != `{"status":"changed"}`):
				t.Errorf("got %s, %v", got, err)
			case c.code != "" && (err == nil || err.Code != c.code || !strings.Contains(err.Message+err.Hint, c.says)):
				t.Errorf("got %s, %+v; want %s saying %q", got, err, c.code, c.says)
			case asked != c.asked:
				t.Errorf("asked %d times, want %d", asked, c.asked)
			}
		})
	}
}
