package contacts

import (
	"context"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type searchIn struct {
	Query   string `json:"query" alias:"name q" min:"1" max:"200" doc:"name, company, role, relation, address or digits: \"my dentist\""`
	Limit   int    `json:"limit,omitempty" default:"10" min:"1" max:"50"`
	Account string `json:"account,omitempty" doc:"name or address; \"*\" for all"`
}

type searchOut struct {
	Contacts []row                 `json:"contacts"`
	Skipped  []string              `json:"not_searched,omitempty"` // sources, with the reason
	Note     string                `json:"note,omitempty"`
	Errors   []google.AccountError `json:"account_errors,omitempty"`
}

func (c *contacts) searchAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "search", Effect: metadata.Reads, Scopes: []string{book.ScopeRead}, OptionalScopes: []string{book.ScopeOther, book.ScopeDirectory},
		Summary: "Find people by name, company, relation or number.",
		Tags:    []string{"people", "address", "phone", "email", "number"},
		Aliases: metadata.Aliases{
			"search find lookup look_up query: - contact person people",
			"get find: phone_number email_address",
		},
		Examples: []metadata.Example{
			{Title: "By a name, perhaps misspelt", Args: searchIn{Query: "Ana Meier"}},
			{Title: "By what somebody is to the user", Args: searchIn{Query: "my dentist"}},
			{Title: "By a number", Args: searchIn{Query: "044 555 01 02"}},
		},
		Errors: google.Errors(),
		Notes: []string{
			"The user's own contacts are searched first. If nobody is found there, people known from mail and colleagues are; source names these, and others chose their names.",
			"matched says what matched, if it was not the name. more: contacts_get shows more values.",
			"Names are not unique: if several people fit, ask the user.",
		},
	}, c.search)
}

func (c *contacts) search(ctx context.Context, in searchIn) (searchOut, error) {
	several := in.Account == google.AllAccounts
	answers, failed, err := google.InAccounts(ctx, c.Accounts, in.Account, c.Open, func(ctx context.Context, b *book.Book) (searchOut, error) {
		return searchBook(ctx, b, in, several)
	})
	if err != nil {
		return searchOut{}, err
	}
	out := searchOut{Contacts: []row{}, Errors: failed}
	for _, a := range answers {
		out.Contacts = append(out.Contacts, a.Contacts...)
		out.Skipped = append(out.Skipped, a.Skipped...)
		if out.Note == "" {
			out.Note = a.Note
		}
	}
	return out, nil
}

// searchBook searches one account: first its contacts, and the other sources only if nobody is found
// there. A source that cannot be read is named.
func searchBook(ctx context.Context, b *book.Book, in searchIn, several bool) (searchOut, error) {
	out := searchOut{Contacts: []row{}}
	noted, err := b.Noted(ctx)
	if err != nil {
		return out, err
	}
	for _, source := range card.Sources {
		index, stale, err := b.People(ctx, source)
		if err != nil && source == card.Contacts {
			return out, err
		}
		if err != nil {
			out.Skipped = append(out.Skipped, source+": "+book.Why(err))
			continue
		}
		if stale != nil && out.Note == "" {
			out.Note = staleNote(stale)
		}
		for _, hit := range index.Search(in.Query, in.Limit-len(out.Contacts)) {
			r := rowOf(ctx, hit.Card, source)
			r.markNoted(ctx, noted)
			if hit.By != "name" {
				r.Matched = hit.By
			}
			if several {
				r.Account = b.Account.Name
			}
			out.Contacts = append(out.Contacts, r)
		}
		if source == card.Contacts && len(out.Contacts) > 0 {
			break
		}
	}
	return out, nil
}

// staleNote says that the copy may be old.
func staleNote(err error) string {
	return "these are the contacts as of the last time that Google answered: " + book.Why(err)
}
