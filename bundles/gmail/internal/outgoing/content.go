package outgoing

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
)

// contentDigest returns a digest of the content of a mail. The digest stays the same if
// the mail is composed again, gets the outbox's mark, or if Gmail changes names and line
// folds.
func contentDigest(raw []byte) [sha256.Size]byte {
	content := request{}
	if content.read(raw) != nil {
		return sha256.Sum256(raw)
	}
	header := headerOf(raw)
	for i, field := range content.Fields {
		content.Fields[i] = append(field[:1:1], canonicalField(field[0], header)...)
	}
	content.Unknown = unknownHeaders(raw)
	text, err := json.Marshal(content)
	if err != nil {
		return sha256.Sum256(raw)
	}
	return sha256.Sum256(text)
}

// Digest returns contentDigest in the stored form.
func Digest(raw []byte) string {
	content := contentDigest(raw)
	return hex.EncodeToString(content[:])
}

// canonicalField returns the meaning of a header field, independent of its encoding.
func canonicalField(name string, header mail.Header) []string {
	switch name {
	case "Subject":
		return []string{mailmsg.DecodeWords(header.Get(name))}
	case "In-Reply-To":
		return header[name]
	}
	list, rest := mailmsg.ParseAddressList(strings.Join(header[name], ", "))
	for _, a := range list {
		rest = append(rest, mailmsg.Canonical(a.Address))
	}
	return rest
}

// itemID matches the ids of the outbox.
var itemID = lazyregexp.New(`^[a-z2-7]{16}$`)

// unknownHeaders returns the header fields that KOTA does not write itself. It omits the
// outbox's mark, and the mark of a draft, which is removed before the send.
func unknownHeaders(raw []byte) []mailmsg.Field {
	return slices.DeleteFunc(mailmsg.UnparsedContent(raw), func(f mailmsg.Field) bool {
		return strings.EqualFold(f.Name, outboxHeader) && itemID().MatchString(f.Value) ||
			strings.EqualFold(f.Name, taintHeader) && f.Value == taintValue
	})
}

// addressesIn returns the addresses in header values, and any text that is not an
// address.
func addressesIn(values ...string) []string {
	return Envelope{To: envelopeIn(mail.Header{"To": values}).To}.addresses()
}

var (
	recipientHeaders = lazyregexp.New(`(?i)^(resent-(to|cc|bcc)|apparently-to)$`)
	replyHeaders     = lazyregexp.New(`(?i)(^sender|^return-path|-(to|cc|bcc|from|sender|by))$`)
)

// addressesInUnknown returns the addresses in unknown headers: people are those that the
// mail reaches, answers are those that should get replies and receipts.
func addressesInUnknown(unknown []mailmsg.Field) (people, answers []string) {
	for _, f := range unknown {
		switch {
		case recipientHeaders().MatchString(f.Name):
			people = append(people, addressesIn(f.Value)...)
		case replyHeaders().MatchString(f.Name):
			answers = append(answers, addressesIn(f.Value)...)
		}
	}
	return people, answers
}
