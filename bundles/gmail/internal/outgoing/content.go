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

// contentOf returns a digest of what a mail says, the same after composing it again, the
// outbox's mark, and Gmail's changes of names and folds.
func contentOf(raw []byte) [sha256.Size]byte {
	content := asked{}
	if content.read(raw) != nil {
		return sha256.Sum256(raw)
	}
	header := headerOf(raw)
	for i, field := range content.Fields {
		content.Fields[i] = append(field[:1:1], canonicalField(field[0], header)...)
	}
	content.Unknown = unknownIn(raw)
	text, err := json.Marshal(content)
	if err != nil {
		return sha256.Sum256(raw)
	}
	return sha256.Sum256(text)
}

// Digest is contentOf as it is kept.
func Digest(raw []byte) string {
	content := contentOf(raw)
	return hex.EncodeToString(content[:])
}

// canonicalField is what a field of a mail says, however it is written.
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

// letterID is the form of the ids that the outbox gives.
var letterID = lazyregexp.Of(`^[a-z2-7]{16}$`)

// unknownIn returns what leaves with a mail and is no part of what KOTA writes. The
// mark of the outbox is, and so is the mark of a draft, which goes before the send.
func unknownIn(raw []byte) []mailmsg.Field {
	return slices.DeleteFunc(mailmsg.Unknown(raw), func(f mailmsg.Field) bool {
		return strings.EqualFold(f.Name, outboxHeader) && letterID().MatchString(f.Value) ||
			strings.EqualFold(f.Name, wordsHeader) && f.Value == mixedWords
	})
}

// addressesIn are the addresses in values of a header, and what else stands there.
func addressesIn(values ...string) []string {
	return Envelope{To: envelopeIn(mail.Header{"To": values}).To}.addresses()
}

var (
	namesReached  = lazyregexp.Of(`(?i)^(resent-(to|cc|bcc)|apparently-to)$`)
	namesAnswered = lazyregexp.Of(`(?i)(^sender|^return-path|-(to|cc|bcc|from|sender|by))$`)
)

// reachedBy returns the addresses that unknown headers name: those that a mail goes
// to, and those that answers and receipts are asked for to.
func reachedBy(unknown []mailmsg.Field) (people, answers []string) {
	for _, f := range unknown {
		switch {
		case namesReached().MatchString(f.Name):
			people = append(people, addressesIn(f.Value)...)
		case namesAnswered().MatchString(f.Name):
			answers = append(answers, addressesIn(f.Value)...)
		}
	}
	return people, answers
}
