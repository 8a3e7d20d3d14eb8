package memory

import (
	"context"
	"encoding/json"

	"kota/bundles"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/recipients"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// address matches a mail address in the text of a memory.
var address = lazyregexp.New(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+`)

// maxPeople bounds the memories in which People looks.
const maxPeople = 10

// People returns the people in memories whose key has a name, and whose text has exactly one mail
// address. Secrets, and memories that others may have written, are left out.
func People(ctx context.Context, memories Memories, name string) ([]bundles.Person, error) {
	found, err := memories.Recall(ctx, store.RecallQuery{Text: name, Limit: maxPeople})
	if err != nil {
		return nil, err
	}
	people := []bundles.Person{}
	for _, hit := range found.Hits {
		m := hit.Memory
		if m.Secret || untrusted.IsUntrusted(m.Source) || !recipients.Has(m.Key, name) {
			continue
		}
		text := string(m.Value)
		if plain := ""; json.Unmarshal(m.Value, &plain) == nil {
			text = plain
		}
		if list := address().FindAllString(text, -1); len(list) == 1 {
			people = append(people, bundles.Person{Name: name, Address: list[0], Known: "memory " + m.Key})
		}
	}
	return people, nil
}
