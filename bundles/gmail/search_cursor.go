package gmail

import (
	"slices"

	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/metadata"
)

// A pageCursor is a search and its position in each account. The next page uses the same
// query and accounts. The query contains absolute times, also for arguments such as "7d".
type pageCursor struct {
	Q       string            `json:"q"`
	Account string            `json:"a"` // a name, or "*"
	Tokens  map[string]string `json:"t"` // account name → Gmail's token for the next page, for the accounts with pages left; nil at the first page

	label string // the argument label; "" after the first page
}

// searchCursor returns the cursor of the call, or for a first call a cursor at the first
// page.
func (g *gmail) searchCursor(in searchIn) (pageCursor, error) {
	if in.Cursor != "" {
		return g.decodePageCursor("gmail_search_messages", in.Cursor, in.Account)
	}
	c := search.Conditions{
		From: in.From, To: in.To, Subject: in.Subject, Label: in.Label,
		After: in.After, Before: in.Before, Unread: in.Unread, HasAttachment: in.HasAttachment,
	}
	q, err := c.Query(in.Query, g.Now())
	if err != nil {
		return pageCursor{}, err
	}
	account, err := g.AccountName(in.Account)
	return pageCursor{Q: q, Account: account, label: in.Label}, err
}

// decodePageCursor decodes a cursor of the tool. It returns a VALIDATION_ERROR if the cursor
// is invalid, or if account is another account than the cursor's.
func (g *gmail) decodePageCursor(tool, cursor, account string) (pageCursor, error) {
	at := pageCursor{}
	if !arguments.DecodeCursor(cursor, &at) || at.Account == "" || len(at.Tokens) == 0 {
		return at, arguments.BadCursor(tool, cursor)
	}
	return at, g.checkCursorAccount(at.Account, account, arguments.BadCursor(tool, cursor))
}

// pageToken returns Gmail's token for the account's next page, or "" for the first page.
// isDone reports whether no page is left.
func (c pageCursor) pageToken(account string) (token string, isDone bool) {
	token, more := c.Tokens[account]
	return token, c.Tokens != nil && !more
}

// accountsLeft returns a function that lists the accounts with pages left. If all of these
// accounts fail, the call fails, so a client does not follow cursors endlessly.
func (g *gmail) accountsLeft(c pageCursor) func() ([]Account, error) {
	return func() ([]Account, error) {
		list, err := g.Accounts()
		return slices.DeleteFunc(slices.Clone(list), func(a Account) bool {
			_, isDone := c.pageToken(a.Name)
			return isDone
		}), err
	}
}

// next returns the cursor for the next pages, or "" after the last page. tokens are the
// accounts' tokens for the next page. A failed account keeps its current page.
func (c pageCursor) next(tokens map[string]string, failed []google.AccountError) string {
	next := pageCursor{Q: c.Q, Account: c.Account, Tokens: map[string]string{}}
	for _, f := range failed {
		next.Tokens[f.Account] = c.Tokens[f.Account] // "" means its first page
	}
	for account, token := range tokens {
		if token != "" {
			next.Tokens[account] = token
		}
	}
	if len(next.Tokens) == 0 {
		return ""
	}
	return arguments.EncodeCursor(next)
}

// checkCursorAccount returns a VALIDATION_ERROR if the requested account is not the
// cursor's. It returns bad if the cursor's account is no longer signed in.
func (g *gmail) checkCursorAccount(cursorAccount, requested string, bad *metadata.Error) error {
	list, err := g.Accounts()
	if err != nil {
		return err
	}
	return google.CheckCursor(list, cursorAccount, requested, bad)
}
