package search

import "kota/metadata"

// Entries returns a search entry for each action of b.
func Entries(b metadata.Bundle) []Entry {
	entries := make([]Entry, 0, len(b.Actions))
	for _, a := range b.Actions {
		e := Entry{
			Tool: a.Tool, Bundle: b.Key, Name: a.Name,
			Summary: a.Summary, Description: a.Description,
			Tags: a.Tags, Phrases: a.Phrases,
			BundleText: bundleText(b),
		}
		for _, p := range a.Input.Params() {
			e.Params = append(e.Params, Param{Name: p.Name, Description: p.Description})
		}
		for _, x := range a.Examples {
			e.Examples = append(e.Examples, x.Title)
		}
		entries = append(entries, e)
	}
	return entries
}

func bundleText(b metadata.Bundle) string {
	text := b.Name + "\n" + b.Description
	for _, tag := range b.Tags {
		text += "\n" + tag
	}
	return text
}
