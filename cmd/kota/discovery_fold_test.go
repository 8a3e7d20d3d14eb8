package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"kota/cmd/kota/internal/app"
	"kota/metadata/search"
)

// Each phrase of an action is searched for while it is left out. The result
// shows how the search handles unknown phrases. In one round every action lacks
// one of its phrases.
func TestLeftOutPhrasesFindTheirAction(t *testing.T) {
	t.Parallel()
	const leastFirst, leastFive = 0.43, 0.83
	var entries []search.Entry
	for _, b := range (&app.App{}).Bundles() {
		entries = append(entries, search.Entries(b.Bundle)...)
	}
	whole := slices.Clone(entries)
	asked, first, five := 0.0, 0.0, 0.0
	for round := 0; ; round++ {
		for i, e := range whole {
			entries[i].Phrases = e.Phrases
			if round < len(e.Phrases) {
				entries[i].Phrases = slices.Concat(e.Phrases[:round], e.Phrases[round+1:])
			}
		}
		before := asked
		index := search.NewIndex(entries, search.Options{OutOfScope: search.OutOfScope(entries)})
		for i, e := range whole {
			if round >= len(e.Phrases) {
				continue
			}
			asked++
			place := slices.IndexFunc(index.Search(e.Phrases[round], 5), func(h search.Hit) bool { return h.Entry == i })
			if place == 0 {
				first++
			}
			if place >= 0 {
				five++
			}
		}
		if asked == before {
			break
		}
	}
	t.Logf("%.0f phrases: %.3f first, %.3f among the first five", asked, first/asked, five/asked)
	if first/asked < leastFirst || five/asked < leastFive {
		t.Errorf("%.3f first and %.3f among five, want at least %.2f and %.2f", first/asked, five/asked, leastFirst, leastFive)
	}
}

// If a profile shows only one bundle, queries for other bundles find little of
// it, and its own queries still find it.
func TestQueriesForHiddenBundlesFindLittle(t *testing.T) {
	t.Parallel()
	const mostNoise, mostSilence = 0.25, 0.10
	queries := labelledQueries(t, "tune.json")
	for _, b := range app.KnownBundles((&app.App{}).Bundles()) {
		home := t.TempDir()
		writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(fmt.Sprintf("%s\nprofile: one\nprofiles:\n  one: {bundles: [%s]}\n", allBundlesOn(), b.Key)))
		router := routerIn(t, home)
		otherQueries, noise, ownQueries, silence := 0.0, 0.0, 0.0, 0.0
		for _, q := range queries {
			answered := len(discoverFive(t, router, q.Query)) > 0
			switch mine := slices.ContainsFunc(slices.Concat(q.Want, q.Also), func(tool string) bool { return slices.Contains(b.Tools, tool) }); {
			case mine:
				ownQueries++
				if !answered {
					silence++
				}
			default:
				otherQueries++
				if answered {
					noise++
				}
			}
		}
		t.Logf("%s alone: %.2f of the others' questions answered, %.2f of its own not", b.Key, noise/otherQueries, silence/ownQueries)
		if noise/otherQueries > mostNoise || silence/ownQueries > mostSilence {
			t.Errorf("%s alone: %.2f of the others' questions are answered, and %.2f of its own are not; want at most %.2f and %.2f", b.Key, noise/otherQueries, silence/ownQueries, mostNoise, mostSilence)
		}
	}
}
