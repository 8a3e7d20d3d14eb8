package google

import (
	"net/http"

	"google.golang.org/api/people/v1"
)

// NewPeople returns the client of the People API, as NewGmail does.
func NewPeople(client *http.Client, endpoint string) *people.Service {
	s := &people.Service{BasePath: PeopleBase(endpoint)}
	connect(s, client)
	s.ContactGroups = people.NewContactGroupsService(s)
	s.OtherContacts = people.NewOtherContactsService(s)
	s.People = people.NewPeopleService(s)
	return s
}
