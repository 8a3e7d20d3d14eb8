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
// KOTA composes the mail again or adds the outbox header, or if Gmail rewrites display
// names or line folds.
func contentDigest(raw []byte) [sha256.Size]byte {
	content := request{}
	if content.read(raw) != nil {
		return sha256.Sum256(raw)
	}
	header := headerOf(raw)
	for i, field := range content.Fields { // keep the name, replace the values
		content.Fields[i] = append([]string{field[0]}, canonicalField(field[0], header)...)
	}
	content.Unknown = unknownContent(raw)
	text, err := json.Marshal(content)
	if err != nil {
		return sha256.Sum256(raw)
	}
	return sha256.Sum256(text)
}

// HexDigest returns contentDigest as hex, as the outbox stores it.
func HexDigest(raw []byte) string {
	content := contentDigest(raw)
	return hex.EncodeToString(content[:])
}

// canonicalField returns the values of a header field in a canonical form. For addresses
// it leaves out the display names.
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

// itemIDPattern matches the ids of outbox items.
var itemIDPattern = lazyregexp.New(`^[a-z2-7]{16}$`)

// unknownContent returns the headers and other content that KOTA does not write itself. It
// omits the outbox header, and the taint header of a draft, which KOTA removes before the
// send.
func unknownContent(raw []byte) []mailmsg.Field {
	return slices.DeleteFunc(mailmsg.UnparsedContent(raw), func(f mailmsg.Field) bool {
		return strings.EqualFold(f.Name, outboxHeader) && itemIDPattern().MatchString(f.Value) ||
			strings.EqualFold(f.Name, taintHeader) && f.Value == taintValue
	})
}

// addressesIn returns the addresses in header values, and any text that is not an
// address.
func addressesIn(values ...string) []string {
	return Envelope{To: envelopeIn(mail.Header{"To": values}).To}.addresses()
}

var (
	// recipientHeaders matches the names of headers with further recipients, such as
	// Resent-To.
	recipientHeaders = lazyregexp.New(`(?i)^(resent-(to|cc|bcc)|apparently-to)$`)
	// replyHeaders matches the names of headers with addresses that can get replies,
	// receipts or failure reports, such as Mail-Followup-To and Return-Path.
	replyHeaders = lazyregexp.New(`(?i)(^sender|^return-path|-(to|cc|bcc|from|sender|by))$`)
)

// addressesInUnknown returns the addresses in headers that KOTA does not write. The mail
// itself goes to recipients. Replies and receipts go to replyTo.
func addressesInUnknown(unknown []mailmsg.Field) (recipients, replyTo []string) {
	for _, f := range unknown {
		switch {
		case recipientHeaders().MatchString(f.Name):
			recipients = append(recipients, addressesIn(f.Value)...)
		case replyHeaders().MatchString(f.Name):
			replyTo = append(replyTo, addressesIn(f.Value)...)
		}
	}
	return recipients, replyTo
}
