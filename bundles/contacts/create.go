package contacts

import (
	"context"
	"strconv"
	"strings"
	"time"

	people "google.golang.org/api/people/v1"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

type createIn struct {
	Name      string   `json:"name,omitempty" doc:"\"Anna Meier\""`
	Nickname  string   `json:"nickname,omitempty"`
	Emails    []string `json:"emails,omitempty" alias:"email" max:"20"`
	Phones    []string `json:"phones,omitempty" alias:"phone" max:"20"`
	Company   string   `json:"company,omitempty"`
	Title     string   `json:"title,omitempty" doc:"\"Dentist\""`
	Birthday  string   `json:"birthday,omitempty" doc:"\"1984-03-22\" or \"03-22\""`
	Notes     string   `json:"notes,omitempty"`
	Duplicate bool     `json:"duplicate,omitempty" doc:"also if the address or number is there already"`
	Account   string   `json:"account,omitempty" doc:"name or address"`
}

// A changeOut is the answer of an action that changes a contact.
type changeOut struct {
	Status  string `json:"status" enum:"created,updated,unchanged,deleted"`
	Contact row    `json:"contact"`
	Undo    string `json:"undo_id,omitempty"`
	Note    string `json:"note,omitempty"`
}

func (c *contacts) createAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "create", Effect: metadata.Writes, Scopes: []string{book.ScopeRead, book.ScopeWrite},
		Summary: "Add a contact.",
		Tags:    []string{"person", "save", "new", "number", "address"},
		Aliases: metadata.Aliases{"create add save new make: - contact person"},
		Examples: []metadata.Example{
			{Title: "A name and a number", Args: createIn{Name: "Bea Frey", Phones: []string{"+41 44 555 07 08"}, Company: "Nordlux", Title: "Electrician"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.OutcomeUnknown),
		Notes:  []string{"If the address or number is in a contact already, it fails with CONFLICT and that contact: contacts_update adds to it. contacts_undo deletes the new one."},
	}, c.create)
}

const maxField = 200

// checkFields collects what is wrong with the arguments, and returns the birthday.
func checkFields(p *arguments.Problems, lines map[string]string, emails, phones []string, birthday, notes string) *people.Date {
	for path, text := range lines {
		p.Line(path, text, maxField)
	}
	p.Addresses("emails", emails)
	for i, phone := range phones {
		if len(card.Digits(phone)) < 3 || len(phone) > 50 || !mailmsg.IsLine(phone) {
			p.Add("phones["+strconv.Itoa(i)+"]", `a telephone number such as "+41 44 555 01 02"`, phone)
		}
	}
	p.Text("notes", notes)
	if birthday == "" {
		return nil
	}
	for _, layout := range []string{time.DateOnly, "01-02"} {
		if day, err := time.Parse(layout, birthday); err == nil {
			return &people.Date{Year: int64(day.Year()), Month: int64(day.Month()), Day: int64(day.Day())}
		}
	}
	if birthday == "02-29" {
		return &people.Date{Month: 2, Day: 29}
	}
	p.Add("birthday", `a date such as "1984-03-22" or "03-22"`, birthday)
	return nil
}

func (c *contacts) create(ctx context.Context, in createIn) (changeOut, error) {
	var p arguments.Problems
	born := checkFields(&p, map[string]string{"name": in.Name, "nickname": in.Nickname, "company": in.Company, "title": in.Title}, in.Emails, in.Phones, in.Birthday, in.Notes)
	if strings.TrimSpace(in.Name+in.Nickname+in.Company+strings.Join(in.Emails, "")+strings.Join(in.Phones, "")) == "" {
		p.Add("name", "the name of the person, or another thing that names the contact", in.Name)
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
	if !in.Duplicate {
		if err := checkDuplicate(ctx, b, in.Emails, in.Phones); err != nil {
			return changeOut{}, err
		}
	}
	if err := bundles.ConfirmChange(ctx, 1); err != nil {
		return changeOut{}, err
	}
	made, err := b.Create(ctx, newPerson(in, born))
	if err != nil {
		return changeOut{}, err
	}
	out := changeOut{Status: "created"}
	one := card.FromPerson(made)
	if out.Contact, err = changedRow(ctx, b, &one); err != nil {
		return out, err
	}
	record, err := recordOf(made)
	if err == nil {
		out.Undo, err = c.Undos().SaveMany(context.WithoutCancel(ctx), 0, b.Account.Key(), "add the contact "+strconv.Quote(one.Label()), kindCreated, record)
	}
	if err != nil {
		out.Note = "it cannot be undone: " + string(metadata.CodeOf(err))
	}
	return out, nil
}

// changedRow returns the row of a changed contact, and notes whether it may have words of others.
func changedRow(ctx context.Context, b *book.Book, one *card.Card) (row, error) {
	return rowOf(ctx, one, card.Contacts), b.Note(ctx, one.ID)
}

func newPerson(in createIn, born *people.Date) *people.Person {
	p := &people.Person{}
	if in.Name != "" {
		p.Names = []*people.Name{{UnstructuredName: in.Name}}
	}
	if in.Nickname != "" {
		p.Nicknames = []*people.Nickname{{Value: in.Nickname}}
	}
	for _, address := range in.Emails {
		p.EmailAddresses = append(p.EmailAddresses, &people.EmailAddress{Value: address})
	}
	for _, number := range in.Phones {
		p.PhoneNumbers = append(p.PhoneNumbers, &people.PhoneNumber{Value: number})
	}
	if in.Company != "" || in.Title != "" {
		p.Organizations = []*people.Organization{{Name: in.Company, Title: in.Title}}
	}
	if born != nil {
		p.Birthdays = []*people.Birthday{{Date: born}}
	}
	if in.Notes != "" {
		p.Biographies = []*people.Biography{{Value: in.Notes, ContentType: "TEXT_PLAIN"}}
	}
	return p
}

// checkDuplicate returns CONFLICT if a contact has one of the addresses or numbers: Google never
// compares a new contact with others.
func checkDuplicate(ctx context.Context, b *book.Book, emails, phones []string) error {
	index, _, err := b.People(ctx, card.Contacts)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, text := range emails {
		if address, err := mailmsg.ParseAddress(text); err == nil {
			wanted[mailmsg.Canonical(address.Address)] = true
		}
	}
	for _, text := range phones {
		wanted[card.Digits(text)] = true
	}
	for i := range index.People {
		one := &index.People[i]
		for _, values := range [][]card.Value{one.Emails, one.Phones} {
			for _, v := range values {
				if wanted[mailmsg.Canonical(v.Value)] || wanted[card.Digits(v.Value)] && card.Digits(v.Value) != "" {
					return metadata.Errorf(metadata.Conflict, "%q has %s already: %s", one.Label(), v.Value, one.ID).
						WithHint("Change that contact with contacts_update, or repeat the call with duplicate: true.")
				}
			}
		}
	}
	return nil
}
