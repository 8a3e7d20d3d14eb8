package app

import (
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/gmail"
)

func TestPeopleOfAllSourcesAreJoined(t *testing.T) {
	contact := func(id, address string) bundles.Person { return bundles.Person{ID: id, Name: "Anna", Address: address} }
	mailed := func(address string, times int) gmail.Correspondent {
		return gmail.Correspondent{Person: bundles.Person{Name: "Anna", Address: address}, Times: times}
	}
	for name, c := range map[string]struct {
		found  bundles.People
		mailed []gmail.Correspondent
		exact  string
	}{
		"the address that was used": {bundles.People{Exact: []bundles.Person{contact("1", "home@x"), contact("1", "work@x")}}, []gmail.Correspondent{mailed("WORK@x", 1)}, "work@x WORK@x"},
		"both were used":            {bundles.People{Exact: []bundles.Person{contact("1", "home@x"), contact("1", "work@x")}}, []gmail.Correspondent{mailed("work@x", 1), mailed("home@x", 1)}, "home@x work@x work@x home@x"},
		"neither was used":          {bundles.People{Exact: []bundles.Person{contact("1", "home@x"), contact("1", "work@x")}}, nil, "home@x work@x"},
		"another of that name":      {bundles.People{Exact: []bundles.Person{contact("1", "home@x")}}, []gmail.Correspondent{mailed("other@x", 1)}, "home@x other@x"},
		"often written to":          {bundles.People{}, []gmail.Correspondent{mailed("a@x", 3)}, "a@x"},
		"answered once":             {bundles.People{}, []gmail.Correspondent{mailed("stranger@x", 1)}, ""},
	} {
		got := []string{}
		for _, p := range joinPeople(c.found, c.mailed).Exact {
			got = append(got, p.Address)
		}
		if strings.Join(got, " ") != c.exact {
			t.Errorf("%s: got %q, want %q", name, got, c.exact)
		}
	}
}
