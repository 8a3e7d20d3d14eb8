package main

import (
	"encoding/json"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/metadata"
)

// describingRequests returns the requests whose answers no call changes: everything
// that KOTA says about these bundles.
func describingRequests(all []bundles.Bundle) []object {
	asked := []object{}
	ask := func(method string, params object) {
		asked = append(asked, object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	}
	ask("initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"}})
	for _, list := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		ask(list, object{})
	}
	for _, uri := range []string{"kota://bundles", "kota://context", "kota://context/0", "memory://no such key"} {
		ask("resources/read", object{"uri": uri})
	}
	ask("prompts/get", object{"name": "kota_guide"})
	ask("tools/call", object{"name": "kota_discover_bundles", "arguments": object{}})
	ask("tools/call", object{"name": "kota_discover_bundles", "arguments": object{"query": "zzzz qqqq"}})
	for _, b := range all {
		ask("resources/read", object{"uri": "kota://bundles/" + b.Key})
		for _, detail := range []string{"brief", "spec", "schema"} {
			ask("tools/call", object{"name": "kota_describe_bundle", "arguments": object{"bundle": b.Key, "detail": detail}})
		}
		for _, detail := range []string{"names", "signatures", "full"} {
			ask("tools/call", object{"name": "kota_discover_bundles", "arguments": object{"query": b.Description, "bundle": b.Key, "detail": detail, "limit": 50}})
		}
		for _, p := range b.Prompts {
			ask("prompts/get", object{"name": p.Name, "arguments": object{"what": "bread", "about": "bread", "date": "today", "period": "today"}})
		}
		for _, a := range b.Actions {
			// The error of a call that fits no schema carries the schema, and
			// usually a hint.
			ask("tools/call", object{"name": a.Tool, "arguments": object{"surely": "unknown"}})
		}
	}
	return asked
}

// TestDescriptionsNameNoHiddenTool hides tools and reads everything that KOTA says. For any two
// tools, it reads the descriptions of one while the other is hidden. With full torture, it also
// hides each tool alone.
func TestDescriptionsNameNoHiddenTool(t *testing.T) {
	t.Parallel()
	a := &app.App{Env: environment(t, nil)}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(a.Bundles())
	tools := []string{}
	for i := range all {
		all[i].Enabled = true
		for _, action := range all[i].Actions {
			tools = append(tools, action.Tool)
		}
	}
	if len(tools) < 50 {
		t.Fatalf("there are %d tools", len(tools))
	}
	asked := describingRequests(all)
	output := func(rules policy.Policy, hidden ...string) {
		names := regexp.MustCompile(`(` + strings.Join(hidden, "|") + `)\b`)
		router, err := pipeline.New(pipeline.Options{Bundles: all, Policy: rules})
		if err != nil {
			t.Fatal(err)
		}
		a.ServingRouter.Store(router)
		server := mcpserver.New(router, mcpserver.Options{Version: app.Version})
		for _, question := range asked {
			raw, err := json.Marshal(question)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := json.Marshal(server.HandleMessage(t.Context(), raw))
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range names.FindAllIndex(answer, -1) {
				tool := string(answer[at[0]:at[1]])
				if question["params"].(object)["name"] == tool {
					continue // the request had its name
				}
				t.Errorf("without %s: %v says …%s…", tool, question["params"], answer[max(0, at[0]-120):min(len(answer), at[1]+60)])
			}
		}
	}
	// The numbers of two tools differ in a bit. So one of them is hidden while the other is not.
	for bit := range bits.Len(uint(len(tools))) {
		for value := range 2 {
			hidden := []string{}
			for number, tool := range tools {
				if number>>bit&1 == value {
					hidden = append(hidden, tool)
				}
			}
			output(policy.Policy{Profile: "mine", Without: hidden}, hidden...)
		}
	}
	for _, tool := range tools[:sampleSize(0, len(tools))] {
		output(policy.Policy{Profile: "mine", Without: []string{tool}}, tool)
	}
	withheld := []string{}
	rules := policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}
	for _, b := range all {
		for _, action := range b.Actions {
			if action.Effect != metadata.Reads && !action.EffectVaries {
				withheld = append(withheld, action.Tool)
			}
		}
	}
	output(rules, withheld...)
}
