package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kota/cmd/kota/internal/app"
	"kota/metadata/search"
)

func TestPhrases(t *testing.T) {
	var entries []search.Entry
	for _, b := range (&app.App{}).Bundles() {
		entries = append(entries, search.Entries(b.Bundle)...)
	}

	t.Run("are each of one action in the whole catalogue", func(t *testing.T) {
		output := map[string]string{}
		for _, e := range entries {
			for _, phrase := range e.Phrases {
				phrase = strings.ToLower(phrase)
				if other, taken := output[phrase]; taken {
					t.Errorf("%q leads to %s and to %s", phrase, other, e.Tool)
				}
				output[phrase] = e.Tool
			}
		}
	})

	t.Run("lead to their action in the whole catalogue", func(t *testing.T) {
		index := search.NewIndex(entries, search.Options{})
		for i, e := range entries {
			for _, phrase := range e.Phrases {
				found := false
				for _, hit := range index.Search(phrase, 5) {
					found = found || hit.Entry == i
				}
				if !found {
					t.Errorf("%q of %s speaks more for five others", phrase, e.Tool)
				}
			}
		}
	})

	t.Run("are searched and never shown", func(t *testing.T) {
		for view, text := range catalogueViews(t) {
			for _, e := range entries {
				if !strings.Contains(text, e.Tool) {
					t.Errorf("%s does not show %s", view, e.Tool)
				}
				for _, phrase := range e.Phrases {
					if strings.Contains(text, phrase) {
						t.Errorf("%s shows %q, a phrase of %s", view, phrase, e.Tool)
					}
				}
			}
		}
	})
}

// catalogueViews returns everything through which the catalogue is read, with every
// bundle enabled.
func catalogueViews(t *testing.T) map[string]string {
	home := newHomeWithConfig(t, "expose: all\n"+bundleSwitches(func(string) bool { return true }))
	shown := map[string]string{}
	for _, command := range []string{"docs", "context"} {
		var out, stderr bytes.Buffer
		if err := run(t.Context(), []string{command}, environment(t, map[string]string{"KOTA_HOME": home}), strings.NewReader(""), &out, &stderr); err != nil {
			t.Fatal(err)
		}
		shown["kota "+command] = out.String()
	}
	p := serveIn(t, home)
	p.send(fmt.Sprintf(listTools, "list"))
	for _, b := range (&app.App{}).Bundles() {
		p.send(toolCall(b.Key, "kota_describe_bundle", object{"bundle": b.Key}))
	}
	for id, answer := range p.end() {
		if id == "list" {
			shown["tools/list"] = string(answer.Result)
			continue
		}
		shown["kota_describe_bundle"] += string(answer.Result)
	}
	return shown
}
