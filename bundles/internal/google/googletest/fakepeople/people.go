package fakepeople

import "kota/bundles/internal/google/googletest/fakeapi"

// peopleHandlers returns a handler for each method of the People API that KOTA calls, by the
// method's id. The fake has no others.
func peopleHandlers() map[string]fakeapi.Handler {
	return map[string]fakeapi.Handler{
		"people.people.get":              getPerson,
		"people.people.connections.list": listConnections,
		"people.people.searchContacts":   searchContacts,
		"people.people.createContact":    createContact,
		"people.people.updateContact":    updateContact,
		"people.people.deleteContact":    deleteContact,

		"people.otherContacts.list":         listOtherContacts,
		"people.people.listDirectoryPeople": listDirectory,

		"people.contactGroups.list":           listGroups,
		"people.contactGroups.create":         createGroup,
		"people.contactGroups.update":         updateGroup,
		"people.contactGroups.delete":         deleteGroup,
		"people.contactGroups.members.modify": modifyMembers,
	}
}

// Service returns the fake People service, made from Google's API description of it.
func Service() (*fakeapi.Service, error) {
	return fakeapi.ReadService("people/v1/people-api.json", peopleHandlers(), func() any { return nil },
		func(s *fakeapi.Server, address string) any { return newBook(s) })
}
