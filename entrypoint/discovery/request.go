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

// Target finds out which action an entry point is to run with which arguments.
// Its own arguments are not decoded: those of the action are, by the action.
func (c *Catalogue) Target(input *metadata.Schema, args json.RawMessage) (entrypoint.Target, error) {
	parts, err := input.Parts(args, metadata.Sends)
	if err != nil {
		return c.parseLenient(args, err)
	}
	bundle, action := parts.Text("bundle"), parts.Text("action")
	asked := entrypoint.Target{Args: parts.JSON("args"), Repaired: parts.Repaired}
	if exact, ok := entrypoint.Enabled(c.installed, bundle, action); ok {
		asked.Action = exact
		return c.unwrapRequest(input, asked), nil
	}
	found, err := c.resolveAction(bundle, action)
	if err != nil {
		return entrypoint.Target{}, err
	}
	if asked.Action, err = found.with(asked.Args); err != nil {
		return entrypoint.Target{}, err
	}
	asked.Repaired = append(asked.Repaired, readAs(asked.Action))
	return asked, nil
}

// unwrapRequest takes a request out of the arguments of a request that repeats it.
func (c *Catalogue) unwrapRequest(input *metadata.Schema, asked entrypoint.Target) entrypoint.Target {
	if !bytes.Contains(asked.Args, []byte(`"action"`)) || asked.Action.Input.Takes("action") || asked.Action.Input.Takes("bundle") {
		return asked
	}
	parts, err := input.Parts(asked.Args, metadata.Sends)
	if err != nil {
		return asked
	}
	inside, ok := entrypoint.Enabled(c.installed, parts.Text("bundle"), parts.Text("action"))
	if !ok || inside.Tool != asked.Action.Tool {
		return asked
	}
	asked.Args = parts.JSON("args")
	asked.Repaired = append(asked.Repaired, "the request taken out of its arguments")
	return asked
}

// What models call the parts of a request to an entry point; the right name
// comes first.
var (
	bundleNames = []string{"bundle", "bundle_key"}
	actionNames = []string{"action", "tool", "tool_name", "action_name", "name"}
	argsNames   = []string{"args", "arguments", "params", "parameters", "input", "request"}
)

// mostParts bounds the parts of a lenient request, far above any action's arguments.
const mostParts = 100

// parseLenient reads a request that does not fit its schema: parts under other
// names or missing, arguments beside args. Cause is what was wrong with it. The
// schema of the action itself decides what is an argument, and is what a
// request is answered with whose action is known.
func (c *Catalogue) parseLenient(args json.RawMessage, cause error) (entrypoint.Target, error) {
	parts, ok := metadata.Members(args)
	if !ok || len(parts) > mostParts {
		return entrypoint.Target{}, cause
	}
	p := &openRequest{parts: parts}
	bundle, action := p.text(bundleNames), p.text(actionNames)
	if bundle == "" && action == "" && len(p.parts) == 1 { // all of it may be inside
		if inside := p.take(argsNames, nil); inside != nil {
			p.parts, _ = metadata.Members(inside)
			p.say("the request taken out of its arguments")
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
		p.say(readAs(found.Action))
	}
	whole, err := p.withRest(p.take(argsNames, found.Input), found.Input)
	if err != nil {
		return entrypoint.Target{}, err
	}
	inner, err := found.with(whole)
	return entrypoint.Target{Action: inner, Args: whole, Repaired: p.notes}, err
}

// readAs is the note on an action that was not named as described.
func readAs(a bundles.Action) string { return "bundle and action read as " + a.Tool }

// An openRequest is the unread parts of a request, by the names they were sent under.
type openRequest struct {
	parts map[string]json.RawMessage
	notes []string
}

func (p *openRequest) say(note string) { p.notes = append(p.notes, note) }

// take takes the first part that has one of the names, unless the schema has an
// argument of that name. It returns nil when there is none.
func (p *openRequest) take(names []string, except *metadata.Schema) json.RawMessage {
	for _, name := range names {
		for _, sent := range slices.Sorted(maps.Keys(p.parts)) {
			if !metadata.SameName(name, sent) || except != nil && except.Takes(sent) {
				continue
			}
			part := p.parts[sent]
			delete(p.parts, sent)
			switch {
			case name != names[0]:
				p.say(name + " read as " + names[0])
			case sent != name:
				p.say("another spelling read as " + name)
			}
			return part
		}
	}
	return nil
}

// text takes a part that is a text, "" when there is none.
func (p *openRequest) text(names []string) string {
	var text string
	part := p.take(names, nil)
	if part == nil || json.Unmarshal(part, &text) != nil {
		return ""
	}
	return text
}

// withRest returns the arguments with all that stood beside them.
func (p *openRequest) withRest(args json.RawMessage, of *metadata.Schema) (json.RawMessage, error) {
	if len(p.parts) == 0 {
		return args, nil
	}
	whole, ok := metadata.Members(args)
	if !ok { // they are no object: their own schema says so
		return args, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.parts)) {
		if _, twice := whole[name]; twice {
			return nil, of.Refuse(metadata.Problem{Path: name, Expected: "each argument once", Got: "one in args and one beside them"})
		}
		whole[name] = p.parts[name]
	}
	p.say("arguments beside args put into it")
	return json.Marshal(whole)
}
