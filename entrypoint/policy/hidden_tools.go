package policy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// HiddenTools are the tools that the policy does not offer. The texts of bundles also name
// the tools of other bundles. KOTA removes the sentences that name a hidden tool, so that no
// model tries to call it.
type HiddenTools []string

// HiddenTools returns the tools that the profile does not offer. It leaves out tools for
// which only an account's rights are missing. Their names are not secret, and an error says
// how to grant the rights.
func (p Policy) HiddenTools(all []bundles.Bundle) HiddenTools {
	p.MissingScopes = nil
	var h HiddenTools
	for _, b := range all {
		for _, a := range b.Actions {
			if !p.visible(b.Bundle, a.Action) || !p.Offers(a) {
				h = append(h, a.Tool)
			}
		}
	}
	return h
}

// WithoutHidden returns the bundles without the sentences that name a
// hidden tool. It does not change summaries and workflows.
func (p Policy) WithoutHidden(all []bundles.Bundle) []bundles.Bundle {
	h := p.HiddenTools(all)
	if len(h) == 0 {
		return all
	}
	reworded := slices.Clone(all)
	for i := range reworded {
		h.rewordBundle(&reworded[i])
	}
	return reworded
}

// removeMentions returns the text without the sentences that name a hidden tool.
func (h HiddenTools) removeMentions(text string) string {
	if !strings.Contains(text, "_") {
		return text
	}
	return metadata.WithoutSentences(text, h.mentioned)
}

// mentioned reports whether the text names a hidden tool.
func (h HiddenTools) mentioned(text string) bool {
	return slices.ContainsFunc(h, func(tool string) bool {
		for rest := text; ; {
			at := strings.Index(rest, tool)
			if at < 0 {
				return false
			}
			if rest = rest[at+len(tool):]; rest == "" || !isWord(rest[0]) {
				return true
			}
		}
	})
}

// isWord reports whether c can continue the name of a tool.
func isWord(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// undoID is the field in which a change returns the id for its undo.
const undoID = "undo_id"

// cannotUndo reports whether the action that undoes the bundle's changes is hidden. An
// undo id would be useless then.
func (h HiddenTools) cannotUndo(b bundles.Bundle) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Undoes && slices.Contains(h, a.Tool) })
}

// NoUndo returns, for each bundle key, whether the action that undoes the bundle's changes is
// hidden.
func (p Policy) NoUndo(all []bundles.Bundle) map[string]bool {
	keys, h := map[string]bool{}, p.HiddenTools(all)
	for _, b := range all {
		keys[b.Key] = h.cannotUndo(b)
	}
	return keys
}

func (h HiddenTools) rewordBundle(b *bundles.Bundle) {
	b.Description, b.Instructions = h.removeMentions(b.Description), h.removeMentions(b.Instructions)
	b.Actions, b.Bundle.Actions = slices.Clone(b.Actions), slices.Clone(b.Bundle.Actions)
	noUndo := h.cannotUndo(*b)
	for i := range b.Actions {
		h.rewordAction(&b.Actions[i].Action, noUndo)
	}
	for i := range b.Bundle.Actions {
		h.rewordAction(&b.Bundle.Actions[i], noUndo)
	}
	b.Resources, b.Prompts, b.Relationships = slices.Clone(b.Resources), slices.Clone(b.Prompts), slices.Clone(b.Relationships)
	for i := range b.Resources {
		b.Resources[i].Description = h.removeMentions(b.Resources[i].Description)
	}
	for i := range b.Prompts {
		b.Prompts[i].Description = h.removeMentions(b.Prompts[i].Description)
	}
	for i := range b.Relationships {
		b.Relationships[i].Description = h.removeMentions(b.Relationships[i].Description)
	}
}

func (h HiddenTools) rewordAction(a *metadata.Action, noUndo bool) {
	a.Description, a.Deprecated = h.removeMentions(a.Description), h.removeMentions(a.Deprecated)
	a.BriefText, a.SpecText = h.removeMentions(a.BriefText), h.removeMentions(a.SpecText)
	notes := []string{}
	for _, note := range a.Notes {
		if note = h.removeMentions(note); note != "" {
			notes = append(notes, note)
		}
	}
	a.Notes = notes
	a.Examples = slices.Clone(a.Examples)
	for i := range a.Examples {
		h.rewordExample(&a.Examples[i])
	}
	a.Input, a.Output = a.Input.Reworded(h.removeMentions), a.Output.Reworded(h.removeMentions)
	if noUndo {
		a.Output = a.Output.Without(undoID)
	}
}

// rewordExample removes hidden tools from the example's title. It removes the whole answer
// if the answer names a hidden tool or cannot be encoded.
func (h HiddenTools) rewordExample(e *metadata.Example) {
	e.Title = h.removeMentions(e.Title)
	if e.Answer == nil {
		return
	}
	if answer, err := json.Marshal(e.Answer); err != nil || h.mentioned(string(answer)) {
		e.Answer = nil
	}
}

// Hide removes the sentences that name hidden tools from the hints and schemas of calls'
// errors. It also gives handlers the function behind bundles.WithoutHiddenTools.
func (h HiddenTools) Hide(next entrypoint.Handler) entrypoint.Handler {
	if len(h) == 0 {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		c.Env.WithoutHiddenTools = h.removeMentions
		out, err := next(ctx, c)
		if e := (*metadata.Error)(nil); errors.As(err, &e) {
			return nil, h.rewordError(e)
		}
		return out, err
	}
}

// rewordError returns a copy of the error whose hint and schema name no hidden tool. It
// does not change the original, which may be shared.
func (h HiddenTools) rewordError(e *metadata.Error) *metadata.Error {
	reworded := *e
	reworded.Hint = h.removeMentions(e.Hint)
	if len(e.Schema) > 0 && h.mentioned(string(e.Schema)) {
		reworded.Schema = h.rewordSchema(e.Schema)
	}
	return &reworded
}

func (h HiddenTools) rewordSchema(raw json.RawMessage) json.RawMessage {
	schema, err := metadata.ParseSchema(raw)
	if err != nil {
		return nil
	}
	raw, err = schema.Reworded(h.removeMentions).MarshalJSON()
	if err != nil {
		return nil
	}
	return raw
}
