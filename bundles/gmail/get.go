package gmail

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/google"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type getIn struct {
	IDs           []string `json:"ids" alias:"id,message_id" min:"1" max:"25" doc:"[\"18f2a9c0d1e2f3a4\"]"`
	Format        string   `json:"format,omitempty" enum:"markdown,headers,source" default:"markdown"`
	IncludeQuoted bool     `json:"include_quoted,omitempty" doc:"earlier mail quoted below"`
	Offset        int      `json:"offset,omitempty" min:"0" doc:"next_offset, of one id"`
	MaxChars      int      `json:"max_chars,omitempty" default:"25000" min:"1000" max:"100000" doc:"of the whole answer"`
	Account       string   `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type getOut struct {
	Messages      []*present.Message    `json:"messages"`
	MessageErrors []messageError        `json:"errors,omitempty"` // the messages that could not be read
	Errors        []google.AccountError `json:"account_errors,omitempty"`
}

// A messageError says why one of several messages is not in the answer.
type messageError struct {
	ID      string        `json:"id"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
}

// maxConcurrentReads is the maximum number of messages of one account that are
// read concurrently.
const maxConcurrentReads = 8

func (g *gmail) getAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "get_message", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary:     "Read messages as Markdown, up to 25 at once.",
		Description: "Long ones are cut: continue with offset.",
		Tags:        []string{"read", "open", "mail"},
		Aliases: metadata.Aliases{
			"get read fetch open show view retrieve: - message email mail",
			"read fetch batch_get: messages emails mails",
		},
		Examples: []metadata.Example{
			{Title: "One message", Args: getIn{IDs: []string{exampleID}}},
			{Title: "Where it came from", Args: getIn{IDs: []string{exampleID}, Format: "headers"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"Hidden text, characters without a glyph, tracking pictures and, unless include_quoted, quoted history are removed and counted in dropped.",
			"An id that cannot be read is listed in errors; the others are still returned. gmail_get_attachment fetches attachments.",
			"headers shows every header; source is the message as it was sent, without invisible characters.",
		},
	}, g.get)
}

// exampleID is the message id in examples.
const exampleID = "18f2a9c0d1e2f3a4"

func (g *gmail) get(ctx context.Context, in getIn) (getOut, error) {
	if err := in.check(); err != nil {
		return getOut{}, err
	}
	in.IDs = mailbox.Unique(in.IDs)
	answers, failed, err := google.InAccounts(ctx, g.Accounts, in.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (accountMessages, error) {
		return readMessages(ctx, m, in)
	})
	if err != nil {
		return getOut{}, err
	}
	out := getOut{Messages: []*present.Message{}, Errors: failed}
	for i, id := range in.IDs {
		message, readErr := firstMessage(answers, i)
		if message == nil {
			out.MessageErrors = append(out.MessageErrors, newMessageError(id, readErr))
			continue
		}
		if in.Account != google.AllAccounts {
			message.Account = ""
		}
		out.Messages = append(out.Messages, message)
	}
	if len(out.Messages) == 0 && len(failed) == 0 {
		return getOut{}, firstError(answers)
	}
	bodies := make([]*present.BodyText, len(out.Messages))
	for i, message := range out.Messages {
		present.MarkShown(ctx, message.ID)
		message.SetUntrusted(message.Provenance != nil)
		bodies[i] = &message.BodyText
	}
	for _, limit := range []int{present.MaxListed, present.MaxListedOfMany, 3, 1} {
		for _, message := range out.Messages {
			message.Crop(limit)
		}
		if budget.Size(out)+len(bodies)*present.MinBody <= in.MaxChars {
			break
		}
	}
	present.Share(out, bodies, in.Offset, in.MaxChars, untrusted.New(g.Fence))
	return out, nil
}

func (in getIn) check() error {
	if err := mailbox.CheckIDs("ids", in.IDs); err != nil {
		return err
	}
	if in.Offset == 0 || len(in.IDs) == 1 {
		return nil
	}
	return arguments.Invalid("offset", "omitted with several ids", strconv.Itoa(in.Offset)).WithHint("Continue with one message at a time.")
}

// accountMessages holds one account's results. For each requested id, it has a message or
// an error at the same index.
type accountMessages struct {
	messages []*present.Message
	errs     []error
}

// readMessages reads the messages in this account. It returns an error only if the same
// error would affect every message.
func readMessages(ctx context.Context, m *mailbox.Mailbox, in getIn) (accountMessages, error) {
	r := accountMessages{make([]*present.Message, len(in.IDs)), make([]error, len(in.IDs))}
	group := panicsafe.New(maxConcurrentReads)
	group.Go(func() error {
		_, err := m.Labels(ctx)
		return err
	})
	limit := int64(mailbox.MaxMessage)
	if len(in.IDs) > 1 {
		limit = mailbox.MaxMessageOfMany
	}
	for i, id := range in.IDs {
		group.Go(func() error {
			r.messages[i], r.errs[i] = readMessage(ctx, m, id, in, limit)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return r, err
	}
	return r, present.NameLabels(ctx, m, slices.DeleteFunc(slices.Clone(r.messages), func(out *present.Message) bool { return out == nil }))
}

// firstMessage returns the message at index i from the account that has it. If no account
// has it, firstMessage returns the first error that is not NOT_FOUND, or else NOT_FOUND.
func firstMessage(answers []accountMessages, i int) (*present.Message, error) {
	var firstErr error
	for _, r := range answers {
		if r.messages[i] != nil {
			return r.messages[i], nil
		}
		if firstErr == nil || metadata.CodeOf(firstErr) == metadata.NotFound {
			firstErr = r.errs[i]
		}
	}
	return nil, firstErr
}

// firstError returns the error of the message at index 0. Call it only if no message could
// be read.
func firstError(answers []accountMessages) error {
	_, err := firstMessage(answers, 0)
	return err
}

func newMessageError(id string, err error) messageError {
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) {
		e = metadata.Errorf(metadata.Internal, "the message could not be read").WithHint("Read it in a call of its own; KOTA's log has the cause.")
	}
	return messageError{ID: id, Code: e.Code, Message: e.Message, Hint: e.Hint}
}
