package gmail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/internal/markdown"
	"kota/bundles/internal/pattern"
	"kota/bundles/internal/readable"
	"kota/bundles/internal/rfc5322"
	"kota/metadata"
	"kota/store"
)

// mayLeave asks whether a mail may leave, as it will: a draft as it stands now,
// and what an earlier call has begun with in its bytes. It returns what tells the
// content that was agreed to, "" where there is nothing that could leave.
func (m *mailbox) mayLeave(ctx context.Context, box *store.Outbox, known store.Letter, out outgoing) (content string, err error) {
	raw := out.Raw
	switch {
	case out.DraftID != "":
		draft, err := m.fetchDraft(ctx, out.DraftID)
		if metadata.CodeOf(err) == metadata.NotFound {
			return "", nil // it was sent before, or never was
		}
		if err != nil {
			return "", err
		}
		raw = draft.Raw
	case known.ID != "":
		if raw, err = box.Raw(ctx, known.ID); err != nil {
			return "", err
		}
	}
	leaving := leavingOf(raw, m.own(ctx)...)
	leaving.Mixed = isUnapproved(raw)
	content = hex.EncodeToString(leaving.Digest[:])
	leaving.Begun = known.ID != "" && known.Status != store.LetterFailed && (known.Own || envelopeOf(known).Content == content)
	return content, bundles.MaySend(ctx, leaving)
}

// own are the user's addresses: those to send from, and where the user has answers
// to them sent. Where they cannot be read it is the account's alone.
func (m *mailbox) own(ctx context.Context) []string {
	own := []string{m.account.Address}
	list, err := m.identities(ctx)
	if err != nil {
		return own
	}
	for _, one := range list {
		own = append(own, one.address.Address)
		if one.replyTo != nil {
			own = append(own, one.replyTo.Address)
		}
	}
	return own
}

// leavingOf is a mail as whoever is asked about it sees it, of a user with these
// addresses. What cannot be read is shown as it is.
func leavingOf(raw []byte, own ...string) bundles.Outgoing {
	header := headerOf(raw)
	about := envelopeIn(header)
	out := bundles.Outgoing{What: "mail", People: about.addresses(), Digest: contentOf(raw)}
	answers := envelope{To: envelopeIn(mail.Header{"To": header["Reply-To"]}).To}
	for _, one := range answers.addresses() {
		if !slices.ContainsFunc(own, func(mine string) bool { return rfc5322.Canonical(mine) == rfc5322.Canonical(one) }) {
			out.Answers = append(out.Answers, one)
		}
	}
	add := func(name, text string) {
		if text != "" {
			out.Lines = append(out.Lines, bundles.Line{Name: name, Text: text})
		}
	}
	add("From", about.From)
	add("To", strings.Join(about.To, ", "))
	add("Cc", strings.Join(about.Cc, ", "))
	add("Bcc", strings.Join(about.Bcc, ", "))
	add("Answers to", strings.Join(header["Reply-To"], ", "))
	add("Subject", rfc5322.DecodeWords(header.Get("Subject")))
	message, _, err := rfc5322.Parse(raw)
	if err != nil {
		add("Source", strings.ReplaceAll(string(raw), "\r\n", "\n"))
		return out
	}
	for _, file := range message.Attachments {
		add("Attached", inWords(file))
	}
	for _, file := range message.Inline {
		add("In the text", inWords(file))
	}
	add("Text", message.Text)
	out.Lines = append(out.Lines, linesOfHTML(message.HTML, message.Text)...)
	for _, file := range slices.Concat(message.Attachments, message.Inline) {
		switch content := string(file.Content); {
		case file.Name != "": // whoever gets it opens it as a file
		case strings.HasPrefix(file.Type, "text/html"):
			out.Lines = append(out.Lines, linesOfHTML(content, "")...)
		case strings.HasPrefix(file.Type, "text/"):
			add("Text", content)
		}
	}
	return out
}

// linesOfHTML show the HTML of what may leave beside its text: as people see it
// where that is not what the text says, and its source where that is not all of
// it, so that nothing leaves unseen.
func linesOfHTML(html, text string) (lines []bundles.Line) {
	if html == "" {
		return nil
	}
	seen, whole := readable.Whole([]byte(html))
	if seen.Markdown != "" && !says(text, seen.Markdown) {
		lines = append(lines, bundles.Line{Name: "As HTML", Text: seen.Markdown})
	}
	if !whole || !sameBlanks(text, html) {
		lines = append(lines, bundles.Line{Name: "HTML source", Text: html})
	}
	return lines
}

// inWords names a file with its type and size.
func inWords(file rfc5322.File) string {
	return fmt.Sprintf("%s (%s, %d bytes)", file.Name, file.Type, len(file.Content))
}

// says reports whether a text is what is shown of HTML: as it stands, or as it
// would be shown if the HTML were made of it. What is laid out otherwise, by white
// space, marks of quotes and what keeps a mark from being one, is the same.
func says(text, shown string) bool {
	shown = unmarked(shown)
	return unmarked(text) == shown || unmarked(textOfHTML(markdown.HTML(text))) == shown || unmarked(textOfHTML(markdown.Plain(text))) == shown
}

var (
	quoteMarks = pattern.Of(`(?m)^[> \t]+`)
	escapes    = pattern.Of("\\\\([!-/:-@\\[-`{-~])")
)

// unmarked is a text without its layout.
func unmarked(text string) string {
	text = escapes().ReplaceAllString(quoteMarks().ReplaceAllString(text, ""), "$1")
	return strings.Join(strings.Fields(text), " ")
}

// contentOf tells a mail from any other, however often it is composed, marked by
// the outbox or stored anew by Gmail, which changes names and folds.
func contentOf(raw []byte) [sha256.Size]byte {
	content := asked{}
	if content.read(raw) != nil {
		return sha256.Sum256(raw)
	}
	header := headerOf(raw)
	for i, field := range content.Fields {
		content.Fields[i] = append(field[:1:1], canonicalField(field[0], header)...)
	}
	text, err := json.Marshal(content)
	if err != nil {
		return sha256.Sum256(raw)
	}
	return sha256.Sum256(text)
}

// digestOf is contentOf as it is kept.
func digestOf(raw []byte) string {
	content := contentOf(raw)
	return hex.EncodeToString(content[:])
}

// canonicalField is what a field of a mail says, however it is written.
func canonicalField(name string, header mail.Header) []string {
	switch name {
	case "Subject":
		return []string{rfc5322.DecodeHeader(header.Get(name))}
	case "In-Reply-To":
		return header[name]
	}
	list, rest := rfc5322.ParseAddressList(strings.Join(header[name], ", "))
	for _, a := range list {
		rest = append(rest, rfc5322.Canonical(a.Address))
	}
	return rest
}
