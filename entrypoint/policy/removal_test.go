package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

type drawerIn struct {
	IDs []string `json:"ids"`
}

// drawer returns a bundle that shows letters by others and puts them away.
func drawer(moved *[]string) bundles.Bundle {
	about := metadata.Bundle{Key: "drawer", Name: "Drawer", Description: "Letters", Category: metadata.Core, Tags: []string{"paper"}, Enabled: true}
	return bundles.New(about,
		bundles.Bind(metadata.Action{Name: "show", Effect: metadata.Reads, Summary: "Show letters."}, func(ctx context.Context, in drawerIn) (routertest.LetterOut, error) {
			bundles.MarkUntrusted(ctx)
			for _, id := range in.IDs {
				bundles.MarkShown(ctx, id)
			}
			return routertest.LetterOut{Status: "shown"}, nil
		}),
		bundles.Bind(metadata.Action{Name: "clear", Effect: metadata.Writes, Summary: "Put letters away."}, func(ctx context.Context, in drawerIn) (routertest.LetterOut, error) {
			removal := bundles.Removal{Items: in.IDs, Count: len(in.IDs), Describe: func() (bundles.Deletion, error) {
				return bundles.Deletion{What: "puts letters away", All: in.IDs}, nil
			}}
			if err := bundles.ConfirmRemoval(ctx, removal); err != nil {
				return routertest.LetterOut{}, err
			}
			*moved = append(*moved, in.IDs...)
			return routertest.LetterOut{Status: "moved"}, nil
		}),
		bundles.Bind(metadata.Action{Name: "rule", Effect: metadata.Writes, Summary: "Put all later letters away."}, func(ctx context.Context, _ routertest.ListIn) (routertest.LetterOut, error) {
			removal := bundles.Removal{Describe: func() (bundles.Deletion, error) { return bundles.Deletion{What: "puts later letters away"}, nil }}
			return routertest.LetterOut{Status: "made"}, bundles.ConfirmRemoval(ctx, removal)
		}),
	)
}

func TestRemovingMailAsksInTaintedSession(t *testing.T) {
	taint := policy.Policy{Send: policy.Ask, Taint: true}
	letters := func(prefix string, n int) (ids []string) {
		for i := range n {
			ids = append(ids, prefix+string(rune('a'+i)))
		}
		return ids
	}
	show := func(ids ...string) string { return "show " + strings.Join(ids, " ") }
	clear := func(ids []string, answer string) string { return "clear" + answer + " " + strings.Join(ids, " ") }
	for name, c := range map[string]struct {
		policy policy.Policy
		steps  []string // clear? is asked about and approved, clear! is refused
	}{
		"before it nobody is asked":         {taint, []string{clear(letters("x", 20), ""), "rule"}},
		"after it about what was not shown": {taint, []string{show("a"), clear([]string{"b"}, "!"), clear([]string{"b"}, "?"), clear([]string{"a"}, "")}},
		"with one that was not shown":       {taint, []string{show("a"), clear([]string{"a", "b"}, "!")}},
		"ten that were shown go":            {taint, []string{show(letters("x", 20)...), clear(letters("x", 10), "")}},
		"eleven are asked about":            {taint, []string{show(letters("x", 20)...), clear(letters("x", 11), "!")}},
		"eleven in two calls too":           {taint, []string{show(letters("x", 20)...), clear(letters("x", 6), ""), clear(letters("x", 5), "!")}},
		"a yes begins the count again":      {taint, []string{show(letters("x", 20)...), clear(letters("x", 11), "?"), clear(letters("x", 10), ""), clear(letters("x", 1), "!")}},
		"a rule always":                     {taint, []string{show("a"), "rule!", "rule?"}},
		"another conversation starts over":  {taint, []string{show("a"), "new", clear([]string{"b"}, "")}},
		"what another showed is not shown":  {taint, []string{show("a", "b"), "new", show("c"), clear([]string{"a"}, "!")}},
		"switched off nobody is asked":      {policy.Policy{Send: policy.Ask}, []string{show("a"), clear([]string{"b"}, ""), "rule"}},
	} {
		t.Run(name, func(t *testing.T) {
			moved, asked, agrees := []string{}, 0, false
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{drawer(&moved)}, Policy: c.policy, Approver: routertest.Approver(func(_ context.Context, q entrypoint.Request) error {
				asked++
				if q.Effect != metadata.Writes || q.Reason == "" || !strings.Contains(q.Deletion.What, "letters away") {
					t.Errorf("asked %s because of %q:\n%s", q.Effect, q.Reason, q.Deletion.What)
				}
				if !agrees {
					return metadata.Errorf(metadata.Refused, "no")
				}
				return nil
			})})
			ctx := entrypoint.WithNewSession(t.Context())
			for i, step := range c.steps {
				words := strings.Fields(step)
				if words[0] == "new" {
					ctx = entrypoint.WithNewSession(t.Context())
					continue
				}
				asked, agrees = 0, strings.HasSuffix(words[0], "?")
				before := len(moved)
				args, err := json.Marshal(map[string]any{"ids": words[1:]})
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(words[0], "rule") {
					args = []byte(`{}`)
				}
				_, err = r.Call(ctx, "drawer_"+strings.Trim(words[0], "?!"), args)
				refused := strings.HasSuffix(words[0], "!")
				if (asked == 1) != (agrees || refused) || (err != nil) != refused {
					t.Fatalf("step %d, %.40s: asked %d times, %v", i+1, step, asked, err)
				}
				if words[0] == "clear" && !slices.Equal(moved[before:], words[1:]) || refused && len(moved) != before {
					t.Errorf("step %d, %.40s: moved %v", i+1, step, moved[before:])
				}
			}
		})
	}
}

// uncounted is the state of a session whose database cannot be reached for the count of removed mail.
type uncounted struct{ entrypoint.Replicas }

func (uncounted) Refresh(context.Context) error { return nil }

func (uncounted) CountRemoved(context.Context, int, int) (bool, error) {
	return false, &metadata.Error{Code: metadata.Unavailable, Message: "the database cannot be reached", Retryable: true}
}

func TestRemovingMailIsUnavailableWithoutTheCount(t *testing.T) {
	moved := []string{}
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{drawer(&moved)}, Policy: policy.Policy{Send: policy.Ask, Taint: true}, Approver: routertest.Approver(func(context.Context, entrypoint.Request) error {
		t.Error("the user is asked")
		return nil
	})})
	s := entrypoint.NewSession()
	s.Share("id", uncounted{})
	ctx := s.NewContext(t.Context())
	args := json.RawMessage(`{"ids": ["a"]}`)
	if _, err := r.Call(ctx, "drawer_show", args); err != nil {
		t.Fatal(err)
	}
	_, err := r.Call(ctx, "drawer_clear", args)
	if failure := (*metadata.Error)(nil); !errors.As(err, &failure) || failure.Code != metadata.Unavailable || !failure.Retryable || len(moved) > 0 {
		t.Errorf("got %v, and %v moved", err, moved)
	}
}
