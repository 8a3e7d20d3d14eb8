package contacts

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	people "google.golang.org/api/people/v1"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

type updateIn struct {
	ID           string   `json:"contact_id" alias:"id"`
	Name         *string  `json:"name,omitempty"`
	Nickname     *string  `json:"nickname,omitempty"`
	AddEmails    []string `json:"add_emails,omitempty" max:"20"`
	RemoveEmails []string `json:"remove_emails,omitempty" max:"20"`
	AddPhones    []string `json:"add_phones,omitempty" max:"20"`
	RemovePhones []string `json:"remove_phones,omitempty" max:"20"`
	Company      *string  `json:"company,omitempty"`
	Title        *string  `json:"title,omitempty"`
	Birthday     *string  `json:"birthday,omitempty"`
	Notes        *string  `json:"notes,omitempty"`
	Etag         string   `json:"etag,omitempty" doc:"of contacts_get: change only this version"`
	Account      string   `json:"account,omitempty" doc:"name or address"`
}

func (c *contacts) updateAction() bundles.Action {
	notes := "Prefers mail."
	return bundles.Bind(metadata.Action{
		Name: "update", Effect: metadata.Writes, Scopes: []string{book.ScopeRead, book.ScopeWrite},
		Summary:     "Change a contact; what you omit stays as it is.",
		Description: "\"\" empties a text.",
		Tags:        []string{"edit", "number", "address", "rename", "birthday"},
		Aliases:     metadata.Aliases{"update edit change modify rename: - contact person"},
		Examples:    []metadata.Example{{Title: "One more number, and a note", Args: updateIn{ID: "people/c1001", AddPhones: []string{"+41 79 555 09 10"}, Notes: &notes}}},
		Errors:      google.Errors(metadata.NotFound, metadata.Conflict, metadata.OutcomeUnknown),
		Notes:       []string{"Only the user's own contacts can be changed. Values that are not named stay. With etag it fails with CONFLICT if the contact has changed since."},
	}, c.update)
}

func textOf(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

func (c *contacts) update(ctx context.Context, in updateIn) (changeOut, error) {
	var p arguments.Problems
	lines := map[string]string{"name": textOf(in.Name), "nickname": textOf(in.Nickname), "company": textOf(in.Company), "title": textOf(in.Title)}
	born := checkFields(&p, lines, in.AddEmails, in.AddPhones, textOf(in.Birthday), textOf(in.Notes))
	if source, err := sourceOf(in.ID); err != nil || source != card.Contacts {
		p.Add("contact_id", `the id of one of the user's own contacts: "people/c1001"`, in.ID)
	}
	if err := p.Err(); err != nil {
		return changeOut{}, err
	}
	b, err := c.Open(ctx, in.Account)
	if err != nil {
		return changeOut{}, err
	}
	b.Writes.Lock()
	defer b.Writes.Unlock()
	now, err := b.Read(ctx, in.ID, book.AllFields)
	if err != nil {
		return changeOut{}, errNoContact(err, in.ID)
	}
	if in.Etag != "" && in.Etag != now.Etag {
		return changeOut{}, errChanged(in.ID)
	}
	before, err := book.Content(now, allNames)
	if err != nil {
		return changeOut{}, err
	}
	mask := in.apply(now, born)
	one := card.FromPerson(now)
	if len(mask) == 0 {
		return changeOut{Status: "unchanged", Contact: rowOf(ctx, &one, card.Contacts)}, nil
	}
	changed, undo, err := c.write(ctx, b, now, mask, pick(before, mask), "change the contact "+strconv.Quote(one.Label()))
	if err != nil {
		return changeOut{}, err
	}
	one = card.FromPerson(changed)
	out := changeOut{Status: "updated", Undo: undo}
	out.Contact, err = changedRow(ctx, b, &one)
	return out, err
}

// allNames are the names of all fields.
var allNames = strings.Split(book.AllFields, ",")

func errChanged(id string) error {
	return metadata.Errorf(metadata.Conflict, "the contact %s has changed since it was read", id).WithHint("Nothing was changed. Read it again with contacts_get, then repeat the change.")
}

// write replaces the fields of the mask of the contact p, which was read before. Google sometimes
// changes an etag by itself: if the fields are as before, the change is tried once more.
func (c *contacts) write(ctx context.Context, b *book.Book, p *people.Person, mask []string, before content, title string) (*people.Person, string, error) {
	record := changeRecord{ID: p.ResourceName, Before: before, Fields: mask}
	undo, err := c.Undos().Save(ctx, b.Account.Key(), title, kindUpdated, record)
	if err != nil {
		return nil, "", err
	}
	body := *p
	body.Metadata, body.Photos = nil, nil
	changed, err := b.Update(ctx, p.ResourceName, &body, strings.Join(mask, ","))
	if book.IsStale(err) {
		err = c.refreshEtag(ctx, b, &body, mask, before)
		if err == nil {
			changed, err = b.Update(ctx, p.ResourceName, &body, strings.Join(mask, ","))
		}
		if book.IsStale(err) {
			err = errChanged(p.ResourceName)
		}
	}
	if err != nil {
		return nil, "", c.Undos().Failed(ctx, undo, err)
	}
	if record.After, err = book.Content(changed, mask); err == nil {
		err = c.Undos().Amend(ctx, undo, title, record)
	}
	return changed, undo, err
}

// refreshEtag gives the body the present etag. It returns CONFLICT if somebody changed a field of the
// mask.
func (c *contacts) refreshEtag(ctx context.Context, b *book.Book, body *people.Person, mask []string, before content) error {
	now, err := b.Read(ctx, body.ResourceName, book.AllFields)
	if err != nil {
		return errNoContact(err, body.ResourceName)
	}
	is, err := book.Content(now, mask)
	if err != nil {
		return err
	}
	if len(differences(before, is)) > 0 {
		return errChanged(body.ResourceName)
	}
	body.Etag = now.Etag
	return nil
}

func pick(from content, fields []string) content {
	kept := content{}
	for _, field := range fields {
		if from[field] != nil {
			kept[field] = from[field]
		}
	}
	return kept
}

// differences returns the fields that differ.
func differences(a, b content) []string {
	found := []string{}
	for _, field := range allNames {
		if !bytes.Equal(a[field], b[field]) {
			found = append(found, field)
		}
	}
	return found
}

// apply changes the person as the call asks, and returns the fields that it changed.
func (in updateIn) apply(p *people.Person, born *people.Date) []string {
	mask := []string{}
	set := func(field string, given *string, is string, change func(text string)) {
		if given != nil && strings.TrimSpace(*given) != is {
			change(strings.TrimSpace(*given))
			if !slices.Contains(mask, field) {
				mask = append(mask, field)
			}
		}
	}
	one := card.FromPerson(p)
	set("names", in.Name, one.Name, func(text string) {
		p.Names = nil
		if text != "" {
			p.Names = []*people.Name{{UnstructuredName: text}}
		}
	})
	set("nicknames", in.Nickname, strings.Join(one.Nicknames, "\n"), func(text string) {
		p.Nicknames = nil
		if text != "" {
			p.Nicknames = []*people.Nickname{{Value: text}}
		}
	})
	work := &people.Organization{}
	if len(p.Organizations) > 0 {
		work = p.Organizations[0]
	}
	set("organizations", in.Company, work.Name, func(text string) { work.Name = text })
	set("organizations", in.Title, work.Title, func(text string) { work.Title = text })
	if slices.Contains(mask, "organizations") && len(p.Organizations) == 0 {
		p.Organizations = []*people.Organization{work}
	}
	set("birthdays", in.Birthday, one.Birthday, func(string) {
		p.Birthdays = nil
		if born != nil {
			p.Birthdays = []*people.Birthday{{Date: born}}
		}
	})
	set("biographies", in.Notes, one.Notes, func(text string) {
		p.Biographies = nil
		if text != "" {
			p.Biographies = []*people.Biography{{Value: text, ContentType: "TEXT_PLAIN"}}
		}
	})
	if in.changeEmails(p) {
		mask = append(mask, "emailAddresses")
	}
	if in.changePhones(p) {
		mask = append(mask, "phoneNumbers")
	}
	return mask
}

func (in updateIn) changeEmails(p *people.Person) bool {
	before := len(p.EmailAddresses)
	has := func(address string) func(*people.EmailAddress) bool {
		return func(e *people.EmailAddress) bool { return mailmsg.Canonical(e.Value) == mailmsg.Canonical(address) }
	}
	for _, address := range in.RemoveEmails {
		p.EmailAddresses = slices.DeleteFunc(p.EmailAddresses, has(address))
	}
	changed := len(p.EmailAddresses) != before
	for _, text := range in.AddEmails {
		if a, err := mailmsg.ParseAddress(text); err == nil && !slices.ContainsFunc(p.EmailAddresses, has(a.Address)) {
			p.EmailAddresses, changed = append(p.EmailAddresses, &people.EmailAddress{Value: a.Address}), true
		}
	}
	return changed
}

func (in updateIn) changePhones(p *people.Person) bool {
	before := len(p.PhoneNumbers)
	has := func(number string) func(*people.PhoneNumber) bool {
		return func(n *people.PhoneNumber) bool { return card.Digits(n.Value) == card.Digits(number) }
	}
	for _, number := range in.RemovePhones {
		p.PhoneNumbers = slices.DeleteFunc(p.PhoneNumbers, has(number))
	}
	changed := len(p.PhoneNumbers) != before
	for _, number := range in.AddPhones {
		if !slices.ContainsFunc(p.PhoneNumbers, has(number)) {
			p.PhoneNumbers, changed = append(p.PhoneNumbers, &people.PhoneNumber{Value: number}), true
		}
	}
	return changed
}
