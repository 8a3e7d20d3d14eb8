package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/metadata"
)

// profileHidingGmail hides one bundle of the whole catalogue, and some actions of the
// others.
var profileHidingGmail = config.Profile{
	Bundles: []string{"memory", "daily", "calendar"},
	Without: []string{"memory_delete", "calendar_undo", "daily_edit"},
}

// withoutHidden returns the bundles as if what the policy hides did not exist.
func withoutHidden(all []bundles.Bundle, rules policy.Policy) []bundles.Bundle {
	left := []bundles.Bundle{}
	for _, b := range rules.WithoutHidden(all) { // references in texts are gone too: see TestDescriptionsNameNoHiddenTool
		gone := func(tool string) bool { return !rules.Shows(b, tool) }
		b.Actions = slices.DeleteFunc(slices.Clone(b.Actions), func(a bundles.Action) bool { return gone(a.Tool) })
		b.Bundle.Actions = slices.DeleteFunc(slices.Clone(b.Bundle.Actions), func(a metadata.Action) bool { return gone(a.Tool) })
		b.Resources = slices.DeleteFunc(slices.Clone(b.Resources), func(r bundles.Resource) bool { return gone(b.Key + "_" + r.Action) })
		b.Prompts = slices.DeleteFunc(slices.Clone(b.Prompts), func(p bundles.Prompt) bool { return gone(b.Key + "_" + p.Action) })
		if len(b.Actions) > 0 {
			left = append(left, b)
		}
	}
	return left
}

// toolSpellings returns the ways in which a tool may be asked for.
func toolSpellings(tool string) []string {
	key, name, _ := strings.Cut(tool, "_")
	return []string{
		tool, tool[:len(tool)-1], tool + "s", tool[1:], strings.ToUpper(tool), key + "." + name, "mcp__kota__" + tool,
		strings.ReplaceAll(tool, "_", ""), strings.Replace(tool, "_", "-", 1), name,
	}
}

// requestsFor returns requests for a hidden action through every channel.
func requestsFor(b bundles.Bundle, a metadata.Action) []object {
	asked := []object{}
	ask := func(method string, params object) {
		asked = append(asked, object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	}
	call := func(tool string, args object) { ask("tools/call", object{"name": tool, "arguments": args}) }
	for _, name := range toolSpellings(a.Tool) {
		call(name, object{})
		for _, tool := range []string{"kota_entry_point", "kota_read"} {
			call(tool, object{"bundle": b.Key, "action": name, "args": object{}})
			call(tool, object{"bundle": b.Key, "action": name, "surely": "misplaced"})
			call(tool, object{"bundle": "", "action": name})
			call(tool, object{"bundle": name, "action": a.Name})
		}
		call("kota_describe_bundle", object{"bundle": name})
		call("kota_describe_bundle", object{"bundle": b.Key, "actions": []string{name}})
		call("kota_discover_bundles", object{"query": "select:" + name})
		call("kota_discover_bundles", object{"query": name, "bundle": b.Key})
	}
	for _, query := range append([]string{a.Summary, strings.Join(a.Tags, " "), strings.Join(b.Tags, " "), b.Name}, a.Phrases...) {
		call("kota_discover_bundles", object{"query": query})
		call("kota_discover_bundles", object{"query": query, "effect": a.Effect, "enabled_only": false, "detail": "full"})
	}
	call("kota_discover_bundles", object{"bundle": b.Key})
	call("kota_discover_bundles", object{"tags": b.Tags})
	for _, r := range b.Resources {
		if r.Action == a.Name {
			ask("resources/read", object{"uri": strings.ReplaceAll(strings.ReplaceAll(r.URI, "{", ""), "}", "")})
		}
	}
	for _, p := range b.Prompts {
		if p.Action == a.Name {
			ask("prompts/get", object{"name": p.Name, "arguments": object{}})
		}
	}
	ask("resources/read", object{"uri": "kota://bundles/" + b.Key})
	return asked
}

// TestHiddenActionLooksNonexistent asks for hidden actions. Without full torture, it makes every
// seventh request for each action, beginning with another one each time.
func TestHiddenActionLooksNonexistent(t *testing.T) {
	t.Parallel()
	a := &app.App{Env: environment(t, nil)}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	a.Config.Profiles["hiding"], a.Config.Profile = profileHidingGmail, "hiding"
	all := slices.Clone(a.Bundles())
	for i := range all {
		all[i].Enabled = true
		a.Config.Bundles[all[i].Key] = config.Bundle{Enabled: true}
	}
	rules := a.Policy()
	asks := func(all []bundles.Bundle, rules policy.Policy, expose mcpserver.Expose) func(object) string {
		router, err := pipeline.New(pipeline.Options{Bundles: all, Policy: rules})
		if err != nil {
			t.Fatal(err)
		}
		a.ServingRouter.Store(router)
		server := mcpserver.New(router, mcpserver.Options{Version: app.Version, Expose: expose})
		return func(question object) string {
			raw, err := json.Marshal(question)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := json.Marshal(server.HandleMessage(t.Context(), raw))
			if err != nil {
				t.Fatal(err)
			}
			return string(answer)
		}
	}
	never := policy.Policy{Profile: rules.Profile, Send: rules.Send, Destroy: rules.Destroy, SendTo: rules.SendTo, PerBundle: rules.PerBundle, ProfileGates: rules.ProfileGates, Taint: rules.Taint}
	count, hiddenActions, step := 0, 0, sampleSize(7, 1)
	if step > 1 {
		t.Logf("one request of %d is made: `make torture` makes all", step)
	}
	for _, expose := range []mcpserver.Expose{mcpserver.ExposeAll, mcpserver.ExposeDiscovery} {
		hidden, absent := asks(all, rules, expose), asks(withoutHidden(all, rules), never, expose)
		compare := func(question object) {
			count++
			if got, want := hidden(question), absent(question); got != want {
				t.Errorf("%v tells hidden from absent:\nhidden %s\nabsent %s", question, got, want)
			}
		}
		for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
			compare(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": object{}})
		}
		compare(object{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": object{
			"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"},
		}})
		for _, uri := range []string{"kota://bundles", "kota://context", "kota://context/400"} {
			compare(object{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": object{"uri": uri}})
		}
		compare(object{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": object{"name": "kota_guide"}})
		for _, b := range all {
			compare(object{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": object{"uri": "kota://bundles/" + b.Key}})
			for _, action := range b.Bundle.Actions {
				if rules.Shows(b, action.Tool) {
					continue
				}
				for i, question := range requestsFor(b, action) {
					if (i+hiddenActions)%step == 0 {
						compare(question)
					}
				}
				hiddenActions++
			}
		}
	}
	if count < 1000 {
		t.Errorf("only %d questions were asked", count)
	}
}
