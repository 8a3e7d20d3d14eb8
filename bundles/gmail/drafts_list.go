package gmail

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type listDraftsIn struct {
	Query   string `json:"query,omitempty" doc:"Gmail search: \"to:ann\""`
	Limit   int64  `json:"limit" alias:"max_results,count" default:"20" min:"1" max:"50"`
	Cursor  string `json:"cursor,omitempty" doc:"of the previous answer"`
	Account string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type listDraftsOut struct {
	Drafts []draftRow            `json:"drafts"` // newest first
	Next   string                `json:"next_cursor,omitempty"`
	Errors []google.AccountError `json:"account_errors,omitempty"`
}

type draftRow struct {
	Account   string   `json:"account,omitempty"` // only if the argument account is "*"
	DraftID   string   `json:"draft_id"`
	MessageID string   `json:"message_id"` // gmail_get_message shows the full message
	ThreadID  string   `json:"thread_id"`
	To        []string `json:"to"`
	Cc        []string `json:"cc,omitempty"`
	Bcc       []string `json:"bcc,omitempty"`
	Subject   string   `json:"subject"`
	Snippet   string   `json:"snippet,omitempty"`
	Changed   string   `json:"changed"` // RFC 3339

	Provenance *untrusted.Provenance `json:"provenance"` // a draft may contain text by others

	changed int64 // Changed in milliseconds since 1970
}

func (g *gmail) listDraftsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_drafts", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary: "List the drafts, newest first.",
		Tags:    []string{"draft", "unsent"},
		Aliases: metadata.Aliases{
			"get read search find fetch: drafts draft",
			"drafts: -",
		},
		Examples: []metadata.Example{{Title: "The newest drafts", Args: listDraftsIn{Limit: 20}}},
		Errors:   google.Errors(),
	}, g.listDrafts)
}

func (g *gmail) listDrafts(ctx context.Context, in listDraftsIn) (listDraftsOut, error) {
	at, err := g.draftsCursor(in)
	if err != nil {
		return listDraftsOut{}, err
	}
	several := at.Account == google.AllAccounts
	answers, failed, err := google.InAccounts(ctx, g.accountsLeft(at), at.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (draftPage, error) {
		return listDraftPage(ctx, m, at, in.Limit)
	})
	if err != nil {
		return listDraftsOut{}, err
	}
	out := listDraftsOut{Drafts: []draftRow{}, Errors: failed}
	next := map[string]string{}
	for _, page := range answers {
		next[page.account] = page.next
		for _, row := range page.rows {
			if several {
				row.Account = page.account
			}
			out.Drafts = append(out.Drafts, row)
		}
	}
	if several {
		slices.SortStableFunc(out.Drafts, func(a, b draftRow) int { return cmp.Compare(b.changed, a.changed) })
	}
	out.Next = at.next(next, failed)
	return out, nil
}

// draftsCursor returns the cursor of the call, or for a first call a cursor at the first
// page.
func (g *gmail) draftsCursor(in listDraftsIn) (pageCursor, error) {
	if in.Cursor != "" {
		return g.decodePageCursor("gmail_list_drafts", in.Cursor, in.Account)
	}
	account, err := g.AccountName(in.Account)
	return pageCursor{Q: in.Query, Account: account}, err
}

// A draftPage is one page of the drafts of one account.
type draftPage struct {
	account string
	rows    []draftRow
	next    string // Gmail's token for the next page; "" if there is none
}

func listDraftPage(ctx context.Context, m *mailbox.Mailbox, at pageCursor, limit int64) (draftPage, error) {
	page := draftPage{account: m.Account.Name}
	token, isDone := at.pageToken(m.Account.Name)
	if isDone {
		return page, nil
	}
	call := m.API.Users.Drafts.List(mailbox.Me).MaxResults(limit).Context(ctx)
	if at.Q != "" {
		call.Q(at.Q)
	}
	if token != "" {
		call.PageToken(token)
	}
	list, err := call.Do()
	if err != nil {
		return page, fmt.Errorf("list drafts: %w", err)
	}
	drafts, err := readDraftHeaders(ctx, m, list.Drafts)
	for _, draft := range drafts {
		page.rows = append(page.rows, newDraftRow(ctx, m, draft))
	}
	page.next = list.NextPageToken
	return page, err
}

// readDraftHeaders reads the headers and snippets of the drafts. It omits drafts that no
// longer exist.
func readDraftHeaders(ctx context.Context, m *mailbox.Mailbox, list []*gmailapi.Draft) ([]*gmailapi.Draft, error) {
	const query = "?format=metadata&fields=id,message(id,threadId,snippet,internalDate,payload/headers)"
	paths := make([]string, len(list))
	for i, d := range list {
		paths[i] = "/gmail/v1/users/me/drafts/" + url.PathEscape(d.Id) + query
	}
	if len(paths) == 0 {
		return nil, nil
	}
	answers, err := google.Batch(ctx, m.Client, google.GmailBatch(m.Endpoint()), paths)
	if err != nil {
		return nil, fmt.Errorf("read drafts: %w", err)
	}
	drafts := make([]*gmailapi.Draft, 0, len(list))
	for _, a := range answers {
		if metadata.CodeOf(a.Err) == metadata.NotFound {
			continue
		}
		draft := &gmailapi.Draft{}
		if a.Err == nil {
			a.Err = json.Unmarshal(a.Body, draft)
		}
		if a.Err != nil {
			return nil, fmt.Errorf("read draft: %w", a.Err)
		}
		drafts = append(drafts, draft)
	}
	return drafts, nil
}

func newDraftRow(ctx context.Context, m *mailbox.Mailbox, draft *gmailapi.Draft) draftRow {
	row := draftRow{DraftID: draft.Id, To: []string{}, Provenance: untrusted.MarkPartly(ctx, untrusted.Mail)}
	message := draft.Message
	if message == nil || message.Payload == nil {
		return row
	}
	list := func(name string) []string {
		read, rest := mailmsg.ParseAddressList(mailbody.Header(message.Payload, name))
		return append(mailbody.ShowAddresses(read), rest...)
	}
	row.MessageID, row.ThreadID = message.Id, message.ThreadId
	row.To, row.Cc, row.Bcc = list("To"), list("Cc"), list("Bcc")
	row.Subject = htmltext.Line(mailmsg.DecodeHeader(mailbody.Header(message.Payload, "Subject")))
	row.Snippet = htmltext.Line(html.UnescapeString(message.Snippet))
	row.changed = message.InternalDate
	row.Changed = time.UnixMilli(message.InternalDate).In(m.Now().Location()).Format(time.RFC3339)
	return row
}
