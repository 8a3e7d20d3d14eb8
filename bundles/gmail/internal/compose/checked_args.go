package compose

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/lazyregexp"
)

// CheckedArgs are valid Args, with the files to attach.
type CheckedArgs struct {
	In    Args
	from  *mail.Address // nil: the caller named no sender
	Files []attachment.Enclosure
}

// CheckArgs checks the arguments and reads the files to attach, before any request to
// Google. It returns all problems collected in p, or TOO_LARGE if the text and the local
// files exceed Gmail's limit.
func CheckArgs(folders attachment.Folders, p *mailbox.Problems, in Args) (CheckedArgs, error) {
	checked := CheckedArgs{In: in, from: p.Address("from", in.From)}
	p.Text("body", in.Body)
	p.Text("html", in.HTML)
	p.Line("idempotency_key", in.Key, MaxKey)
	checked.Files = attachment.ReadEnclosures(folders, p, "attachments", in.Attachments)
	if err := p.Err(); err != nil {
		return CheckedArgs{}, err
	}
	total := int64(len(in.Body) + len(in.HTML))
	for _, e := range checked.Files {
		total += e.Size
	}
	return checked, mailbox.CheckSize(total)
}

// RepeatKey returns a key that is the same for all repeats of a call. It consists of args
// and the digests of the attached files.
func (checked CheckedArgs) RepeatKey(args any) ([]byte, error) {
	request := struct {
		Args  any
		Files [][sha256.Size]byte
	}{Args: args}
	for _, e := range checked.Files {
		request.Files = append(request.Files, sha256.Sum256(e.File.Content))
	}
	return json.Marshal(request)
}

// Deliver completes a composition: it sets the text with signature and quote, the
// attachments and the sender. The sender is from, unless the caller named another address.
// Then Deliver sends the mail, or saves it as a draft.
func Deliver(ctx context.Context, m *outgoing.Sender, c *Composition, checked CheckedArgs, identities mailbox.Identities, from mailbox.Identity, quote mailbody.Content) (SendResult, error) {
	if checked.from != nil {
		chosen, err := identities.Choose(checked.from)
		if err != nil {
			return SendResult{}, err
		}
		from = chosen
	}
	files, err := attachment.FetchEnclosures(ctx, m.Mailbox, checked.Files)
	if err != nil {
		return SendResult{}, err
	}
	c.Message.Attachments = slices.Concat(files, c.Message.Attachments)
	text := mailbody.NewContent(checked.In.Body, checked.In.HTML)
	c.userText = text.Text
	complete := text.AddSignature(from.Signature).AddQuote(quote)
	c.Message.Text, c.Message.HTML = complete.Text, complete.HTML
	return sendOrSave(ctx, m, c, from, checked.In)
}

var (
	mentionsAttachment = lazyregexp.New(`(?i)\b(attached|attachment|attaching|enclosed|im anhang|anbei|angehängt|beigefügt|ci-joint|pièce jointe|en pièces jointes|adjunt[oa]|in allegato|bijlage|bijgevoegd)\b`)
	placeholder        = lazyregexp.New(`(?i)\[(your|my|insert|recipient|name|first name|company|date|position|title|contact|phone|link)\b[^\]\n]{0,40}\]([^(]|$)`)
)

// addWarnings warns about what the user may have forgotten.
func (c *Composition) addWarnings() {
	warn := func(what string) { c.Warnings = append(c.Warnings, what) }
	files := len(c.Message.Attachments)
	if strings.TrimSpace(c.Message.Subject) == "" {
		warn("there is no subject")
	}
	if strings.TrimSpace(c.userText) == "" && files == 0 && c.Kind != "forward" {
		warn("there is no text")
	}
	if files == 0 && mentionsAttachment().MatchString(c.userText) {
		warn("the text mentions an attachment, but there is none")
	}
	if left := placeholder().FindString(c.userText); left != "" {
		warn("the text still has a placeholder: " + strings.TrimSpace(left))
	}
}
