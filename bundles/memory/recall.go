package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
	"kota/store"
)

// recall runs a recall. If it finds nothing in q.Category, it tries the stored category that
// differs only in case and separators. Otherwise the note names the nearest category.
func recall(ctx context.Context, memories Memories, q store.RecallQuery) (answer store.RecallResult, note string, err error) {
	answer, err = memories.Recall(ctx, q)
	if err != nil || q.Category == "" || len(answer.Hits) > 0 {
		return answer, "", err
	}
	stored, err := memories.Categories(ctx)
	if err != nil {
		return answer, "", err
	}
	var names []string
	for _, c := range stored {
		names = append(names, c.Name)
	}
	if slices.Contains(names, q.Category) {
		return answer, "", nil
	}
	if i := slices.IndexFunc(names, func(name string) bool { return name != "" && metadata.SameName(name, q.Category) }); i >= 0 {
		q.Category = names[i]
		answer, err = memories.Recall(ctx, q)
		return answer, "", err
	}
	note = fmt.Sprintf("There is no category %q.", metadata.Shorten(q.Category))
	if near := metadata.Nearest(q.Category, names, 1); len(near) > 0 {
		note += fmt.Sprintf(" Did you mean %q?", near[0])
	}
	return answer, note, nil
}

// joinNotes joins the notes that are not empty.
func joinNotes(notes ...string) string { return strings.TrimSpace(strings.Join(notes, " ")) }
