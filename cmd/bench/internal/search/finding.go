// Package search measures how well and how fast KOTA finds actions and tools.
package search

import (
	"context"
	"fmt"
	"os"
	"slices"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/cmd/bench/internal/report"
	"kota/metadata"
	"kota/metadata/classifier"
	"kota/metadata/search"
)

// folds is the number of parts of the cross-validation.
const folds = 5

// Finding measures by cross-validation how often the search finds the right action of
// KOTA. It asks every request in the repository that is not a declared phrase. A group has the
// same request in other words. The classifier that answers a request was trained without the
// requests of its group. measureFinding must run in the folder of the repository.
func Finding(context.Context) ([]report.Row, error) {
	requests, err := classifier.ReadRequests(os.DirFS("."))
	if err != nil {
		return nil, fmt.Errorf("read the requests (run this in the folder of the repository): %w", err)
	}
	entries := ownEntries()
	withoutClassifier := search.NewIndex(entries, search.Options{OutOfScope: search.OutOfScope(entries)})
	var words, fused found
	for fold := range folds {
		heldOut := func(r classifier.Request) bool { return !r.Phrase && r.Group%folds == fold }
		var train []classifier.Example
		for _, r := range requests {
			if !heldOut(r) {
				train = append(train, r.Example)
			}
		}
		index := search.NewIndex(entries, search.Options{OutOfScope: search.OutOfScope(entries), Classifier: classifier.Train(train, classifier.Options{})})
		var asked []classifier.Request
		for _, r := range requests {
			if heldOut(r) {
				asked = append(asked, r)
			}
		}
		for i, one := range asked {
			other := asked[(i*31+17)%len(asked)]
			words.ask(withoutClassifier, entries, one)
			fused.ask(index, entries, one)
			if i%9 == 0 && one.Label != other.Label && one.Label != classifier.OutOfScope && other.Label != classifier.OutOfScope {
				words.askBoth(withoutClassifier, entries, one, other)
				fused.askBoth(index, entries, one, other)
			}
		}
	}
	return []report.Row{
		report.Info("own actions by words: first right, in the first 5, silent where nothing fits, wrongly silent, both of two needs", "%s", words),
		report.Info("the same with the classifier, which does not know the request's group", "%s", fused),
	}, nil
}

// ownEntries returns the search entries of all bundles.
func ownEntries() []search.Entry {
	var entries []search.Entry
	for _, b := range []bundles.Bundle{memory.New(memory.Deps{}), daily.New(daily.Deps{}), gmail.New(gmail.Deps{}), calendar.New(calendar.Deps{})} {
		about := b.Bundle
		about.Actions = make([]metadata.Action, len(b.Actions))
		for i, a := range b.Actions {
			about.Actions[i] = a.Action
		}
		entries = append(entries, search.Entries(about)...)
	}
	return entries
}

// found counts the answers to requests.
type found struct {
	asked, first, five, wronglySilent float64
	outOfScope, silent                float64
	needs, met                        float64 // of the requests for two things: all, and those that the hits answer
}

// ask searches for the request and counts the answer.
func (f *found) ask(index *search.Index, entries []search.Entry, request classifier.Request) {
	hits := index.Search(request.Text, 5)
	isSilent := len(hits) == 0 || !hits[0].Fits()
	if request.Label == classifier.OutOfScope {
		f.outOfScope++
		if isSilent {
			f.silent++
		}
		return
	}
	f.asked++
	if isSilent {
		f.wronglySilent++
		return
	}
	switch firstAnswer(hits, entries, request) {
	case -1:
	case 0:
		f.first++
		f.five++
	default:
		f.five++
	}
}

// askBoth searches for two requests in one query, and counts how many of them the first five
// hits answer.
func (f *found) askBoth(index *search.Index, entries []search.Entry, a, b classifier.Request) {
	f.needs += 2
	hits := index.Search(a.Text+" and "+b.Text, 5)
	for _, request := range []classifier.Request{a, b} {
		if firstAnswer(hits, entries, request) >= 0 {
			f.met++
		}
	}
}

// firstAnswer returns the index of the first hit that answers the request, or -1.
func firstAnswer(hits []search.Hit, entries []search.Entry, request classifier.Request) int {
	return slices.IndexFunc(hits, func(h search.Hit) bool {
		tool := entries[h.Entry].Tool
		return tool == request.Label || slices.Contains(request.Also, tool)
	})
}

func (f found) String() string {
	return fmt.Sprintf("%.3f, %.3f, %.3f, %.3f, %.3f (%.0f requests, %.0f out of scope, %.0f for two things)",
		f.first/f.asked, f.five/f.asked, f.silent/f.outOfScope, f.wronglySilent/f.asked, f.met/f.needs, f.asked, f.outOfScope, f.needs/2)
}
