package mailmsg

import (
	"strings"

	"kota/bundles/internal/lazyregexp"
)

var (
	messageID     = lazyregexp.New(`<[!-;=?-~]{1,900}>`) // printable ASCII except angle brackets
	replyPrefix   = lazyregexp.New(`(?i)^\s*(re|aw|sv|vs|antw|odp|回复|回覆|答复)\s*(\[\d+\]|\(\d+\))?\s*[:\x{FF1A}]`)
	forwardPrefix = lazyregexp.New(`(?i)^\s*(fwd?|wg|tr|rv|doorst|转发|轉寄)\s*(\[\d+\]|\(\d+\))?\s*[:\x{FF1A}]`)
)

// OneLine returns a text of received mail in a form for the headers of new mail.
// It is on one line, with single spaces and without characters that change its
// direction.
func OneLine(text string) string { return strings.Join(strings.Fields(onOneLine(text)), " ") }

// onOneLine is OneLine with all spaces kept.
func onOneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case breaksLine(r):
			return ' '
		case changesDirection(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n"))
}

// ReplySubject returns the subject of a reply: "Re: " and the subject. A
// subject that already has a reply prefix, such as "AW:", stays unchanged.
func ReplySubject(subject string) string {
	subject = OneLine(subject)
	if replyPrefix().MatchString(subject) {
		return subject
	}
	return strings.TrimSpace("Re: " + subject)
}

// ForwardSubject returns the subject of a forwarded mail: "Fwd: " and the
// subject. A subject that already has a forward prefix, such as "WG:", stays
// unchanged.
func ForwardSubject(subject string) string {
	subject = OneLine(subject)
	if forwardPrefix().MatchString(subject) {
		return subject
	}
	return strings.TrimSpace("Fwd: " + subject)
}

// SameTopic reports whether two subjects differ only in their prefixes, case
// and spaces. Gmail keeps a thread together only under one subject.
func SameTopic(a, b string) bool { return strings.EqualFold(topic(a), topic(b)) }

// HasNoPrefix reports whether a subject has none of the known reply and forward
// prefixes.
func HasNoPrefix(subject string) bool { return topic(subject) == OneLine(subject) }

// topic returns the subject without its reply and forward prefixes.
func topic(subject string) string {
	subject = OneLine(subject)
	for {
		cut := replyPrefix().FindString(subject)
		if cut == "" {
			cut = forwardPrefix().FindString(subject)
		}
		if cut == "" {
			return subject
		}
		subject = strings.TrimSpace(subject[len(cut):])
	}
}

// maxReferences is the limit for the References header in bytes. A longer
// history keeps its first and its newest ids, as RFC 5537 section 3.4.4
// advises.
const maxReferences = 8 << 10

// References returns the References of a reply to a mail with these headers
// (RFC 5322 section 3.6.4). The result is the References of that mail, and then
// its Message-ID. If that mail has no References, the id in its In-Reply-To is
// used, unless there are several. Invalid ids are left out. If the result would
// be too long, it has only the first and the newest ids: see maxReferences.
func References(references, inReplyTo, id string) []string {
	ids := messageID().FindAllString(references, -1)
	if len(ids) == 0 {
		if ids = messageID().FindAllString(inReplyTo, -1); len(ids) > 1 {
			ids = nil
		}
	}
	if own := MessageID(id); own != "" {
		ids = append(ids, own)
	}
	if len(ids) == 0 {
		return nil
	}
	size, newest := len(ids[0]), len(ids)
	for newest > 1 && size+1+len(ids[newest-1]) <= maxReferences {
		newest--
		size += 1 + len(ids[newest])
	}
	return append(ids[:1:1], ids[newest:]...)
}

// MessageID returns the first message id in a header's value with its angle
// brackets, or "".
func MessageID(value string) string { return messageID().FindString(value) }

func isMessageID(id string) bool { return messageID().FindString(id) == id && id != "" }
