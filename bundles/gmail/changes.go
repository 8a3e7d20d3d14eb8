package gmail

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type changesIn struct {
	Cursor  string   `json:"cursor,omitempty" doc:"of the previous answer"`
	Types   []string `json:"types,omitempty" enum:"added,deleted,labels"`
	Limit   int      `json:"limit,omitempty" alias:"max_results,count" default:"20" min:"1" max:"50" doc:"messages"`
	Account string   `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type changesOut struct {
	Added   []present.Row         `json:"added"`   // newest first
	Deleted []deletedMessage      `json:"deleted"` // permanently
	Labels  []changedLabels       `json:"labels"`
	Cursor  string                `json:"cursor"` // for the next call
	More    bool                  `json:"more,omitempty"`
	Note    string                `json:"note,omitempty"`
	Errors  []google.AccountError `json:"account_errors,omitempty"`
}

type deletedMessage struct {
	Account string `json:"account,omitempty"` // only if the argument account is "*"
	ID      string `json:"id"`
	Thread  string `json:"thread_id"`
}

type changedLabels struct {
	Account string   `json:"account,omitempty"` // only if the argument account is "*"
	ID      string   `json:"id"`
	Thread  string   `json:"thread_id"`
	From    string   `json:"from"`
	Subject string   `json:"subject"`
	Added   []string `json:"added,omitempty"` // by name
	Removed []string `json:"removed,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

// noteHistoryExpired is the note for a cursor that is too old for Gmail.
const noteHistoryExpired = "Gmail no longer has the changes since that cursor: search with newer_than: instead, and continue with the new cursor."

func (g *gmail) changesAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_changes", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary:     "List what happened in the mailbox since a cursor.",
		Description: "The first call gives the cursor.",
		Tags:        []string{"new", "history", "watch"},
		Aliases: metadata.Aliases{
			"get list: history",
			"get: changes",
			"history: -",
		},
		Examples: []metadata.Example{{Title: "Begin", Args: changesIn{}}, {Title: "Only new mail", Args: changesIn{Types: []string{"added"}}}},
		Errors:   google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"Each message is listed once, with its final state. If more is true, call again with the new cursor.",
			"Gmail keeps changes for about a week. An older cursor returns a note and a new cursor.",
		},
	}, g.changes)
}

func (g *gmail) changes(ctx context.Context, in changesIn) (changesOut, error) {
	from, err := g.startOfChanges(in)
	if err != nil {
		return changesOut{}, err
	}
	answers, failed, err := google.InAccounts(ctx, g.Accounts, from.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (accountChanges, error) {
		return changesSince(ctx, m, from.History[m.Account.Name], in, from.Account == google.AllAccounts)
	})
	if err != nil {
		return changesOut{}, err
	}
	out := changesOut{Added: []present.Row{}, Deleted: []deletedMessage{}, Labels: []changedLabels{}, Errors: failed}
	next := changesCursor{Account: from.Account, IsDefault: from.IsDefault, History: map[string]mailcache.HistoryPoint{}}
	for _, failure := range failed {
		next.History[failure.Account] = from.History[failure.Account] // the next call asks again
	}
	for _, a := range answers {
		next.History[a.account] = a.next
		out.Added, out.Deleted, out.Labels = append(out.Added, a.added...), append(out.Deleted, a.deleted...), append(out.Labels, a.labels...)
		out.More = out.More || a.more
		if a.expired {
			out.Note = noteHistoryExpired
		}
	}
	slices.SortStableFunc(out.Added, present.NewestFirst)
	if note := g.defaultChangedNote(from); note != "" && in.Account == "" {
		out.Note = strings.TrimSpace(out.Note + " " + note)
	}
	out.Cursor = arguments.EncodeCursor(next)
	present.Fit(out, present.Pointers(out.Added))
	for _, row := range out.Added {
		present.MarkShown(ctx, row.ID)
	}
	for _, row := range out.Labels {
		present.MarkShown(ctx, row.ID)
	}
	return out, nil
}

// A changesCursor is the cursor of gmail_list_changes: for each account, the position in
// its history up to which changes were listed.
type changesCursor struct {
	Account   string                            `json:"a"`           // a name, or "*"
	IsDefault bool                              `json:"u,omitempty"` // Account was the default account
	History   map[string]mailcache.HistoryPoint `json:"h"`           // by account name
}

// startOfChanges returns the cursor of the call, or for a first call a cursor without
// positions.
func (g *gmail) startOfChanges(in changesIn) (changesCursor, error) {
	if in.Cursor == "" {
		account, err := g.AccountName(in.Account)
		return changesCursor{Account: account, IsDefault: in.Account == ""}, err
	}
	c, bad := changesCursor{}, arguments.BadCursor("gmail_list_changes", in.Cursor)
	if !arguments.DecodeCursor(in.Cursor, &c) || c.Account == "" || len(c.History) == 0 {
		return c, bad
	}
	return c, g.checkCursorAccount(c.Account, in.Account, bad)
}

// defaultChangedNote returns a note if the first call used the default account, and the
// user has another default account now. Otherwise it returns "".
func (g *gmail) defaultChangedNote(c changesCursor) string {
	current, err := g.AccountName("")
	if err != nil || !c.IsDefault || current == c.Account {
		return ""
	}
	return "This cursor belongs to the account " + strconv.Quote(c.Account) + "; the default account is now " +
		strconv.Quote(current) + ": leave out the cursor to begin there."
}
