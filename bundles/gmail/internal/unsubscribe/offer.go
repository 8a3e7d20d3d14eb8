package unsubscribe

import (
	"net/mail"
	"net/url"
	"strings"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
)

// These limit the untrusted headers of a message.
const (
	maxOffers      = 8    // addresses in List-Unsubscribe
	maxURI         = 4000 // bytes of one address
	maxMailBody    = 2000 // bytes of the unsubscribe mail
	maxMailSubject = 500  // bytes of its subject
)

// parseListUnsubscribe returns the addresses in a List-Unsubscribe field: URIs in angle
// brackets, with commas and comments between them (RFC 2369).
func parseListUnsubscribe(value string) []string {
	var uris []string
	for len(uris) < maxOffers {
		_, rest, ok := strings.Cut(value, "<")
		if !ok {
			break
		}
		uri, after, ok := strings.Cut(rest, ">")
		if !ok {
			break
		}
		value = after
		uri = strings.Join(strings.Fields(uri), "") // white space comes from header folding
		isInvalid := strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '<' || r == '"' })
		if uri != "" && len(uri) <= maxURI && !isInvalid { // RFC 3986 requires these to be escaped
			uris = append(uris, uri)
		}
	}
	return uris
}

// hostForm matches the host of a URL: a name or an IP address, with or without a port.
var hostForm = lazyregexp.New(`^([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])(:[0-9]+)?$`)

// parseLink returns a web address, or nil for anything else. It also returns nil for an
// address with a user name or a password.
func parseLink(uri string) *url.URL {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !hostForm().MatchString(u.Host) || u.User != nil || u.Opaque != "" {
		return nil
	}
	u.Fragment, u.RawFragment = "", ""
	return u
}

// parseMailto returns the mail that a mailto URI describes (RFC 6068): one address,
// the subject and the body. The default body is "unsubscribe". parseMailto ignores other
// fields, such as cc. It returns nil if the URI does not describe a valid mail.
func parseMailto(uri string) *mailmsg.Message {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || !strings.EqualFold(scheme, "mailto") {
		return nil
	}
	path, query, _ := strings.Cut(rest, "?")
	query, _, _ = strings.Cut(query, "#")
	to, err := url.PathUnescape(path)
	if err != nil {
		return nil
	}
	m := &mailmsg.Message{}
	for _, field := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		name, escaped, _ := strings.Cut(field, "=")
		value, err := url.PathUnescape(escaped) // not form encoding: a plus stays a plus
		if err != nil {
			return nil
		}
		switch strings.ToLower(name) {
		case "to":
			if to != "" {
				return nil
			}
			to = value
		case "subject":
			m.Subject = value
		case "body":
			m.Text = value
		}
	}
	address, err := mailmsg.ParseAddress(to)
	if err != nil || len(m.Subject) > maxMailSubject || len(m.Text) > maxMailBody || !mailmsg.IsLine(m.Subject) || !arguments.IsText(m.Text) {
		return nil
	}
	m.To = []*mail.Address{address}
	if m.Text == "" {
		m.Text = "unsubscribe" // the list's server may reject a mail without text
	}
	if _, err := m.Bytes(nil); err != nil {
		return nil
	}
	return m
}
