package fakepeople

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

func getPerson(c *fakeapi.Call) (any, error) {
	mask, err := maskOf(c, "personFields")
	if err != nil {
		return nil, err
	}
	b, id := bookOf(c.Account), "people/"+c.Vars["peopleId"]
	for _, from := range []*people{b.contacts, b.directory} {
		if from != nil && from.byID[id] != nil && !from.byID[id].deleted {
			return from.show(from.byID[id], mask, sourcesOf(c)...), nil
		}
	}
	return nil, fakeapi.NotFound()
}

// searchContacts finds prefixes of words. Until an empty search has loaded the cache of the mask, it
// finds nothing: developers.google.com/people/v1/contacts#search_the_users_contacts.
func searchContacts(c *fakeapi.Call) (any, error) {
	mask, err := maskOf(c, "readMask")
	if err != nil {
		return nil, err
	}
	b, query := bookOf(c.Account), strings.ToLower(c.Query.Get("query"))
	if query == "" {
		b.warm[c.Query.Get("readMask")] = true
		return fakeapi.Object{}, nil
	}
	size, _ := strconv.Atoi(c.Query.Get("pageSize")) // checked against the document
	results := []any{}
	for _, one := range b.contacts.sorted() {
		if b.warm[c.Query.Get("readMask")] && !one.deleted && one.hasPrefix(query) && len(results) < min(max(size, 10), 30) {
			results = append(results, fakeapi.Object{"person": b.contacts.show(one, mask)})
		}
	}
	return fakeapi.Object{"results": results}, nil
}

// hasPrefix reports whether a name, nickname, address, number or organisation has a word that begins
// with the text.
func (one *person) hasPrefix(text string) bool {
	for _, field := range []string{"names", "nicknames", "emailAddresses", "phoneNumbers", "organizations"} {
		items, _ := one.data[field].([]any)
		for _, item := range items {
			for _, value := range item.(fakeapi.Object) {
				words, _ := value.(string)
				if strings.HasPrefix(strings.ToLower(words), text) || strings.Contains(strings.ToLower(words), " "+text) {
					return true
				}
			}
		}
	}
	return false
}

// singletons are fields of which a contact has at most one.
var singletons = []string{"names", "biographies", "birthdays", "genders"}

// checkFields returns an error for a contact that Google refuses.
func checkFields(data fakeapi.Object) error {
	for _, field := range singletons {
		if items, _ := data[field].([]any); len(items) > 1 {
			return fakeapi.Invalid("Cannot have more than one person.%s per source.", field)
		}
	}
	return nil
}

// cleaned returns the fields of a person as Google stores them: without output-only values.
func cleaned(sent fakeapi.Object) fakeapi.Object {
	stored := fakeapi.Object{}
	for field, value := range sent {
		items, isList := value.([]any)
		if !isList {
			continue // resourceName, etag and metadata
		}
		kept := []any{}
		for _, item := range items {
			object := maps.Clone(item.(fakeapi.Object))
			delete(object, "metadata")
			kept = append(kept, completed(field, object))
		}
		stored[field] = kept
	}
	return stored
}

// completed adds the values that Google derives.
func completed(field string, object fakeapi.Object) fakeapi.Object {
	if field == "names" {
		delete(object, "displayName")
		parts := []string{}
		for _, part := range []string{"honorificPrefix", "givenName", "middleName", "familyName", "honorificSuffix"} {
			if text, _ := object[part].(string); text != "" {
				parts = append(parts, text)
			}
		}
		name := strings.Join(parts, " ")
		if whole, _ := object["unstructuredName"].(string); name == "" {
			name = whole
			given, family, _ := strings.Cut(whole, " ")
			object["givenName"], object["familyName"] = given, family
		}
		object["displayName"], object["unstructuredName"] = name, name
	}
	return object
}

func decode(c *fakeapi.Call) (fakeapi.Object, error) {
	sent := fakeapi.Object{}
	err := c.Decode(&sent)
	return sent, err
}

func createContact(c *fakeapi.Call) (any, error) {
	mask := []string{"names", "metadata", "memberships"}
	if c.Query.Has("personFields") {
		var err error
		if mask, err = maskOf(c, "personFields"); err != nil {
			return nil, err
		}
	}
	sent, err := decode(c)
	if err != nil {
		return nil, err
	}
	data := cleaned(sent)
	if err := checkFields(data); err != nil {
		return nil, err
	}
	if memberships, _ := data["memberships"].([]any); len(memberships) == 0 {
		data["memberships"] = []any{membership(myContacts)}
	}
	b := bookOf(c.Account)
	one := &person{id: "people/c" + strconv.FormatUint(c.Server.NextID(), 10), data: data}
	b.contacts.put(c.Server, one)
	return b.contacts.show(one, mask, sourcesOf(c)...), nil
}

func membership(group string) fakeapi.Object {
	return fakeapi.Object{"contactGroupMembership": fakeapi.Object{"contactGroupResourceName": group, "contactGroupId": strings.TrimPrefix(group, "contactGroups/")}}
}

func updateContact(c *fakeapi.Call) (any, error) {
	fields, err := maskOf(c, "updatePersonFields")
	if err != nil {
		return nil, err
	}
	mask := fields
	if c.Query.Has("personFields") {
		if mask, err = maskOf(c, "personFields"); err != nil {
			return nil, err
		}
	}
	b := bookOf(c.Account)
	one := b.contacts.byID["people/"+c.Vars["peopleId"]]
	if one == nil || one.deleted {
		return nil, fakeapi.NotFound()
	}
	sent, err := decode(c)
	if err != nil {
		return nil, err
	}
	switch given := etagsOf(sent); {
	case len(given) == 0:
		return nil, fakeapi.Invalid("Request must set person.etag or person.metadata.sources.etag for the source that is being updated.")
	case !slices.Contains(given, etag(one.etag)):
		return nil, fakeapi.FailedPrecondition("Request person.etag is different than the current person.etag. Clear local cache and get the latest person.")
	}
	data, changed := maps.Clone(one.data), cleaned(sent)
	for _, field := range fields {
		delete(data, field)
		if changed[field] != nil {
			data[field] = changed[field]
		}
	}
	if memberships, _ := data["memberships"].([]any); len(memberships) == 0 {
		return nil, fakeapi.Invalid("A contact must have at least one contact group membership.")
	}
	if err := checkFields(data); err != nil {
		return nil, err
	}
	one.data = data
	b.contacts.put(c.Server, one)
	return b.contacts.show(one, mask, sourcesOf(c)...), nil
}

// etagsOf returns the etags in a person that was sent, in the form of the person's.
func etagsOf(sent fakeapi.Object) []string {
	raw, _ := json.Marshal(sent)
	var with struct {
		Etag     string
		Metadata struct{ Sources []struct{ Type, Etag string } }
	}
	_ = json.Unmarshal(raw, &with) // checked against the document
	found := []string{}
	if with.Etag != "" {
		found = append(found, with.Etag)
	}
	for _, source := range with.Metadata.Sources {
		if source.Type == "CONTACT" && source.Etag != "" {
			found = append(found, strings.TrimPrefix(source.Etag, "#"))
		}
	}
	return found
}

func deleteContact(c *fakeapi.Call) (any, error) {
	b := bookOf(c.Account)
	one := b.contacts.byID["people/"+c.Vars["peopleId"]]
	if one == nil || one.deleted {
		return nil, fakeapi.NotFound()
	}
	one.deleted, one.data = true, nil
	b.contacts.put(c.Server, one)
	return fakeapi.Object{}, nil
}
