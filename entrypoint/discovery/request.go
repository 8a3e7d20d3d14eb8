package discovery

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// Target returns the action that a call of an entry point asks for, and its arguments. It checks
// the arguments against the action only if the name is misspelt.
func (c *Catalogue) Target(input *metadata.Schema, args json.RawMessage) (entrypoint.Target, error) {
	parts, err := input.Parts(args, metadata.Sends)
	if err != nil {
		return c.parseLenient(args, err)
	}
	bundle, action := parts.Text("bundle"), parts.Text("action")
	target := entrypoint.Target{Args: parts.JSON("args"), Repaired: parts.Repaired}
	if exact, ok := entrypoint.Enabled(c.installed, bundle, action); ok {
		target.Action = exact
		return c.unwrapRequest(input, target), nil
	}
	found, err := c.resolveAction(bundle, action)
	if err != nil {
		return entrypoint.Target{}, err
	}
	if target.Action, err = found.forArgs(target.Args); err != nil {
		return entrypoint.Target{}, err
	}
	target.Repaired = append(target.Repaired, readAsNote(target.Action))
	return target, nil
}

// unwrapRequest corrects a request whose arguments contain the same request again.
func (c *Catalogue) unwrapRequest(input *metadata.Schema, target entrypoint.Target) entrypoint.Target {
	if !bytes.Contains(target.Args, []byte(`"action"`)) || target.Action.Input.Accepts("action") || target.Action.Input.Accepts("bundle") {
		return target
	}
	parts, err := input.Parts(target.Args, metadata.Sends)
	if err != nil {
		return target
	}
	inner, ok := entrypoint.Enabled(c.installed, parts.Text("bundle"), parts.Text("action"))
	if !ok || inner.Tool != target.Action.Tool {
		return target
	}
	target.Args = parts.JSON("args")
	target.Repaired = append(target.Repaired, "the request was taken from inside its arguments")
	return target
}

// The names that models use for the parts of a request to an entry point. The declared name
// comes first.
var (
	bundleNames = []string{"bundle", "bundle_key"}
	actionNames = []string{"action", "tool", "tool_name", "action_name", "name"}
	argsNames   = []string{"args", "arguments", "params", "parameters", "input", "request"}
)

// maxParts is the maximum number of parts in a lenient request.
const maxParts = 100

// parseLenient reads a request that does not fit the entry point's schema: parts have other
// names or are missing, or arguments are outside args. The parameter cause is the error of
// the check. If the action is known, its schema decides which parts are arguments, and
// reports errors later.
func (c *Catalogue) parseLenient(args json.RawMessage, cause error) (entrypoint.Target, error) {
	parts, ok := metadata.Members(args)
	if !ok || len(parts) > maxParts {
		return entrypoint.Target{}, cause
	}
	p := &lenientRequest{parts: parts}
	bundle, action := p.text(bundleNames), p.text(actionNames)
	if bundle == "" && action == "" && len(p.parts) == 1 { // everything may be inside
		if inside := p.take(argsNames, nil); inside != nil {
			p.parts, _ = metadata.Members(inside)
			p.addNote("the request was taken from inside its arguments")
			bundle, action = p.text(bundleNames), p.text(actionNames)
		}
	}
	found, err := c.resolveAction(bundle, action)
	if err != nil {
		if action == "" {
			err = cause
		}
		return entrypoint.Target{}, err
	}
	if found.Name != action || bundle == "" {
		p.addNote(readAsNote(found.Action))
	}
	whole, err := p.withOtherParts(p.take(argsNames, found.Input), found.Input)
	if err != nil {
		return entrypoint.Target{}, err
	}
	inner, err := found.forArgs(whole)
	return entrypoint.Target{Action: inner, Args: whole, Repaired: p.notes}, err
}

// readAsNote returns the note on an action that the caller did not name exactly.
func readAsNote(a bundles.Action) string { return "bundle and action read as " + a.Tool }

// A lenientRequest has the unread parts of a request, by the names in the request.
type lenientRequest struct {
	parts map[string]json.RawMessage
	notes []string
}

func (p *lenientRequest) addNote(note string) { p.notes = append(p.notes, note) }

// take removes and returns the first part that has one of the names. It skips a part whose
// name is an argument of the action with this schema; the schema may be nil. It returns nil
// if no part fits.
func (p *lenientRequest) take(names []string, schema *metadata.Schema) json.RawMessage {
	for _, name := range names {
		for _, sent := range slices.Sorted(maps.Keys(p.parts)) {
			if !metadata.SameName(name, sent) || schema != nil && schema.Accepts(sent) {
				continue
			}
			part := p.parts[sent]
			delete(p.parts, sent)
			switch {
			case name != names[0]:
				p.addNote(name + " read as " + names[0])
			case sent != name:
				p.addNote("another spelling read as " + name)
			}
			return part
		}
	}
	return nil
}

// text takes a part with one of the names. It returns "" if the part is absent or not a string.
func (p *lenientRequest) text(names []string) string {
	var text string
	part := p.take(names, nil)
	if part == nil || json.Unmarshal(part, &text) != nil {
		return ""
	}
	return text
}

// withOtherParts returns the arguments together with the unread parts.
func (p *lenientRequest) withOtherParts(args json.RawMessage, schema *metadata.Schema) (json.RawMessage, error) {
	if len(p.parts) == 0 {
		return args, nil
	}
	whole, ok := metadata.Members(args)
	if !ok { // args is not an object: the action's schema will report it
		return args, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.parts)) {
		if _, known := whole[name]; known {
			return nil, schema.ArgumentError(metadata.Problem{Path: name, Expected: "each argument only once", Got: "two values, inside and outside args"})
		}
		whole[name] = p.parts[name]
	}
	p.addNote("arguments outside args moved into args")
	return json.Marshal(whole)
}
