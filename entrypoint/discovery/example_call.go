package discovery

import (
	"encoding/json"
	"slices"
	"strings"

	"kota/entrypoint"
	"kota/metadata"
	"kota/metadata/search"
)

// exampleCall returns a short example call of the action, or nil. If the bundle is enabled, the
// policy lets the call run: a mail that must not be sent becomes a draft. The query must clearly
// ask for a call that does more than read; see search.Asks. The call has an argument that the
// query's words stand for, if there are any; see search.AliasArgs. It prefers an example that at
// most writes, or whose effect the query asks for, and then the example whose title shares most
// words with the query. If two examples share as many words, but do different operations, and
// only one of them answers a question, it returns that one for a question, and otherwise nil.
func (c *Catalogue) exampleCall(a catalogueAction, query string) *metadata.Step {
	best := bestExamples(c.fittingExamples(a, query))
	switch {
	case len(best) == 0, metadata.SameName(query, a.bundle.Key): // the key of a bundle asks for no action
		return nil
	case search.Names(query, *a.Action) || !differ(best, *a.Action):
		return &best[0].call
	case search.IsQuestion(query):
		best = slices.DeleteFunc(best, func(e fittingExample) bool { return e.effect != metadata.Reads })
	}
	if len(best) == 1 {
		return &best[0].call
	}
	return nil
}

// A fittingExample is an example as a call that the query may ask for.
type fittingExample struct {
	call   metadata.Step
	args   map[string]any
	effect metadata.Effect
	asked  bool // it at most writes, or the query asks for its effect
	shared int  // how many words of the title the query has
}

// fittingExamples returns the examples of the action that the query may ask for, in their order.
func (c *Catalogue) fittingExamples(a catalogueAction, query string) []fittingExample {
	var list []fittingExample
	meant := search.AliasArgs(query, *a.Action)
	for _, example := range a.Examples {
		call, effect, allowed := c.asCall(a, example)
		if !allowed || jsonSize(call) > maxCallBytes {
			continue
		}
		e := fittingExample{call: call, effect: effect, shared: search.SharedWords(query, example.Title)}
		if raw, err := metadata.Plain(call.Args); err != nil || json.Unmarshal(raw, &e.args) != nil {
			continue
		}
		change := effect
		if e.args["dry_run"] == true { // for somebody who asks for the change
			change = a.Effect
		}
		if !search.Asks(query, *a.Action, change) || len(meant) > 0 && !slices.ContainsFunc(meant, e.has) {
			continue
		}
		e.asked = metadata.Writes.Covers(effect) || effect == metadata.Sends && search.AsksToSend(query) || effect == metadata.Destroys && search.AsksToDelete(query)
		list = append(list, e)
	}
	return list
}

// has reports whether the example has an argument, given as "name: value" or, for any value, as
// "name".
func (e fittingExample) has(argument string) bool {
	name, value, hasValue := strings.Cut(argument, ": ")
	got, found := e.args[name]
	if !hasValue || !found {
		return found
	}
	raw, err := json.Marshal(got)
	return err == nil && strings.Trim(string(raw), `"`) == value
}

// bestExamples returns the examples that fit best.
func bestExamples(list []fittingExample) []fittingExample {
	slices.SortStableFunc(list, func(a, b fittingExample) int {
		if a.asked != b.asked {
			if a.asked {
				return -1
			}
			return 1
		}
		return b.shared - a.shared
	})
	n := 0
	for n < len(list) && list[n].asked == list[0].asked && list[n].shared == list[0].shared {
		n++
	}
	return list[:n]
}

// differ reports whether the examples have different values of a parameter that says what the
// action does: of an enumeration that every example of the action gives, such as "operation".
func differ(list []fittingExample, a metadata.Action) bool {
	for _, p := range a.Input.Params() {
		if p.Enum == nil || !givenInAll(a, p.Name) {
			continue
		}
		if slices.ContainsFunc(list, func(e fittingExample) bool { return e.args[p.Name] != list[0].args[p.Name] }) {
			return true
		}
	}
	return false
}

func givenInAll(a metadata.Action, param string) bool {
	return !slices.ContainsFunc(a.Examples, func(example metadata.Example) bool {
		raw, err := metadata.Plain(example.Args)
		args := map[string]any{}
		return err != nil || json.Unmarshal(raw, &args) != nil || args[param] == nil
	})
}

// asCall returns the example as a call, the call's effect, and whether the policy lets it run.
// For an action of a disabled bundle, it does not ask the policy.
func (c *Catalogue) asCall(a catalogueAction, example metadata.Example) (metadata.Step, metadata.Effect, bool) {
	call := metadata.Step{Tool: a.Tool, Args: example.Args}
	action, on := entrypoint.Enabled(c.installed, a.bundle.Key, a.Name)
	if !on {
		return call, a.Effect, true
	}
	args, effect, allowed := c.policy.AllowedArgs(action, example.Args)
	call.Args = args
	return call, effect, allowed
}
