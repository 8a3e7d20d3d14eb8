package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/metadata"
)

// maxInstructions is where clients cut the instructions of a server, in
// characters.
const maxInstructions = 2048

func TestRoleInstructionsReachModelUncut(t *testing.T) {
	a := &app.App{Env: environment(t, nil)}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	for _, b := range a.Bundles() {
		a.Config.Bundles[b.Key] = config.Bundle{Enabled: true}
	}
	a.Config.Profiles["role"] = config.Profile{Instructions: strings.Repeat("é", config.MaxInstructions)}
	a.Config.Profile = "role"
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(router.Instructions()); n < config.MaxInstructions || n > maxInstructions {
		t.Errorf("with every bundle on and a role of %d characters the instructions have %d, want at most %d", config.MaxInstructions, n, maxInstructions)
	}
}

// The profile names each of its tools. A new tool is therefore not in it until
// it is added.
func TestWritingProfileNamesItsTools(t *testing.T) {
	a := &app.App{Env: environment(t, nil)}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	policy := a.Config.PolicyOf("writing")
	all := map[string]bundles.Bundle{}
	for _, b := range a.Bundles() {
		all[b.Key] = b
	}
	for key, want := range map[string]int{"memory": len(all["memory"].Actions), "daily": len(all["daily"].Actions), "calendar": 0} {
		if got := policy.Count(all[key]); got != want {
			t.Errorf("%s: %d actions, want %d", key, got, want)
		}
	}
	named := a.Config.Profiles["writing"].Actions
	drafts := []string{"gmail_send_message", "gmail_reply_message", "gmail_forward_message", "gmail_update_draft", "gmail_delete_draft", "gmail_undo", "gmail_get_attachment"}
	count := 0
	for _, action := range all["gmail"].Actions {
		want := action.Effect == metadata.Reads || slices.Contains(drafts, action.Tool)
		if got := slices.Contains(named, action.Tool); got != want {
			t.Errorf("%s: in the profile %v, want %v", action.Tool, got, want)
		}
		if want {
			count++
		}
	}
	if got := policy.Count(all["gmail"]); got != count {
		t.Errorf("%d actions of gmail may run, want the %d that are named", got, count)
	}
}
