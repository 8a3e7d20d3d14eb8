package fakepeople

import (
	"encoding/json"
	"fmt"
	"strconv"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// PeopleUser is the address book of a user, for tests.
type PeopleUser struct{ *fakeapi.Account }

// AddContact makes a contact by hand and returns its resource name. The fields are JSON of the API: a
// string, or a value that json.Marshal encodes. AddContact panics on a person that Google would
// refuse.
func (u PeopleUser) AddContact(fields any) (name string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	out, err := createContact(&fakeapi.Call{Server: u.Server, Account: u.Account, Body: []byte(text(fields))})
	if err != nil {
		panic(fmt.Sprintf("googletest: add contact: %v", err))
	}
	return out.(fakeapi.Object)["resourceName"].(string)
}

// AddContactID is AddContact with a resource name: "people/c1".
func (u PeopleUser) AddContactID(name string, fields any) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	data := cleaned(object(fields))
	if data["memberships"] == nil {
		data["memberships"] = []any{membership(myContacts)}
	}
	bookOf(u.Account).contacts.put(u.Server, &person{id: name, data: data})
}

// ChangeContact sets fields of a contact by hand, so that its etag changes.
func (u PeopleUser) ChangeContact(name string, fields any) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	one := u.mustContact(name)
	for field, value := range cleaned(object(fields)) {
		one.data[field] = value
	}
	bookOf(u.Account).contacts.put(u.Server, one)
}

// SetProfile sets what the person of a contact wrote about themselves at Google.
func (u PeopleUser) SetProfile(name string, fields any) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	u.mustContact(name).profile = cleaned(object(fields))
	bookOf(u.Account).contacts.put(u.Server, u.mustContact(name))
}

// DeleteContact deletes a contact by hand.
func (u PeopleUser) DeleteContact(name string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	one := u.mustContact(name)
	one.deleted, one.data = true, nil
	bookOf(u.Account).contacts.put(u.Server, one)
}

// Contact returns a contact as the API shows it, or nil if it is absent.
func (u PeopleUser) Contact(name string) map[string]any {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	b := bookOf(u.Account)
	one := b.contacts.byID[name]
	if one == nil || one.deleted {
		return nil
	}
	mask := []string{}
	for field := range one.data {
		mask = append(mask, field)
	}
	return b.contacts.show(one, mask)
}

// Contacts returns the resource names of the contacts.
func (u PeopleUser) Contacts() []string {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	names := []string{}
	for _, one := range bookOf(u.Account).contacts.sorted() {
		if !one.deleted {
			names = append(names, one.id)
		}
	}
	return names
}

// AddOtherContact adds a person whom Google saved from mail.
func (u PeopleUser) AddOtherContact(fields any) (name string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	one := &person{id: "otherContacts/c" + strconv.FormatUint(u.Server.NextID(), 10), data: cleaned(object(fields))}
	bookOf(u.Account).others.put(u.Server, one)
	return one.id
}

// AddColleague adds a person to the directory of the user's organisation. Without one, the account
// is a consumer account and has no directory.
func (u PeopleUser) AddColleague(fields any) (name string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	b := bookOf(u.Account)
	if b.directory == nil {
		b.directory = newPeople("DOMAIN_PROFILE")
	}
	one := &person{id: "people/" + strconv.FormatUint(u.Server.NextID(), 10), data: cleaned(object(fields))}
	b.directory.put(u.Server, one)
	return one.id
}

// AddContactGroup adds a group of contacts, and returns its resource name.
func (u PeopleUser) AddContactGroup(name string) string {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	b := bookOf(u.Account)
	g := &group{id: "contactGroups/" + strconv.FormatUint(u.Server.NextID(), 16), name: name, etag: u.Server.NextID()}
	b.groups = append(b.groups, g)
	return g.id
}

func (u PeopleUser) mustContact(name string) *person {
	one := bookOf(u.Account).contacts.byID[name]
	if one == nil || one.deleted {
		panic(fmt.Sprintf("googletest: %s has no contact %s", u.Address, name))
	}
	return one
}

func text(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("googletest: %v", err))
	}
	return string(raw)
}

func object(value any) fakeapi.Object {
	decoded := fakeapi.Object{}
	if err := json.Unmarshal([]byte(text(value)), &decoded); err != nil {
		panic(fmt.Sprintf("googletest: %v", err))
	}
	return decoded
}
