package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"kota/bundles/memory"
	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
	"kota/store"
)

// shownPairs limits the pairs of near-duplicates on a page.
const shownPairs = 25

// showDuplicates shows memories that may say the same, or one such pair with what a merge would keep.
func (q *request) showDuplicates() error {
	form := q.r.URL.Query()
	if form.Has("one") {
		return q.showMerge(form.Get("one"), form.Get("other"))
	}
	memories, err := q.app.Memories(q.r.Context())
	if err != nil {
		return err
	}
	found, err := memory.Duplicates(q.r.Context(), memories, shownPairs)
	if err != nil {
		return err
	}
	var pairs []view.Pair
	for _, pair := range found {
		pairs = append(pairs, view.Pair{One: q.storedMemory(pair.One), Other: q.storedMemory(pair.Other)})
	}
	return q.show(http.StatusOK, "Memories that may say the same", "memory", func(p view.Page) templ.Component { return view.Duplicates(p, pairs) })
}

// storedMemory returns a memory of the store for a page.
func (q *request) storedMemory(m *store.Memory) view.Memory {
	return view.Memory{
		Key: m.Key, Text: shorten(valueText(m.Value), 2000), Category: m.Category, Tags: m.Tags, Source: m.Source,
		Updated: m.Updated.Format("2006-01-02T15:04:05Z07:00"), Pinned: m.Pinned, Version: m.Version,
	}
}

// showMerge shows two memories side by side, and what would be kept.
func (q *request) showMerge(one, other string) error {
	kept, err := q.memory(one)
	if err != nil {
		return err
	}
	gone, err := q.memory(other)
	if err != nil {
		return err
	}
	if kept.Secret || gone.Secret {
		return metadata.Errorf(metadata.Refused, "secrets cannot be merged")
	}
	kept.Why, gone.Why = "", ""
	pair := view.Pair{One: kept.view(), Other: gone.view(), Merged: valueText(merged(kept.Value, gone.Value))}
	return q.show(http.StatusOK, "Merge two memories", "memory", func(p view.Page) templ.Component { return view.Merge(p, pair) })
}

// merged returns what two values say together: the lines of both texts or the members of both objects,
// each once. Of two members with one name, and of other values, it returns the first.
func merged(one, other json.RawMessage) json.RawMessage {
	var a, b string
	if json.Unmarshal(one, &a) == nil && json.Unmarshal(other, &b) == nil {
		lines := strings.Split(a, "\n")
		for line := range strings.SplitSeq(b, "\n") {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
		return plain(strings.Join(lines, "\n"))
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal(one, &x) == nil && json.Unmarshal(other, &y) == nil && x != nil && y != nil {
		for name, value := range x {
			y[name] = value
		}
		return plain(y)
	}
	return one
}

// merge stores the merged value under the key that stays, and forgets the other memory. Both changes
// can be undone. It changes nothing if one of them was changed since the page was made.
func (q *request) merge() error {
	form := q.r.PostForm
	keep, forget := form.Get("one"), form.Get("other")
	switch form.Get("keep") {
	case "one":
	case "other":
		keep, forget = forget, keep
	default:
		return metadata.Errorf(metadata.ValidationError, "the form does not say which name to keep, so nothing was done")
	}
	kept, err := q.memory(keep)
	if err != nil {
		return err
	}
	gone, err := q.memory(forget)
	if err != nil {
		return err
	}
	if kept.Key == gone.Key || kept.Secret || gone.Secret {
		return metadata.Errorf(metadata.ValidationError, "a merge needs two memories that are no secrets")
	}
	if form.Get("versions") != versionsText(kept, gone) && form.Get("versions") != versionsText(gone, kept) {
		return metadata.Errorf(metadata.Conflict, "one of the two memories was changed meanwhile, so nothing was merged").WithHint("Open the page again.")
	}
	in := args{"key": kept.Key, "value": parseValue(strings.ReplaceAll(form.Get("value"), "\r\n", "\n"), kept.Value), "if_version": kept.Version}
	var tags []string
	for _, tag := range append(kept.Tags, gone.Tags...) {
		tags = addOnce(tags, tag)
	}
	in["tags"] = tags
	if source := mergedSource(kept, gone); source != "" {
		in["source"] = source
	}
	if kept.Expires != "" {
		in["expires_at"] = kept.Expires
	}
	var changed, deleted struct {
		Undo string `json:"undo_id"`
	}
	if err := q.call("memory_set", in, &changed); err != nil {
		return err
	}
	if err := q.call("memory_delete", args{"key": gone.Key}, &deleted); err != nil {
		failure := failureOf(err)
		return metadata.Errorf(metadata.CodeOf(err), "%q now says both, but %q could not be forgotten: %s", kept.Key, gone.Key, failure.Message).WithHint("Forget it on its own page.")
	}
	undos := slices.DeleteFunc([]string{deleted.Undo, changed.Undo}, func(id string) bool { return id == "" })
	return q.redirectDone("memory/"+escape(kept.Key), strings.Join(undos, ","))
}

// versionsText names the versions of two memories that a page shows.
func versionsText(one, other memoryAnswer) string { return fmt.Sprint(one.Version, " ", other.Version) }

// mergedSource returns the source of a merged memory. Text of others stays marked as such.
func mergedSource(kept, gone memoryAnswer) string {
	if gone.Provenance != nil && gone.Source != "" && !strings.Contains(kept.Source, gone.Source) {
		return strings.TrimPrefix(kept.Source+"; "+gone.Source, "; ")
	}
	return kept.Source
}
