package book

import (
	"context"

	"kota/bundles/internal/htmltext"
)

// A Group is a group of contacts, which Google also calls a label.
type Group struct {
	ID     string
	Name   string
	Count  int
	System bool // made by Google, such as myContacts: it cannot be changed
	Etag   string
}

// Groups returns the groups of the account.
func (b *Book) Groups(ctx context.Context) ([]Group, error) {
	all := []Group{}
	for page := ""; ; {
		call := b.API.ContactGroups.List().PageSize(pageSize).Context(ctx)
		if page != "" {
			call.PageToken(page)
		}
		answer, err := call.Do()
		if err != nil {
			return nil, err
		}
		for _, g := range answer.ContactGroups {
			all = append(all, Group{
				ID: g.ResourceName, Name: htmltext.Line(g.Name), Count: int(g.MemberCount), System: g.GroupType == "SYSTEM_CONTACT_GROUP", Etag: g.Etag,
			})
		}
		if page = answer.NextPageToken; page == "" {
			return all, nil
		}
	}
}
