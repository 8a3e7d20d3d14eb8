package contacts

import (
	"context"
	"strings"

	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/untrusted"
)

// A row is a person in a list.
type row struct {
	ID        string   `json:"contact_id"`
	Name      string   `json:"name"`
	Nicknames []string `json:"nicknames,omitempty"`
	Emails    []string `json:"emails,omitempty"`
	Phones    []string `json:"phones,omitempty"`
	Work      []string `json:"work,omitempty"`
	Relations []string `json:"relations,omitempty"`
	Birthday  string   `json:"birthday,omitempty"`
	More      bool     `json:"more,omitempty"`    // contacts_get shows more values
	Matched   string   `json:"matched,omitempty"` // what matched, if not the name
	Source    string   `json:"source,omitempty"`  // other or directory
	Account   string   `json:"account,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

// maxValues is how many values of one kind a row shows.
const maxValues = 5

func rowOf(ctx context.Context, c *card.Card, source string) row {
	r := row{ID: c.ID, Name: c.Label(), Birthday: c.Birthday}
	r.Nicknames = r.firstOf(c.Nicknames)
	r.Emails, r.Phones = r.firstOf(valuesOf(c.Emails)), r.firstOf(valuesOf(c.Phones))
	r.Work, r.Relations = r.firstOf(workOf(c)), r.firstOf(relationsOf(c))
	if c.Notes != "" || len(c.Custom) > 0 {
		r.More = true
	}
	if source != card.Contacts {
		r.Source = source
	}
	r.Provenance = provenanceOf(ctx, source)
	return r
}

// provenanceOf returns the provenance of people of a source. The user wrote the own contacts. Google
// takes the names of others from mail, and colleagues write their own.
func provenanceOf(ctx context.Context, source string) *untrusted.Provenance {
	if source == card.Contacts {
		return nil
	}
	return untrusted.Mark(ctx, untrusted.Contact, "")
}

// markNoted marks a row of a contact that was written after reading the words of others.
func (r *row) markNoted(ctx context.Context, noted map[string]bool) {
	if noted[r.ID] && r.Provenance == nil {
		r.Provenance = untrusted.MarkPartly(ctx, untrusted.Contact)
	}
}

func (r *row) firstOf(all []string) []string {
	if len(all) > maxValues {
		all, r.More = all[:maxValues], true
	}
	return all
}

func valuesOf(list []card.Value) []string {
	all := []string{}
	for _, v := range list {
		all = append(all, v.Value)
	}
	return all
}

func workOf(c *card.Card) []string {
	all := []string{}
	for _, w := range c.Work {
		parts := []string{}
		for _, part := range []string{w.Title, w.Department, w.Company} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		all = append(all, strings.Join(parts, ", "))
	}
	return all
}

func relationsOf(c *card.Card) []string {
	all := []string{}
	for _, r := range c.Relations {
		all = append(all, strings.TrimPrefix(r.Type+": "+r.Person, ": "))
	}
	return all
}
