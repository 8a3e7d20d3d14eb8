package contacts

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	people "google.golang.org/api/people/v1"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

type mergeIn struct {
	IDs     []string `json:"contact_ids" alias:"ids" min:"2" max:"10" doc:"the first is kept"`
	DryRun  bool     `json:"dry_run,omitempty"`
	Account string   `json:"account,omitempty" doc:"name or address"`
}

// Effect returns the effect of the call.
func (in mergeIn) Effect() metadata.Effect {
	if in.DryRun {
		return metadata.Reads
	}
	return metadata.Writes
}

type mergeOut struct {
	Status  string   `json:"status" enum:"merged,dry_run"`
	Contact row      `json:"contact"`           // as it is after the merge
	Deleted []string `json:"deleted"`           // names of the others
	Dropped []string `json:"dropped,omitempty"` // values that the kept contact has no place for
	Undo    string   `json:"undo_id,omitempty"`
}

func (c *contacts) mergeAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "merge", Effect: metadata.Writes, Scopes: []string{book.ScopeRead, book.ScopeWrite},
		Summary: "Merge contacts of the same person into one.",
		Tags:    []string{"duplicates", "combine", "join"},
		Aliases: metadata.Aliases{"merge join combine deduplicate: - contact person"},
		Examples: []metadata.Example{
			{Title: "See what a merge would give", Args: mergeIn{IDs: []string{"people/c1001", "people/c1002"}, DryRun: true}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.OutcomeUnknown),
		Notes:  []string{"The first contact gets the addresses, numbers and groups of the others, which are deleted. It keeps its own name, birthday and notes if it has them; dropped lists those of the others. contacts_undo separates them again."},
	}, c.merge)
}

// A mergeRecord is the undo record of a merge.
type mergeRecord struct {
	Kept   changeRecord    `json:"kept"`
	Merged []contactRecord `json:"merged"` // those that were deleted
}

// singleFields are the fields of which a contact has one value.
var singleFields = []string{"names", "biographies", "birthdays", "genders"}

func (c *contacts) merge(ctx context.Context, in mergeIn) (mergeOut, error) {
	var p arguments.Problems
	for i, id := range in.IDs {
		if source, err := sourceOf(id); err != nil || source != card.Contacts || slices.Index(in.IDs, id) != i {
			p.Add("contact_ids["+strconv.Itoa(i)+"]", `the id of another of the user's own contacts: "people/c1001"`, id)
		}
	}
	if err := p.Err(); err != nil {
		return mergeOut{}, err
	}
	b, err := c.Open(ctx, in.Account)
	if err != nil {
		return mergeOut{}, err
	}
	b.Writes.Lock()
	defer b.Writes.Unlock()
	all := []*people.Person{}
	for _, id := range in.IDs {
		one, err := b.Read(ctx, id, book.AllFields)
		if err != nil {
			return mergeOut{}, errNoContact(err, id)
		}
		all = append(all, one)
	}
	out := mergeOut{Status: "dry_run", Deleted: []string{}}
	record, merged, err := planMerge(all, &out)
	if err != nil {
		return mergeOut{}, err
	}
	one := card.FromPerson(merged)
	out.Contact = rowOf(ctx, &one, card.Contacts)
	if in.DryRun {
		return out, nil
	}
	return c.carryOut(ctx, b, merged, record, out)
}

// planMerge returns what to write into the first contact. It adds to out what becomes of the others.
func planMerge(all []*people.Person, out *mergeOut) (mergeRecord, *people.Person, error) {
	kept, err := book.Content(all[0], allNames)
	if err != nil {
		return mergeRecord{}, nil, err
	}
	record := mergeRecord{Kept: changeRecord{ID: all[0].ResourceName, Before: kept}}
	after := pick(kept, allNames)
	for _, other := range all[1:] {
		one := card.FromPerson(other)
		out.Deleted = append(out.Deleted, one.Label())
		had, err := recordOf(other)
		if err != nil {
			return record, nil, err
		}
		record.Merged = append(record.Merged, had)
		for _, field := range allNames {
			if had.Content[field] == nil {
				continue
			}
			single := slices.Contains(singleFields, field)
			switch {
			case single && after[field] != nil && string(after[field]) != string(had.Content[field]):
				out.Dropped = append(out.Dropped, droppedText(field, &one))
			case after[field] == nil || !single:
				if after[field], err = union(after[field], had.Content[field]); err != nil {
					return record, nil, err
				}
			}
		}
	}
	record.Kept.Fields = differences(kept, after)
	merged, err := book.FromContent(after)
	if err != nil {
		return record, nil, err
	}
	merged.ResourceName, merged.Etag = all[0].ResourceName, all[0].Etag
	return record, merged, nil
}

func droppedText(field string, c *card.Card) string {
	switch field {
	case "names":
		return "name " + c.Name
	case "birthdays":
		return "birthday " + c.Birthday
	case "biographies":
		return "notes " + c.Notes
	}
	return field
}

// union returns the items of both lists. Items with equal values are one, also if only case or the
// spelling of a number differs.
func union(a, b json.RawMessage) (json.RawMessage, error) {
	list, seen := []map[string]any{}, map[string]bool{}
	for _, raw := range []json.RawMessage{a, b} {
		items := []map[string]any{}
		if raw == nil {
			continue
		}
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, err
		}
		for _, item := range items {
			key := itemKey(item)
			if !seen[key] {
				seen[key], list = true, append(list, item)
			}
		}
	}
	return json.Marshal(list)
}

func itemKey(item map[string]any) string {
	value, _ := item["value"].(string)
	if digits := card.Digits(value); digits != "" && !strings.ContainsAny(value, "@abcdefghijklmnopqrstuvwxyz") {
		return "number " + digits
	}
	if value != "" {
		return "value " + strings.ToLower(value)
	}
	raw, _ := json.Marshal(item) // it was JSON before
	return string(raw)
}

// carryOut writes the merged contact and then deletes the others. The undo record is there first.
func (c *contacts) carryOut(ctx context.Context, b *book.Book, merged *people.Person, record mergeRecord, out mergeOut) (mergeOut, error) {
	title := "merge " + metadata.CountOf(len(record.Merged), "contact") + " into " + strconv.Quote(out.Contact.Name)
	undo, err := c.Undos().SaveMany(ctx, len(record.Merged)+1, b.Account.Key(), title, kindMerged, record)
	if err != nil {
		return mergeOut{}, err
	}
	if len(record.Kept.Fields) > 0 {
		changed, err := b.Update(ctx, merged.ResourceName, merged, strings.Join(record.Kept.Fields, ","))
		if book.IsStale(err) {
			err = errChanged(merged.ResourceName)
		}
		if err != nil {
			return mergeOut{}, c.Undos().Failed(ctx, undo, err)
		}
		if record.Kept.After, err = book.Content(changed, record.Kept.Fields); err == nil {
			err = c.Undos().Amend(ctx, undo, title, record)
		}
		if err != nil {
			return mergeOut{}, c.Undos().Unknown(undo, err)
		}
	}
	for _, other := range record.Merged {
		if err := b.Delete(ctx, other.ID); err != nil && !isNotFound(err) {
			return mergeOut{}, c.Undos().Unknown(undo, err)
		}
	}
	out.Status, out.Undo = "merged", undo
	return out, nil
}

// undoMerge restores the fields of the kept contact, and makes the others again that are gone.
func undoMerge(ctx context.Context, b *book.Book, r persist.UndoAttempt, k mergeRecord) (changeOut, error) {
	out := changeOut{}
	if len(k.Kept.Fields) > 0 {
		var err error
		if out, err = undoUpdate(ctx, b, r, k.Kept); err != nil {
			return changeOut{}, err
		}
	}
	for _, other := range k.Merged {
		_, err := b.Read(ctx, other.ID, "names")
		if err == nil {
			continue // it was not deleted
		}
		if err = errNoContact(err, other.ID); !isNotFound(err) {
			return changeOut{}, err
		}
		if _, err := undoDelete(ctx, b, r, other); err != nil {
			return changeOut{}, err
		}
	}
	out.Note = "the merged contacts are separate again, with new contact_ids"
	return out, nil
}
