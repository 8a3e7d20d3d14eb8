package bundles_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"kota/bundles"
)

func TestTheFirstGroupOfAFileIsThePhrasesOfItsAction(t *testing.T) {
	about := testBundle()
	about.Phrases = fstest.MapFS{"phrases/dim.txt": {Data: []byte("darker, please\nit is too bright\n\nonly for the classifier\n")}}
	b := bundles.New(about, bundles.Bind(lampAction(), dim))
	want := append(slices.Clone(lampAction().Phrases), "darker, please", "it is too bright")
	if got := b.Actions[0].Phrases; !slices.Equal(got, want) || !slices.Equal(b.Bundle.Actions[0].Phrases, want) {
		t.Errorf("got the phrases %q, want %q", got, want)
	}
}

func TestPhrasesWithoutAnActionAreRefused(t *testing.T) {
	about := testBundle()
	about.Phrases = fstest.MapFS{"phrases/dims.txt": {Data: []byte("darker\n")}}
	requirePanic(t, func() { bundles.New(about, bundles.Bind(lampAction(), dim)) }, "assemble bundle ", `phrases/dims.txt is for "dims", which is not an action`)
}
