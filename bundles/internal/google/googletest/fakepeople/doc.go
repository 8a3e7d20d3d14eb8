// Package fakepeople is the People API of googletest: contacts, other contacts, the directory of an
// organisation, and contact groups. Its API is Google's discovery document people/v1/people-api.json.
// Where that has only words, such as on field masks, sync tokens and etags, the fake follows these.
//
// Start reading at peopleHandlers.
package fakepeople
