package main

import (
	"bytes"
	"strings"
	"testing"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
)

func TestOutboxShowsInvitationWithEvent(t *testing.T) {
	var out bytes.Buffer
	a := &app.App{Terminal: term.Terminal{Stdout: &out}}
	if err := printItem(a, bundles.OutboxItem{ID: "x", Kind: "invite", Status: "sent", Subject: "Lunch", Event: "abc123"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"sent, with event abc123", "event    abc123", "Lunch"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
