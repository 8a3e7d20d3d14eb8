package main

import (
	"testing"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/metadata"
)

func TestInvitationsAreReadIfMailIsEnabled(t *testing.T) {
	for on, want := range map[bool]metadata.Code{false: metadata.Unavailable, true: metadata.SignInRequired} {
		a := &app.App{Config: config.Config{Home: t.TempDir(), Tokens: config.TokensInFiles, Bundles: map[string]config.Bundle{"gmail": {Enabled: on}}}}
		if _, err := a.Invitation(t.Context(), "", "18c2f0a9b1d3e4f5"); metadata.CodeOf(err) != want {
			t.Errorf("mail on %v: %v", on, err)
		}
	}
}

func TestInvitationsAreNotReadIfProfileHidesMail(t *testing.T) {
	a := &app.App{Config: config.Config{
		Home: t.TempDir(), Tokens: config.TokensInFiles, Bundles: map[string]config.Bundle{"gmail": {Enabled: true}},
		Profile: "home", Profiles: map[string]config.Profile{"home": {Bundles: []string{"calendar"}}},
	}}
	if _, err := a.Invitation(t.Context(), "", "18c2f0a9b1d3e4f5"); metadata.CodeOf(err) != metadata.Unavailable {
		t.Errorf("got %v, want it not to be read", err)
	}
}
