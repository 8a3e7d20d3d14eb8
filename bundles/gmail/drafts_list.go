package gmail

import (
	"context"
	"fmt"
	"html"
	"time"

	"golang.org/x/sync/errgroup"
	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/internal/readable"
	"kota/bundles/internal/rfc5322"
	"kota/metadata"
)

type listDraftsIn struct {
	Query   string `json:"query,omitempty" doc:"Gmail search: \"to:ann\""`
	Limit   int64  `json:"limit" default:"20" min:"1" max:"50"`
	Cursor  string `json:"cursor,omitempty" doc:"next_cursor of an answer"`
	Account string `json:"account,omitempty"`
}

type listDraftsOut struct {
	Drafts []draftRow `json:"drafts"`
	Next   string     `json:"next_cursor,omitempty"`
}

type draftRow struct {
	DraftID   string   `json:"draft_id"`
	MessageID string   `json:"message_id"` // gmail_get_message shows the whole
	ThreadID  string   `json:"thread_id"`
	To        []string `json:"to"`
	Cc        []string `json:"cc,omitempty"`
	Bcc       []string `json:"bcc,omitempty"`
	Subject   string   `json:"subject"`
	Snippet   string   `json:"snippet,omitempty"`
	Changed   string   `json:"changed"` // RFC 3339
}

// draftsAtOnce is how many drafts are read at the same time.
const draftsAtOnce = 6

func (g *gmail) listDraftsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_drafts", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:  "List the drafts, newest first.",
		Tags:     []string{"draft", "unsent"},
		Phrases:  []string{"which drafts do I have", "show my unsent mails", "find the draft to Ann", "welche Entwürfe habe ich", "toon mijn concepten", "mes brouillons"},
		Examples: []metadata.Example{{Title: "The newest drafts", Args: listDraftsIn{Limit: 20}}},
		Errors:   readErrors(),
	}, g.listDrafts)
}

func (g *gmail) listDrafts(ctx context.Context, in listDraftsIn) (listDraftsOut, error) {
	m, err := g.open(ctx, in.Account)
	if err != nil {
		return listDraftsOut{}, err
	}
	call := m.api.Users.Drafts.List(me).MaxResults(in.Limit).Context(ctx)
	if in.Query != "" {
		call.Q(in.Query)
	}
	if in.Cursor != "" {
		call.PageToken(in.Cursor)
	}
	list, err := call.Do()
	if err != nil {
		return listDraftsOut{}, fmt.Errorf("list drafts: %w", err)
	}
	found := make([]*draftRow, len(list.Drafts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(draftsAtOnce)
	for i, d := range list.Drafts {
		group.Go(func() error {
			draft, err := m.api.Users.Drafts.Get(me, d.Id).Format("metadata").Context(ctx).Do()
			if metadata.CodeOf(err) == metadata.NotFound {
				return nil // sent or deleted since it was listed
			}
			if err != nil {
				return fmt.Errorf("read draft %s: %w", d.Id, err)
			}
			found[i] = m.draftRow(draft)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return listDraftsOut{}, err
	}
	out := listDraftsOut{Drafts: []draftRow{}, Next: list.NextPageToken}
	for _, row := range found {
		if row != nil {
			out.Drafts = append(out.Drafts, *row)
		}
	}
	return out, nil
}

func (m *mailbox) draftRow(draft *gmailapi.Draft) *draftRow {
	row := &draftRow{DraftID: draft.Id, To: []string{}}
	message := draft.Message
	if message == nil || message.Payload == nil {
		return row
	}
	list := func(name string) []string {
		read, rest := rfc5322.ParseAddressList(partHeader(message.Payload, name))
		return append(shownAll(read), rest...)
	}
	row.MessageID, row.ThreadID = message.Id, message.ThreadId
	row.To, row.Cc, row.Bcc = list("To"), list("Cc"), list("Bcc")
	row.Subject = readable.Line(rfc5322.DecodeHeader(partHeader(message.Payload, "Subject")))
	row.Snippet = readable.Line(html.UnescapeString(message.Snippet))
	row.Changed = time.UnixMilli(message.InternalDate).In(m.Now().Location()).Format(time.RFC3339)
	return row
}
