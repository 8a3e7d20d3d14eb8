package filters

import (
	"context"
	"fmt"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// ManageIn are the arguments of gmail_manage_filter.
type ManageIn struct {
	Operation  string   `json:"operation" enum:"list,create,delete"`
	ID         string   `json:"filter_id,omitempty" doc:"delete: from list" audit:"show"`
	From       string   `json:"from,omitempty" max:"500"`
	To         string   `json:"to,omitempty" max:"500"`
	Subject    string   `json:"subject,omitempty" max:"500"`
	Query      string   `json:"query,omitempty" max:"1000" doc:"Gmail search"`
	Without    string   `json:"without,omitempty" max:"1000" doc:"not matching this search"`
	Attachment bool     `json:"has_attachment,omitempty"`
	Larger     int64    `json:"larger,omitempty" min:"1" doc:"bytes"`
	Smaller    int64    `json:"smaller,omitempty" min:"1"`
	Archive    bool     `json:"archive,omitempty"`
	Read       bool     `json:"read,omitempty"`
	Star       bool     `json:"star,omitempty"`
	Important  *bool    `json:"important,omitempty"`
	NeverSpam  bool     `json:"never_spam,omitempty"`
	Trash      bool     `json:"trash,omitempty"`
	Labels     []string `json:"add_labels,omitempty" max:"5" doc:"by name" audit:"show"`
	DryRun     bool     `json:"dry_run,omitempty" doc:"create: only count matches"`
	Account    string   `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// Effect returns Reads for listing and for a dry run, and otherwise Writes.
func (in ManageIn) Effect() metadata.Effect {
	if in.Operation == "list" || in.DryRun {
		return metadata.Reads
	}
	return metadata.Writes
}

// ManageOut is the result of gmail_manage_filter.
type ManageOut struct {
	DryRun   bool   `json:"dry_run,omitempty"`  // no filter was created
	Filters  []Row  `json:"filters"`            // list: all filters; otherwise the affected one
	Matching *int   `json:"matching,omitempty"` // dry_run: number of existing messages that match, at most 500
	Note     string `json:"note,omitempty"`
	UndoID   string `json:"undo_id,omitempty"` // for gmail_undo
}

// A Row is a filter in words.
type Row struct {
	ID   string   `json:"filter_id,omitempty"`
	If   string   `json:"if"` // the conditions in Gmail's search language
	Then []string `json:"then"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // the provenance of the conditions and the label names
}

// Check returns a VALIDATION_ERROR if arguments contradict each other, or the id is missing
// or invalid.
func (in ManageIn) Check() error {
	if (in.Operation == "delete") != (in.ID != "") {
		return arguments.Invalid("filter_id", "an id, only with delete", fmt.Sprintf("%q with %s", arguments.Brief(in.ID), in.Operation))
	}
	if in.DryRun && in.Operation != "create" {
		return arguments.Invalid("dry_run", "operation create", in.Operation)
	}
	if in.ID != "" {
		if err := mailbox.CheckID("filter_id", in.ID); err != nil {
			return err
		}
	}
	return nil
}

// Manage lists, creates or deletes filters. Call in.Check first.
func Manage(ctx context.Context, m *mailbox.Mailbox, in ManageIn) (ManageOut, error) {
	switch in.Operation {
	case "create":
		return createFilter(ctx, m, in)
	case "delete":
		return deleteFilter(ctx, m, in.ID)
	}
	filters, err := listFilters(ctx, m)
	if err != nil {
		return ManageOut{}, err
	}
	return filterRows(ctx, m, filters...)
}

func listFilters(ctx context.Context, m *mailbox.Mailbox) ([]*gmailapi.Filter, error) {
	list, err := m.API.Users.Settings.Filters.List(mailbox.Me).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list filters: %w", err)
	}
	return list.Filter, nil
}

// createFilter creates the filter, unless the same filter exists. In a dry run it only
// counts the matching messages.
func createFilter(ctx context.Context, m *mailbox.Mailbox, in ManageIn) (ManageOut, error) {
	want, names, err := filterOf(ctx, m, in)
	if err != nil {
		return ManageOut{}, err
	}
	filters, err := listFilters(ctx, m)
	if err != nil {
		return ManageOut{}, err
	}
	if i := slices.IndexFunc(filters, func(f *gmailapi.Filter) bool { return isSameFilter(f, want) }); i >= 0 {
		out, err := filterRows(ctx, m, filters[i])
		out.Note = "it already exists; nothing was changed"
		return out, err
	}
	out, err := filterRows(ctx, m, want)
	if err != nil {
		return ManageOut{}, err
	}
	if in.DryRun || hidesMail(want) {
		coverage, err := measureCoverage(ctx, m, want)
		if err != nil {
			return ManageOut{}, err
		}
		if out.Note, err = coverage.warning(want); err != nil {
			return ManageOut{}, err
		}
		if in.DryRun {
			return coverage.preview(out), nil
		}
	}
	if err := confirmFilter(ctx, want, out.Filters[0], out.Note); err != nil {
		return ManageOut{}, err
	}
	if err := m.NameStore(mailbox.NameKindFilter).Record(ctx, m.Account.Key(), false, criteriaQuery(want.Criteria)); err != nil {
		return ManageOut{}, err
	}
	before := filterUndo{Created: want, Names: names}
	for _, f := range filters {
		if isForSameMail(f, want) {
			before.EarlierIDs = append(before.EarlierIDs, f.Id)
		}
	}
	title := "create filter: " + out.Filters[0].title()
	undo, err := m.Undos().Save(ctx, m.Account.Key(), title, KindFilter, before)
	if err != nil {
		return ManageOut{}, err
	}
	created, err := makeFilter(ctx, m, want)
	if err != nil {
		return ManageOut{}, m.PartialError(ctx, undo, title, err, false, nil)
	}
	out.Filters[0].ID, out.UndoID = created.Id, undo
	return out, nil
}

// makeFilter creates a filter. If Google did not say whether it created the filter,
// makeFilter looks for the filter.
func makeFilter(ctx context.Context, m *mailbox.Mailbox, want *gmailapi.Filter) (*gmailapi.Filter, error) {
	created, err := m.API.Users.Settings.Filters.Create(mailbox.Me, &gmailapi.Filter{Criteria: want.Criteria, Action: want.Action}).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.OutcomeUnknown {
		if filters, listErr := listFilters(ctx, m); listErr == nil {
			if i := slices.IndexFunc(filters, func(f *gmailapi.Filter) bool { return isSameFilter(f, want) }); i >= 0 {
				return filters[i], nil
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("create filter: %w", err)
	}
	return created, nil
}

// deleteFilter deletes a filter. It returns REFUSED for a filter that KOTA could not create
// again.
func deleteFilter(ctx context.Context, m *mailbox.Mailbox, id string) (ManageOut, error) {
	filters, err := listFilters(ctx, m)
	if err != nil {
		return ManageOut{}, err
	}
	i := slices.IndexFunc(filters, func(f *gmailapi.Filter) bool { return f.Id == id })
	if i < 0 {
		return ManageOut{}, metadata.Errorf(metadata.NotFound, "there is no filter %q", id).WithHint("gmail_manage_filter {\"operation\": \"list\"} lists them.")
	}
	was := filters[i]
	out, err := filterRows(ctx, m, was)
	if err != nil {
		return ManageOut{}, err
	}
	if was.Action != nil && was.Action.Forward != "" {
		return ManageOut{}, metadata.Errorf(metadata.Refused, "this filter forwards mail, and KOTA could not restore it: nothing was deleted").
			WithHint("The user can delete it in Gmail's settings.")
	}
	names, err := userLabels(ctx, m, was)
	if err != nil {
		return ManageOut{}, err
	}
	title := "delete filter: " + out.Filters[0].title()
	undo, err := m.Undos().Save(ctx, m.Account.Key(), title, KindFilter, filterUndo{Deleted: was, Names: names})
	if err != nil {
		return ManageOut{}, err
	}
	err = m.API.Users.Settings.Filters.Delete(mailbox.Me, id).Context(ctx).Do()
	if err != nil && metadata.CodeOf(err) != metadata.NotFound { // NOT_FOUND: somebody deleted it meanwhile
		return ManageOut{}, m.PartialError(ctx, undo, title, fmt.Errorf("delete filter: %w", err), false, nil)
	}
	out.UndoID = undo
	return out, nil
}

// title returns the filter in one line.
func (r Row) title() string {
	return htmltext.First(r.If, mailbody.MaxSubject) + " → " + strings.Join(r.Then, ", ")
}
