package fakepeople

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// book is the address book of one account.
type book struct {
	server    *fakeapi.Server
	contacts  *people
	others    *people
	directory *people // nil: a consumer account
	groups    []*group
	warm      map[string]bool // read masks for which an empty search has loaded the cache
}

// people are the persons of one source.
type people struct {
	source string // the source type of their fields: "CONTACT"
	byID   map[string]*person
	change uint64            // number of the last change
	tokens map[string]issued // by sync token
	pages  map[string]page   // by page token
}

// person is a person as Google stores it.
type person struct {
	id      string // resource name
	data    fakeapi.Object
	profile fakeapi.Object // fields of the person's own Google profile, which Google merges into contacts
	etag    uint64
	change  uint64 // the change that made it as it is
	deleted bool
	updated time.Time
}

type group struct {
	id, name string
	etag     uint64
	system   bool
}

const myContacts = "contactGroups/myContacts"

func newBook(s *fakeapi.Server) *book {
	return &book{
		server: s, contacts: newPeople("CONTACT"), others: newPeople("OTHER_CONTACT"), warm: map[string]bool{},
		groups: []*group{{id: myContacts, name: "myContacts", system: true}, {id: "contactGroups/starred", name: "starred", system: true}},
	}
}

func newPeople(source string) *people {
	return &people{source: source, byID: map[string]*person{}, tokens: map[string]issued{}, pages: map[string]page{}}
}

func bookOf(a *fakeapi.Account) *book { return a.State["people"].(*book) }

// put stores a person as changed now.
func (p *people) put(s *fakeapi.Server, one *person) {
	p.change++
	one.change, one.etag, one.updated = p.change, s.NextID(), s.Now()
	p.byID[one.id] = one
}

// sorted returns the persons, those changed longest ago first.
func (p *people) sorted() []*person {
	return slices.SortedFunc(maps.Values(p.byID), func(a, b *person) int { return int(a.change) - int(b.change) })
}

func etag(number uint64) string { return fmt.Sprintf("%%EgUBAi43%x", number) }

// show returns the fields of a mask of a person, in the form of the API. Without sources, it has those
// of the person's profile too.
func (p *people) show(one *person, mask []string, sources ...string) fakeapi.Object {
	shown := fakeapi.Object{"resourceName": one.id, "etag": etag(one.etag)}
	if one.deleted {
		return fakeapi.Object{"resourceName": one.id, "etag": etag(one.etag), "metadata": fakeapi.Object{"deleted": true, "objectType": "PERSON"}}
	}
	for _, field := range mask {
		if field == "metadata" {
			shown["metadata"] = fakeapi.Object{"objectType": "PERSON", "sources": []any{fakeapi.Object{
				"type": p.source, "id": strings.TrimPrefix(one.id, "people/c"), "etag": "#" + etag(one.etag), "updateTime": one.updated.UTC().Format(time.RFC3339Nano),
			}}}
			continue
		}
		items, _ := one.data[field].([]any)
		shownItems := withMetadata(items, p.source, one.id)
		if more, ok := one.profile[field].([]any); ok && (len(sources) == 0 || slices.Contains(sources, "READ_SOURCE_TYPE_PROFILE")) {
			shownItems = append(shownItems, withMetadata(more, "PROFILE", one.id)...)
		}
		if len(shownItems) > 0 {
			shown[field] = shownItems
		}
	}
	return shown
}

// withMetadata returns items with their source. The first one is primary.
func withMetadata(items []any, source, id string) []any {
	shown := make([]any, len(items))
	for i, item := range items {
		object := maps.Clone(item.(fakeapi.Object))
		object["metadata"] = fakeapi.Object{"primary": i == 0, "sourcePrimary": i == 0, "source": fakeapi.Object{"type": source, "id": strings.TrimPrefix(id, "people/c")}}
		shown[i] = object
	}
	return shown
}

// maskOf returns the fields of a mask that a method requires. The document lists the valid ones in
// the description of the parameter; of other contacts, those of the default source come first.
func maskOf(c *fakeapi.Call, name string) ([]string, error) {
	text := c.Query.Get(name)
	if text == "" {
		return nil, fakeapi.Invalid("%s mask is required. Please specify one or more valid paths. Valid paths are documented at https://developers.google.com/people/api/rest/v1/people/get.", name)
	}
	_, list, found := strings.Cut(c.Method.Parameters[name].Description, "alid values are:")
	list, _, _ = strings.Cut(list, " If ")
	valid := strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == '*' || r == '\n' })
	fields := strings.Split(text, ",")
	for _, field := range fields {
		if !found || !slices.Contains(valid, strings.TrimSpace(field)) {
			return nil, fakeapi.Invalid("Invalid %s mask path: %q. Valid paths are documented at https://developers.google.com/people/api/rest/v1/people/get.", name, field)
		}
	}
	return fields, nil
}
