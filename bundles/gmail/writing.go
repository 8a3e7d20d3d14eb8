package gmail

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/mail"
	"slices"

	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
)

// A writing is the checked arguments of a writeIn.
type writing struct {
	in    writeIn
	from  *mail.Address // nil: the identity that fits
	files []attachment.Enclosure
}

// newWriting checks the arguments, and reads the files that are to be attached:
// nothing is asked of Google while one of them is missing.
func newWriting(folders attachment.Folders, p *mailbox.Problems, in writeIn) writing {
	w := writing{in: in, from: p.Address("from", in.From)}
	p.Text("body", in.Body)
	p.Text("html", in.HTML)
	p.Line("idempotency_key", in.Key, mostOfKey)
	w.files = attachment.Enclosures(folders, p, "attachments", in.Attachments)
	return w
}

// sameness is what makes two calls the same that are composed anew each time:
// their arguments, with the content of the files.
func (w writing) sameness(in any) ([]byte, error) {
	asked := struct {
		Args  any
		Files [][sha256.Size]byte
	}{Args: in}
	for _, e := range w.files {
		asked.Files = append(asked.Files, sha256.Sum256(e.File.Content))
	}
	return json.Marshal(asked)
}

// check answers TOO_LARGE for what Gmail would not take, before anything is
// asked of it.
func (w writing) check() error {
	total := int64(len(w.in.Body) + len(w.in.HTML))
	for _, e := range w.files {
		total += e.Size
	}
	return mailbox.CheckSize(total)
}

// composeLetter completes a letter: the words with their signature and below them
// what is quoted, the attachments, who it is from. Then it sends or saves it.
func composeLetter(ctx context.Context, m *outgoing.Sender, l *letter, w writing, who mailbox.Identities, from mailbox.Identity, quoted mailbody.Words) (sentOut, error) {
	if w.from != nil {
		chosen, err := who.Choose(w.from)
		if err != nil {
			return sentOut{}, err
		}
		from = chosen
	}
	files, err := attachment.FetchEnclosures(ctx, m.Mailbox, w.files)
	if err != nil {
		return sentOut{}, err
	}
	l.message.Attachments = slices.Concat(files, l.message.Attachments)
	said := mailbody.NewWords(w.in.Body, w.in.HTML)
	l.words = said.Text
	whole := said.Sign(from.Signature).Add(quoted)
	l.message.Text, l.message.HTML = whole.Text, whole.HTML
	return postLetter(ctx, m, l, from, w.in)
}
