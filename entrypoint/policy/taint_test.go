package policy_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// post returns a bundle that reads text by others and sends.
func post() bundles.Bundle {
	about := metadata.Bundle{Key: "post", Name: "Post", Description: "Letters from anybody", Category: metadata.Core, Tags: []string{"mail"}, Enabled: true}
	return bundles.New(about,
		bundles.Bind(metadata.Action{Name: "read", Effect: metadata.Reads, Summary: "Read a letter."}, func(ctx context.Context, _ routertest.ListIn) (routertest.LetterOut, error) {
			bundles.MarkUntrusted(ctx)
			return routertest.LetterOut{Status: "read"}, nil
		}),
		bundles.Bind(metadata.Action{Name: "send", Effect: metadata.Sends, Summary: "Send a letter."}, func(ctx context.Context, in routertest.SendOnlyIn) (routertest.LetterOut, error) {
			if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "letter", People: []string{"ann@example.com"}, Tainted: in.Text == "marked"}); err != nil {
				return routertest.LetterOut{}, err
			}
			return routertest.LetterOut{Status: "sent"}, nil
		}),
		bundles.Bind(metadata.Action{Name: "burn", Effect: metadata.Destroys, Summary: "Burn a letter."}, func(context.Context, routertest.ListIn) (routertest.LetterOut, error) {
			return routertest.LetterOut{Status: "burnt"}, nil
		}),
		bundles.Bind(metadata.Action{Name: "answer", Effect: metadata.Sends, Summary: "Answer a letter, and quote it."}, func(ctx context.Context, in routertest.SendOnlyIn) (routertest.LetterOut, error) {
			bundles.MarkUntrusted(ctx)
			if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "letter", People: []string{"ann@example.com"}}); err != nil {
				return routertest.LetterOut{}, err
			}
			return routertest.LetterOut{Status: "sent"}, nil
		}),
	)
}

func TestTaintedSessionAsksAboutAllowedSends(t *testing.T) {
	for name, c := range map[string]struct {
		policy policy.Policy
		steps  string // the calls: read, send, new (session); send? is asked about and approved, send! is refused
	}{
		"before it nothing is asked":               {policy.Policy{Send: policy.Allow, Taint: true}, "send send"},
		"after it the user is":                     {policy.Policy{Send: policy.Allow, Taint: true}, "send read send! send!"},
		"each time, whatever the user agreed to":   {policy.Policy{Send: policy.Allow, Taint: true}, "read send! send? send? send!"},
		"but not by what is destroyed":             {policy.Policy{Send: policy.Allow, Taint: true}, "read burn? send!"},
		"a new session knows nothing of it":        {policy.Policy{Send: policy.Allow, Taint: true}, "read new send"},
		"from the answer on, not within a call":    {policy.Policy{Send: policy.Allow, Taint: true}, "answer send!"},
		"by an entry point too":                    {policy.Policy{Send: policy.Allow, Taint: true}, "inner send!"},
		"what was written after it is asked about": {policy.Policy{Send: policy.Allow, Taint: true}, "send marked! marked? new marked! send"},
		"which can be switched off":                {policy.Policy{Send: policy.Allow}, "marked"},
		"switched off it is not minded":            {policy.Policy{Send: policy.Allow}, "read send"},
		"where the rule is to ask it is as is":     {policy.Policy{Send: policy.Ask, Taint: true}, "send? read send?"},
		"where it is refused it stays so":          {policy.Policy{Send: policy.Refuse, Taint: true}, "read refused"},
	} {
		t.Run(name, func(t *testing.T) {
			asked, agrees := 0, false
			var last entrypoint.Request
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{post()}, Policy: c.policy, Approver: routertest.Approver(func(_ context.Context, q entrypoint.Request) error {
				asked, last = asked+1, q
				if !agrees {
					return metadata.Errorf(metadata.Refused, "no")
				}
				return nil
			})})
			ctx := entrypoint.WithNewSession(t.Context())
			for i, step := range strings.Fields(c.steps) {
				asked, agrees = 0, strings.HasSuffix(step, "?")
				tool, args := "post_send", `{"text": "hello"}`
				switch step {
				case "new":
					ctx = entrypoint.WithNewSession(t.Context())
					continue
				case "marked", "marked!", "marked?":
					args = `{"text": "marked"}`
				case "read":
					tool, args = "post_read", `{}`
				case "burn?":
					tool, args = "post_burn", `{}`
				case "answer", "answer?":
					tool = "post_answer"
				case "inner":
					tool, args = "kota_read", `{"bundle": "post", "action": "read"}`
				}
				_, err := r.Call(ctx, tool, json.RawMessage(args))
				wantAsked, wantErr := strings.ContainsAny(step, "?!"), step == "send!" || step == "marked!" || step == "refused"
				if (asked == 1) != wantAsked || (err != nil) != wantErr {
					t.Fatalf("step %d, %s: asked %d times, %v", i+1, step, asked, err)
				}
				if wantAsked && step != "burn?" && (last.Reason != "") != (c.policy.Send == policy.Allow) {
					t.Errorf("step %d, %s: asked because of %q", i+1, step, last.Reason)
				}
			}
		})
	}
}

func TestCallsWithoutSessionShareTaint(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{post()}, Policy: policy.Policy{Send: policy.Allow, Taint: true}})
	if _, err := routertest.Call(t, r, "post_send", `{"text": "hello"}`); err != nil {
		t.Fatal(err)
	}
	if _, err := routertest.Call(t, r, "post_read", `{}`); err != nil {
		t.Fatal(err)
	}
	if _, err := routertest.Call(t, r, "post_send", `{"text": "hello"}`); err == nil || err.Code != metadata.ApprovalNeeded {
		t.Errorf("got %v, want %s", err, metadata.ApprovalNeeded)
	}
}
