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

// A Writing holds checked Args and the files that were read.
type Writing struct {
	In    Args
	from  *mail.Address // nil: the default identity
	Files []attachment.Enclosure
}

// NewWriting checks the arguments and reads the files to attach, before any request to
// Google. It returns all problems collected in p, or TOO_LARGE if the mail exceeds
// Gmail's limit.
func NewWriting(folders attachment.Folders, p *mailbox.Problems, in Args) (Writing, error) {
	w := Writing{In: in, from: p.Address("from", in.From)}
	p.Text("body", in.Body)
	p.Text("html", in.HTML)
	p.Line("idempotency_key", in.Key, MaxKey)
	w.Files = attachment.Enclosures(folders, p, "attachments", in.Attachments)
	if err := p.Err(); err != nil {
		return Writing{}, err
	}
	total := int64(len(in.Body) + len(in.HTML))
	for _, e := range w.Files {
		total += e.Size
	}
	return w, mailbox.CheckSize(total)
}

// Sameness returns what repeats of a call have in common: their arguments and the content
// of their files.
func (w Writing) Sameness(in any) ([]byte, error) {
	asked := struct {
		Args  any
		Files [][sha256.Size]byte
	}{Args: in}
	for _, e := range w.Files {
		asked.Files = append(asked.Files, sha256.Sum256(e.File.Content))
	}
	return json.Marshal(asked)
}

// Deliver completes a letter: the text with signature and quote, the attachments and the
// sender. Then it sends or saves the letter.
func Deliver(ctx context.Context, m *outgoing.Sender, l *Letter, w Writing, who mailbox.Identities, from mailbox.Identity, quoted mailbody.Words) (Sent, error) {
	if w.from != nil {
		chosen, err := who.Choose(w.from)
		if err != nil {
			return Sent{}, err
		}
		from = chosen
	}
	files, err := attachment.FetchEnclosures(ctx, m.Mailbox, w.Files)
	if err != nil {
		return Sent{}, err
	}
	l.Message.Attachments = slices.Concat(files, l.Message.Attachments)
	said := mailbody.NewWords(w.In.Body, w.In.HTML)
	l.words = said.Text
	whole := said.Sign(from.Signature).Add(quoted)
	l.Message.Text, l.Message.HTML = whole.Text, whole.HTML
	return postLetter(ctx, m, l, from, w.In)
}

var (
	speaksOfFile = lazyregexp.Of(`(?i)\b(attached|attachment|attaching|enclosed|im anhang|anbei|angehängt|beigefügt|ci-joint|pièce jointe|en pièces jointes|adjunt[oa]|in allegato|bijlage|bijgevoegd)\b`)
	placeholder  = lazyregexp.Of(`(?i)\[(your|my|insert|recipient|name|first name|company|date|position|title|contact|phone|link)\b[^\]\n]{0,40}\]([^(]|$)`)
)

// remark adds warnings about parts that the user may have forgotten.
func (l *Letter) remark() {
	say := func(what string) { l.Warnings = append(l.Warnings, what) }
	files := len(l.Message.Attachments)
	if strings.TrimSpace(l.Message.Subject) == "" {
		say("there is no subject")
	}
	if strings.TrimSpace(l.words) == "" && files == 0 && l.Kind != "forward" {
		say("there is no text")
	}
	if files == 0 && speaksOfFile().MatchString(l.words) {
		say("the text speaks of an attachment, and none is attached")
	}
	if left := placeholder().FindString(l.words); left != "" {
		say("a placeholder is left in the text: " + strings.TrimSpace(left))
	}
}
