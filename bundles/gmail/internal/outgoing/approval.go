package outgoing

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/markdown"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// confirmSend asks bundles.ConfirmSend whether a mail may be sent. It shows the exact
// mail: the current state of a draft, the stored bytes of known if known is an earlier
// attempt, or out.Raw. It returns the digest of the shown content as hex, or "" if the
// draft does not exist.
func (s *Sender) confirmSend(ctx context.Context, box persist.OutboxStore, known store.OutboxItem, out Mail) (content string, err error) {
	raw := out.Raw
	switch {
	case out.DraftID != "":
		draft, err := FetchDraft(ctx, s.Mailbox, out.DraftID)
		if metadata.CodeOf(err) == metadata.NotFound {
			return "", nil // it was already sent, or never existed
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
	shown := approvalOf(raw, s.ownAddresses(ctx)...)
	shown.Tainted = IsTainted(raw)
	content = hex.EncodeToString(shown.Digest[:])
	shown.AllowedBefore = known.ID != "" && known.Status != store.OutboxFailed && (known.OwnsDraft || envelopeOf(known).Content == content)
	return content, bundles.ConfirmSend(ctx, shown)
}

// ownAddresses returns the addresses that the user sends from or has set for replies. If
// Gmail's list cannot be read, it returns only the account's address.
func (s *Sender) ownAddresses(ctx context.Context) []string {
	own := []string{s.Account.Address}
	list, err := s.Identities(ctx)
	if err != nil {
		return own
	}
	for _, identity := range list {
		own = append(own, identity.Address.Address)
		if identity.ReplyTo != nil {
			own = append(own, identity.ReplyTo.Address)
		}
	}
	return own
}

// approvalOf returns a mail in the form that its approver sees. For a mail that cannot be
// parsed, it shows the source.
func approvalOf(raw []byte, ownAddresses ...string) bundles.Outgoing {
	header := headerOf(raw)
	about := envelopeIn(header)
	unknown := unknownContent(raw)
	out := bundles.Outgoing{What: "mail", People: about.addresses(), Digest: contentDigest(raw)}
	recipients, replyTo := addressesInUnknown(unknown)
	for _, recipient := range recipients {
		if !slices.Contains(out.People, recipient) {
			out.People = append(out.People, recipient)
		}
	}
	if len(header) == 0 { // Gmail may understand more of the header
		out.People = append(out.People, "the recipients in its header")
	}
	for _, address := range append(addressesIn(header["Reply-To"]...), replyTo...) {
		isOwn := slices.ContainsFunc(ownAddresses, func(own string) bool { return mailmsg.Canonical(own) == mailmsg.Canonical(address) })
		if !isOwn && !slices.Contains(out.ReplyTo, address) && !slices.Contains(recipients, address) {
			out.ReplyTo = append(out.ReplyTo, address)
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
	add("Reply to", strings.Join(header["Reply-To"], ", "))
	add("Subject", cmp.Or(mailmsg.DecodeWords(header.Get("Subject")), "(no subject)"))
	for _, field := range unknown {
		name := field.Name
		if !strings.Contains(name, " ") { // so that no header has the name of one of KOTA's lines
			name = "Header " + name
		}
		add(name, field.Value)
	}
	message, _, err := mailmsg.Parse(raw)
	if err != nil {
		add("Source", strings.ReplaceAll(string(raw), "\r\n", "\n"))
		return out
	}
	for _, file := range message.Attachments {
		add("Attached", describeFile(file))
	}
	for _, file := range message.Inline {
		add("In the text", describeFile(file))
	}
	add("Text", message.Text)
	out.Lines = append(out.Lines, HTMLLines(message.HTML, message.Text)...)
	for _, file := range slices.Concat(message.Attachments, message.Inline) {
		switch content := string(file.Content); {
		case file.Name != "": // recipients open it as a file
		case strings.HasPrefix(file.Type, "text/html"):
			out.Lines = append(out.Lines, HTMLLines(content, "")...)
		case strings.HasPrefix(file.Type, "text/"):
			add("Text", content)
		case strings.HasPrefix(file.Type, "message/"): // many programs show it below the text
			add("Source of an included mail", strings.ReplaceAll(content, "\r\n", "\n"))
		}
	}
	return out
}

// HTMLLines returns the lines that show the HTML of a mail in addition to its text. They
// show the visible content if it differs from the text. They show the source if the HTML
// contains more than its visible content, or other non-ASCII spaces than the text. So
// nothing is sent unseen.
func HTMLLines(html, text string) (lines []bundles.Line) {
	if html == "" {
		return nil
	}
	visible, isComplete := htmltext.HTMLComplete([]byte(html))
	if visible.Markdown != "" && !isSameText(text, visible.Markdown) {
		lines = append(lines, bundles.Line{Name: "As HTML", Text: visible.Markdown})
	}
	if !isComplete || !hasSameSpaces(text, html) {
		lines = append(lines, bundles.Line{Name: "HTML source", Text: html})
	}
	return lines
}

// describeFile returns the name, type and size of a file.
func describeFile(file mailmsg.File) string {
	return fmt.Sprintf("%s (%s, %s)", file.Name, file.Type, metadata.CountOf(len(file.Content), "byte"))
}

// isSameText reports whether a text equals the visible content of HTML: directly, or after
// conversion of the text to HTML. It ignores layout: white space, quote marks and
// Markdown's escapes.
func isSameText(text, visible string) bool {
	visible = withoutLayout(visible)
	return withoutLayout(text) == visible || withoutLayout(mailbody.TextOfHTML(markdown.HTML(text))) == visible || withoutLayout(mailbody.TextOfHTML(markdown.Plain(text))) == visible
}

var (
	quoteMarks = lazyregexp.New(`(?m)^[> \t]+`)
	escapes    = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")
)

// withoutLayout returns a text without its layout.
func withoutLayout(text string) string {
	text = escapes().ReplaceAllString(quoteMarks().ReplaceAllString(text, ""), "$1")
	return strings.Join(strings.Fields(text), " ")
}
