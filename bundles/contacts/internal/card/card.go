// Package card has people as the bundle keeps and shows them: the fields that matter, cleaned, in a
// form that is small as JSON. FromPerson reads what Google returns.
package card

import (
	"fmt"
	"slices"
	"strings"

	people "google.golang.org/api/people/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// Sources of people. A copy is kept of each.
const (
	Contacts  = "contacts"  // the user's own address book
	Other     = "other"     // people whom Google saved from mail; their names come from them
	Directory = "directory" // colleagues
)

// Sources lists the sources in the order of trust.
var Sources = []string{Contacts, Other, Directory}

// A Card is a person.
type Card struct {
	ID        string     `json:"contact_id"` // Google's resource name: "people/c123"
	Name      string     `json:"name,omitempty"`
	Nicknames []string   `json:"nicknames,omitempty"`
	Emails    []Value    `json:"emails,omitempty"`
	Phones    []Value    `json:"phones,omitempty"`
	Work      []Work     `json:"work,omitempty"`
	Relations []Relation `json:"relations,omitempty"`
	Birthday  string     `json:"birthday,omitempty"` // "1984-03-22"; "03-22" without a year
	Groups    []string   `json:"groups,omitempty"`   // ids; the actions show names
	Places    []Value    `json:"addresses,omitempty"`
	Links     []Value    `json:"links,omitempty"`
	Custom    []Value    `json:"custom,omitempty"`
	Notes     string     `json:"notes,omitempty"`
}

// A Value is a value of a kind, such as "work".
type Value struct {
	Value string `json:"value"`
	Type  string `json:"type,omitempty"`
}

// Work is what somebody does, and where.
type Work struct {
	Company    string `json:"company,omitempty"`
	Title      string `json:"title,omitempty"`
	Department string `json:"department,omitempty"`
}

// A Relation is another person: "partner" Tom.
type Relation struct {
	Person string `json:"person"`
	Type   string `json:"type,omitempty"`
}

// Limits, in characters. They bound what one contact takes in the copy and in an answer.
const (
	maxLine  = 200
	maxNotes = 2000
	maxItems = 50
)

func line(text string) string { return htmltext.Short(text, maxLine) }

// FromPerson returns the card of a person. It cleans every text, and leaves out empty and repeated
// values.
func FromPerson(p *people.Person) Card {
	c := Card{ID: p.ResourceName}
	for _, n := range p.Names {
		if c.Name == "" || n.Metadata != nil && n.Metadata.Primary {
			c.Name = line(n.DisplayName)
		}
	}
	for _, n := range p.Nicknames {
		if text := line(n.Value); text != "" && !slices.Contains(c.Nicknames, text) {
			c.Nicknames = append(c.Nicknames, text)
		}
	}
	for _, e := range p.EmailAddresses {
		address, err := mailmsg.ParseAddress(e.Value)
		if err != nil {
			continue // nobody can be written to there
		}
		add(&c.Emails, address.Address, e.Type, mailmsg.Canonical)
	}
	for _, n := range p.PhoneNumbers {
		add(&c.Phones, n.Value, n.Type, Digits)
	}
	for _, o := range p.Organizations {
		w := Work{line(o.Name), line(o.Title), line(o.Department)}
		if w != (Work{}) && !slices.Contains(c.Work, w) && len(c.Work) < maxItems {
			c.Work = append(c.Work, w)
		}
	}
	for _, o := range p.Occupations {
		if text := line(o.Value); text != "" && len(c.Work) < maxItems {
			c.Work = append(c.Work, Work{Title: text})
		}
	}
	for _, r := range p.Relations {
		if text := line(r.Person); text != "" && len(c.Relations) < maxItems {
			c.Relations = append(c.Relations, Relation{text, line(r.Type)})
		}
	}
	for _, b := range p.Birthdays {
		if c.Birthday == "" && b.Date != nil {
			c.Birthday = dateOf(b.Date)
		}
	}
	for _, m := range p.Memberships {
		if g := m.ContactGroupMembership; g != nil && len(c.Groups) < maxItems {
			c.Groups = append(c.Groups, g.ContactGroupResourceName)
		}
	}
	for _, a := range p.Addresses {
		add(&c.Places, a.FormattedValue, a.Type, strings.ToLower)
	}
	for _, u := range p.Urls {
		add(&c.Links, u.Value, u.Type, strings.ToLower)
	}
	for _, u := range p.UserDefined {
		add(&c.Custom, u.Value, u.Key, strings.ToLower)
	}
	for _, b := range p.Biographies {
		if c.Notes == "" {
			text, _ := htmltext.Text(b.Value)
			c.Notes = htmltext.First(text, maxNotes)
		}
	}
	return c
}

// add appends a value, unless it is empty or key is equal for one in the list.
func add(list *[]Value, text, kind string, key func(string) string) {
	text = line(text)
	if text == "" || len(*list) >= maxItems || slices.ContainsFunc(*list, func(v Value) bool { return key(v.Value) == key(text) }) {
		return
	}
	*list = append(*list, Value{text, line(kind)})
}

// Digits returns the digits of a telephone number, without the sign or zeros before it, so that
// "+41 44 123" and "0041-44-123" are equal.
func Digits(number string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
	return strings.TrimLeft(digits, "0")
}

func dateOf(d *people.Date) string {
	switch {
	case d.Month == 0 || d.Day == 0:
		return ""
	case d.Year == 0:
		return fmt.Sprintf("%02d-%02d", d.Month, d.Day)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// Label returns what names the person in a list: the name, or else the first thing that is known.
func (c *Card) Label() string {
	for _, text := range append([]string{c.Name}, c.Nicknames...) {
		if text != "" {
			return text
		}
	}
	for _, values := range [][]Value{c.Emails, c.Phones} {
		if len(values) > 0 {
			return values[0].Value
		}
	}
	for _, w := range c.Work {
		if w.Company != "" {
			return w.Company
		}
	}
	return c.ID
}
