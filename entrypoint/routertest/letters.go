package routertest

import (
	"context"

	"kota/bundles"
	"kota/metadata"
)

// A letterIn is the input of an action that sends a letter or saves it as a draft.
type letterIn struct {
	Text    string `json:"text"`
	AsDraft bool   `json:"as_draft,omitempty"`
}

func (in letterIn) Effect() metadata.Effect {
	if in.AsDraft {
		return metadata.Writes
	}
	return metadata.Sends
}

// A draftableIn is a letterIn with an AsDraft method, so the gate `send: draft` can save the
// letter as a draft.
type draftableIn struct{ letterIn }

func (in draftableIn) AsDraft() draftableIn { in.letterIn.AsDraft = true; return in }

// A noDraftIn has an AsDraft method that changes nothing, so the action still sends.
type noDraftIn struct {
	Text string `json:"text"`
}

func (in noDraftIn) AsDraft() noDraftIn { return in }

// A SendOnlyIn is the input of an action that can only send.
type SendOnlyIn struct {
	Text string `json:"text"`
}

// A LetterOut says what happened to a letter.
type LetterOut struct {
	Status string   `json:"status"`
	Scopes []string `json:"scopes,omitempty"`
}

// Letters returns a bundle of actions that send. Some of them can save a draft.
func Letters() bundles.Bundle {
	write := func(ctx context.Context, in letterIn) (LetterOut, error) {
		if in.AsDraft {
			return LetterOut{Status: "draft", Scopes: bundles.ScopesOf(ctx)}, nil
		}
		if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "letter", People: []string{"ann@example.com"}, Lines: []bundles.Line{{Name: "Text", Text: in.Text}}}); err != nil {
			return LetterOut{}, err
		}
		return LetterOut{Status: "sent", Scopes: bundles.ScopesOf(ctx)}, nil
	}
	return bundles.New(metadata.Bundle{
		Key: "letters", Name: "Letters", Description: "Letters to people", Category: metadata.Core, Tags: []string{"post"}, Enabled: true,
	},
		bundles.Bind(metadata.Action{Name: "send", Effect: metadata.Sends, Summary: "Send a letter.", Scopes: []string{"compose"},
			Examples: []metadata.Example{{Title: "Greet", Args: draftableIn{letterIn{Text: "hello"}}}}},
			func(ctx context.Context, in draftableIn) (LetterOut, error) { return write(ctx, in.letterIn) }),
		bundles.Bind(metadata.Action{Name: "release", Effect: metadata.Sends, Summary: "Send a letter that lies ready."},
			func(ctx context.Context, in letterIn) (LetterOut, error) { return write(ctx, in) }),
		bundles.Bind(metadata.Action{Name: "hand_over", Effect: metadata.Sends, Summary: "Send what cannot be kept.",
			Examples: []metadata.Example{{Title: "Greet", Args: SendOnlyIn{Text: "hello"}}}},
			func(ctx context.Context, in SendOnlyIn) (LetterOut, error) {
				return write(ctx, letterIn{Text: in.Text})
			}),
		bundles.Bind(metadata.Action{Name: "run_away", Effect: metadata.Sends, Summary: "Send what has no draft."},
			func(ctx context.Context, in noDraftIn) (LetterOut, error) { return write(ctx, letterIn{Text: in.Text}) }),
	)
}
