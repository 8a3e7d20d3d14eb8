package policy

import (
	"context"
	"slices"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

func TestTrustableNeedsSingleConversation(t *testing.T) {
	ann := []string{"Ann@Example.com"}
	for name, c := range map[string]struct {
		s      *entrypoint.Session
		people []string
		want   []string
	}{
		"of its own":         {entrypoint.NewSession(), ann, []string{"ann@example.com"}},
		"shared":             {entrypoint.NewSharedSession(), ann, nil},
		"none":               {&entrypoint.Session{}, ann, nil},
		"one has no address": {entrypoint.NewSession(), append(ann, "everybody of the list"), nil},
	} {
		if got := trustable(c.s, c.people); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// counter counts what calls do.
type counter int

func (n *counter) Limit(_ context.Context, _ metadata.Effect, of int) error {
	*n += counter(of)
	return nil
}

func TestCallApprovedByIDIsCountedOnce(t *testing.T) {
	for _, c := range []struct {
		approval *entrypoint.ApprovalByID
		want     counter
	}{{nil, 4}, {&entrypoint.ApprovalByID{}, 0}} { // `kota approve` counts such a call when it consumes the approval
		counted := counter(0)
		move := &entrypoint.Call{Session: entrypoint.NewSession(), Action: bundles.Action{Action: metadata.Action{Tool: "letters_move"}}, Prepared: bundles.Call{Effect: metadata.Writes}}
		move.Approval = c.approval
		d := &decision{&Confirmer{Limiter: &counted}, move}
		if err := d.count(t.Context(), metadata.Sends, 1); err != nil {
			t.Fatal(err)
		}
		_, err := d.Confirm(func(ctx context.Context, c *entrypoint.Call) (any, error) {
			return nil, bundles.ConfirmChange(c.Env.NewContext(ctx), 3)
		})(t.Context(), move)
		if err != nil {
			t.Fatal(err)
		}
		if counted != c.want {
			t.Errorf("%d are counted, want %d", counted, c.want)
		}
	}
}
