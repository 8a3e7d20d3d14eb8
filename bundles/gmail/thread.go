package gmail

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/google"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type threadIn struct {
	ID            string `json:"thread_id" alias:"id"`
	Limit         int    `json:"limit,omitempty" alias:"max_results,count" default:"25" min:"1" max:"100" doc:"messages"`
	Cursor        string `json:"cursor,omitempty" doc:"of the previous answer"`
	IncludeQuoted bool   `json:"include_quoted,omitempty"`
	Account       string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type threadOut struct {
	ID       string           `json:"thread_id"`
	Subject  string           `json:"subject"`
	Total    int              `json:"total_messages"`
	Messages []*threadMessage `json:"messages"` // oldest first
	Next     string           `json:"next_cursor,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // the provenance of the first message in Messages, whose subject is shown
}

// A threadMessage is a message in the answer about its thread.
type threadMessage struct {
	ID          string                `json:"id"`
	Date        string                `json:"date"` // RFC 3339, in the user's zone
	From        string                `json:"from"`
	To          string                `json:"to,omitempty"` // the first recipients, and the number of the others
	Cc          string                `json:"cc,omitempty"`
	Subject     string                `json:"subject,omitempty"` // only if it differs from the thread's in more than prefixes, case and spaces
	Unread      bool                  `json:"unread,omitempty"`
	Draft       bool                  `json:"draft,omitempty"` // not sent
	Trash       bool                  `json:"trash,omitempty"`
	Attachments []mailbody.Attachment `json:"attachments,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // set if others wrote parts of it
	present.BodyText
}

func (g *gmail) threadAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "get_thread", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary:     "Read a conversation, oldest message first.",
		Description: "Quoted history is left out.",
		Tags:        []string{"conversation", "read"},
		Aliases: metadata.Aliases{
			"read fetch open show view retrieve: thread",
			"get read show: conversation",
		},
		Examples: []metadata.Example{{Title: "A conversation", Args: threadIn{ID: exampleID}}},
		Errors:   google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes:    []string{"A long message is cut: gmail_get_message continues from its next_offset.", "draft marks messages that were not sent."},
	}, g.thread)
}

func (g *gmail) thread(ctx context.Context, in threadIn) (threadOut, error) {
	if err := mailbox.CheckID("thread_id", in.ID); err != nil {
		return threadOut{}, err
	}
	first, err := strconv.Atoi(cmp.Or(in.Cursor, "0"))
	if err != nil || first < 0 {
		return threadOut{}, arguments.BadCursor("gmail_get_thread", in.Cursor)
	}
	return google.InAnyAccount(ctx, g.Accounts, in.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (threadOut, error) {
		return readThread(ctx, m, in, first, g.Fence)
	})
}

// readThread returns the messages of a thread, beginning with the message at index first.
func readThread(ctx context.Context, m *mailbox.Mailbox, in threadIn, first int, fence func() string) (threadOut, error) {
	messages, hasText, err := fetchThread(ctx, m, in.ID)
	if err != nil {
		return threadOut{}, err
	}
	page := messages[min(first, len(messages)):min(first+in.Limit, len(messages))]
	notes := make([]string, len(page))
	if !hasText {
		if err := readTexts(ctx, m, page, notes); err != nil {
			return threadOut{}, err
		}
	}
	out := threadOut{ID: in.ID, Total: len(messages), Messages: make([]*threadMessage, len(page))}
	if len(page) > 0 {
		out.Subject = mailbody.Line(mailbody.Header(page[0].Payload, "Subject"), mailbody.MaxSubject)
	}
	for i, message := range page {
		out.Messages[i] = newThreadMessage(ctx, m, message, out.Subject, in.IncludeQuoted, notes[i])
	}
	if len(page) > 0 {
		out.Provenance = out.Messages[0].Provenance
	}
	for len(out.Messages) > 1 && budget.Size(out)+len(out.Messages)*present.MinBody > budget.DefaultSize {
		out.Messages = out.Messages[:len(out.Messages)*3/4]
	}
	if end := first + len(out.Messages); end < len(messages) {
		out.Next = strconv.Itoa(end)
	}
	bodies := make([]*present.BodyText, len(out.Messages))
	for i, message := range out.Messages {
		present.MarkShown(ctx, message.ID)
		message.SetUntrusted(message.Provenance != nil)
		bodies[i] = &message.BodyText
	}
	present.Share(out, bodies, 0, budget.DefaultSize, untrusted.New(fence))
	return out, nil
}

// maxThreadBytes is the largest answer with a whole thread that KOTA accepts from Gmail,
// in bytes. KOTA reads a larger thread message by message.
const maxThreadBytes = 16 << 20

// fetchThread returns the messages of a thread, oldest first. If the thread is too large or
// broken, hasText is false, and the messages have neither text nor headers.
func fetchThread(ctx context.Context, m *mailbox.Mailbox, id string) (messages []*gmailapi.Message, hasText bool, err error) {
	thread, err := m.Large(maxThreadBytes).Users.Threads.Get(mailbox.Me, id).Format("full").Context(ctx).Do()
	if _, broken := mailbox.UnreadableReason(err); broken {
		thread, err = m.API.Users.Threads.Get(mailbox.Me, id).Format("minimal").Context(ctx).Do()
		hasText = false
	} else {
		hasText = true
	}
	if err != nil {
		return nil, false, fmt.Errorf("read thread %s: %w", id, err)
	}
	slices.SortStableFunc(thread.Messages, func(a, b *gmailapi.Message) int { return cmp.Compare(a.InternalDate, b.InternalDate) })
	return thread.Messages, hasText, nil
}

// readTexts replaces each message with the full message, and records in notes why a message
// has no text. The notes have the same indexes as the messages.
func readTexts(ctx context.Context, m *mailbox.Mailbox, page []*gmailapi.Message, notes []string) error {
	group, ctx := panicsafe.WithContext(ctx, maxConcurrentReads)
	for i := range page {
		group.Go(func() (err error) {
			page[i], notes[i], err = m.FullMessage(ctx, page[i].Id, mailbox.MaxMessageOfMany)
			return err
		})
	}
	return group.Wait()
}

func newThreadMessage(ctx context.Context, m *mailbox.Mailbox, message *gmailapi.Message, subject string, withQuoted bool, note string) *threadMessage {
	header := func(name string) string { return mailbody.Header(message.Payload, name) }
	out := &threadMessage{
		ID: message.Id, Date: m.FormatTime(time.UnixMilli(message.InternalDate)),
		From: mailbody.ShortList(header("From")), To: mailbody.ShortList(header("To")), Cc: mailbody.ShortList(header("Cc")),
		Unread: slices.Contains(message.LabelIds, mailbox.Unread), Draft: slices.Contains(message.LabelIds, mailbox.Draft),
		Trash:       slices.Contains(message.LabelIds, mailbox.Trash),
		Attachments: mailbody.Attachments(message.Payload), Provenance: present.ProvenanceOfMessage(ctx, message),
	}
	if own := mailbody.Line(header("Subject"), mailbody.MaxSubject); !mailmsg.SameTopic(own, subject) {
		out.Subject = own
	}
	out.Attachments = out.Attachments[:min(len(out.Attachments), present.MaxListedOfMany)]
	out.Note = note
	out.SetBody(message.Payload, withQuoted)
	return out
}
