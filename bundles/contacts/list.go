package contacts

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type listIn struct {
	Group   string `json:"group,omitempty" doc:"name of a group: \"Family\""`
	Limit   int    `json:"limit,omitempty" default:"25" min:"1" max:"100"`
	Cursor  string `json:"cursor,omitempty" doc:"next_cursor of the last answer"`
	Account string `json:"account,omitempty" doc:"name or address"`
}

type listOut struct {
	Contacts []row  `json:"contacts"`
	Total    int    `json:"total"`
	Next     string `json:"next_cursor,omitempty"`
	Note     string `json:"note,omitempty"`
}

// listCursor is where the next page begins.
type listCursor struct {
	Account, Group string
	Name, ID       string // of the last contact
}

func (c *contacts) listAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list", Effect: metadata.Reads, Scopes: []string{book.ScopeRead},
		Summary:  "List the user's contacts by name, or those of a group.",
		Tags:     []string{"people", "address book", "group"},
		Aliases:  metadata.Aliases{"list get read show browse: contacts people address_book"},
		Examples: []metadata.Example{{Title: "The first of all", Args: listIn{}}, {Title: "A group", Args: listIn{Group: "Family"}}},
		Errors:   google.Errors(metadata.NotFound),
		Notes:    []string{"Only the user's own contacts are listed. To find one person, contacts_search is cheaper."},
	}, c.list)
}

func (c *contacts) list(ctx context.Context, in listIn) (listOut, error) {
	at := listCursor{}
	if in.Cursor != "" {
		bad := arguments.BadCursor("contacts_list", in.Cursor)
		if !arguments.DecodeCursor(in.Cursor, &at) {
			return listOut{}, bad
		}
		accounts, err := c.Accounts()
		if err != nil {
			return listOut{}, err
		}
		if err := google.CheckCursor(accounts, at.Account, in.Account, bad); err != nil {
			return listOut{}, err
		}
		in.Account, in.Group = at.Account, at.Group
	}
	return google.InAnyAccount(ctx, c.Accounts, in.Account, c.Open, func(ctx context.Context, b *book.Book) (listOut, error) {
		return listBook(ctx, b, in, at)
	})
}

func listBook(ctx context.Context, b *book.Book, in listIn, at listCursor) (listOut, error) {
	index, stale, err := b.People(ctx, card.Contacts)
	if err != nil {
		return listOut{}, err
	}
	noted, err := b.Noted(ctx)
	if err != nil {
		return listOut{}, err
	}
	group := ""
	if in.Group != "" {
		found, err := findGroup(ctx, b, in.Group)
		if err != nil {
			return listOut{}, err
		}
		group = found.ID
	}
	list := []*card.Card{}
	for i := range index.People {
		if one := &index.People[i]; group == "" || slices.Contains(one.Groups, group) {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, compareCards)
	out := listOut{Contacts: []row{}, Total: len(list)}
	if stale != nil {
		out.Note = staleNote(stale)
	}
	size := 0
	for _, one := range list {
		if at.ID != "" && compareCards(one, &card.Card{Name: at.Name, ID: at.ID}) <= 0 {
			continue
		}
		r := rowOf(ctx, one, card.Contacts)
		r.markNoted(ctx, noted)
		size += budget.Size(r)
		if len(out.Contacts) == in.Limit || size > budget.DefaultSize && len(out.Contacts) > 0 {
			last := out.Contacts[len(out.Contacts)-1]
			out.Next = arguments.EncodeCursor(listCursor{b.Account.Name, in.Group, last.Name, last.ID})
			break
		}
		out.Contacts = append(out.Contacts, r)
	}
	return out, nil
}

func compareCards(a, b *card.Card) int {
	return cmp.Or(strings.Compare(strings.ToLower(a.Label()), strings.ToLower(b.Label())), strings.Compare(a.ID, b.ID))
}

// findGroup returns the group with that name, in any case. The error for an unknown one lists those
// there are.
func findGroup(ctx context.Context, b *book.Book, name string) (book.Group, error) {
	all, err := b.Groups(ctx)
	if err != nil {
		return book.Group{}, err
	}
	known := []string{}
	for _, g := range all {
		if strings.EqualFold(g.Name, strings.TrimSpace(name)) {
			return g, nil
		}
		known = append(known, g.Name)
	}
	e := metadata.Errorf(metadata.NotFound, "there is no group %q", arguments.Brief(name))
	return book.Group{}, e.WithHint("The groups are: %s.", strings.Join(known[:min(len(known), maxGroupsNamed)], ", "))
}

const maxGroupsNamed = 30
