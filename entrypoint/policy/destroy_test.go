package policy_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// shredExactlyIn is the input of a handler that asks about exactly what it destroys.
type shredExactlyIn struct{ routertest.ListIn }

func (shredExactlyIn) ConfirmsItself() {}

// shredder returns a bundle with three actions: one that does not say what it destroys,
// one that asks by itself, and one that also sends messages about it.
func shredder(did *[]string) bundles.Bundle {
	about := metadata.Bundle{Key: "shredder", Name: "Shredder", Description: "For good", Category: metadata.Core, Tags: []string{"paper"}, Enabled: true}
	action := func(name string) metadata.Action {
		return metadata.Action{Name: name, Effect: metadata.Destroys, Summary: "Destroy."}
	}
	does := func(what string) (routertest.LetterOut, error) {
		*did = append(*did, what)
		return routertest.LetterOut{Status: what}, nil
	}
	return bundles.New(about,
		bundles.Bind(action("all"), func(context.Context, routertest.ListIn) (routertest.LetterOut, error) { return does("all") }),
		bundles.Bind(action("some"), func(ctx context.Context, _ shredExactlyIn) (routertest.LetterOut, error) {
			if err := bundles.ConfirmDestroy(ctx, bundles.Deletion{What: "2 letters", All: []string{"a", "b"}}); err != nil {
				return routertest.LetterOut{}, err
			}
			return does("some")
		}),
		bundles.Bind(action("loudly"), func(ctx context.Context, _ routertest.ListIn) (routertest.LetterOut, error) {
			if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "letter", People: []string{"ann@example.com"}}); err != nil {
				return routertest.LetterOut{}, err
			}
			return does("loudly")
		}),
	)
}

func TestUserIsAskedAboutDestructionAndSendSeparately(t *testing.T) {
	for name, c := range map[string]struct {
		policy policy.Policy
		tool   string
		asked  []metadata.Effect
	}{
		"before anything is known":                    {policy.Policy{}, "shredder_all", []metadata.Effect{metadata.Destroys}},
		"when all is known":                           {policy.Policy{}, "shredder_some", []metadata.Effect{metadata.Destroys}},
		"the one is not the other":                    {policy.Policy{}, "shredder_loudly", []metadata.Effect{metadata.Destroys, metadata.Sends}},
		"nor is what is allowed":                      {policy.Policy{Destroy: policy.Allow}, "shredder_loudly", []metadata.Effect{metadata.Sends}},
		"a gate that says nothing that is known asks": {policy.Policy{Destroy: "alow", Send: "alow"}, "shredder_loudly", []metadata.Effect{metadata.Destroys, metadata.Sends}},
		"what is allowed is done":                     {policy.Policy{Destroy: policy.Allow}, "shredder_some", nil},
	} {
		for _, agrees := range []bool{true, false} {
			did, asked := []string{}, []metadata.Effect(nil)
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{shredder(&did)}, Policy: c.policy, Approver: routertest.Approver(func(_ context.Context, r entrypoint.Request) error {
				asked = append(asked, r.Effect)
				if !agrees {
					return metadata.Errorf(metadata.Refused, "no")
				}
				return nil
			})})
			_, err := r.Call(t.Context(), c.tool, json.RawMessage(`{}`))
			want := c.asked
			if !agrees && len(want) > 0 {
				want = want[:1]
			}
			if done := len(did) > 0; !slices.Equal(asked, want) || done != (agrees || len(c.asked) == 0) || (err == nil) != done {
				t.Errorf("%s, and the user says %v: asked %v, did %v, %v", name, agrees, asked, did, err)
			}
		}
	}
}
