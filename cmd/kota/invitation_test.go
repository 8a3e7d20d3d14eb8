package main

import (
	"testing"

	"kota/metadata"
)

func TestInvitationsAreReadWhereMailIsOn(t *testing.T) {
	for on, want := range map[bool]metadata.Code{false: metadata.Unavailable, true: metadata.SignInRequired} {
		a := &app{config: Config{Home: t.TempDir(), Tokens: tokensInFiles, Bundles: map[string]BundleConfig{"gmail": {Enabled: on}}}}
		if _, err := a.invitation(t.Context(), "", "18c2f0a9b1d3e4f5"); metadata.CodeOf(err) != want {
			t.Errorf("mail on %v: %v", on, err)
		}
	}
}

func TestInvitationsAreNotReadWhereAProfileHidesMail(t *testing.T) {
	a := &app{config: Config{
		Home: t.TempDir(), Tokens: tokensInFiles, Bundles: map[string]BundleConfig{"gmail": {Enabled: true}},
		Profile: "home", Profiles: map[string]Profile{"home": {Bundles: []string{"calendar"}}},
	}}
	if _, err := a.invitation(t.Context(), "", "18c2f0a9b1d3e4f5"); metadata.CodeOf(err) != metadata.Unavailable {
		t.Errorf("got %v, want it not to be read", err)
	}
}
