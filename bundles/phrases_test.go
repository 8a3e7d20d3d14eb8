package bundles_test

import (
	"slices"
	"testing"

	"kota/bundles"
)

func TestNewAssignsPhrasesToActions(t *testing.T) {
	about := testBundle()
	about.Phrases = "dim\n  darker, please\n\n  it is too bright\n"
	b := bundles.New(about, bundles.Bind(lampAction(), dim))
	want := append(slices.Clone(lampAction().Phrases), "darker, please", "it is too bright")
	if got := b.Actions[0].Phrases; !slices.Equal(got, want) || !slices.Equal(b.Bundle.Actions[0].Phrases, want) {
		t.Errorf("got the phrases %q, want %q", got, want)
	}
}

func TestNewRefusesPhrasesOfUnknownAction(t *testing.T) {
	for text, says := range map[string]string{
		"dims\n  darker":     `there are phrases for "dims", which is not an action`,
		"  darker\ndim\n  x": `the phrase "darker" is for no action`,
	} {
		about := testBundle()
		about.Phrases = text
		requirePanic(t, func() { bundles.New(about, bundles.Bind(lampAction(), dim)) }, "assemble bundle ", says)
	}
}
