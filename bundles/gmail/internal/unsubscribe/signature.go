package unsubscribe

import (
	"slices"
	"strings"
)

// oneClickSigner returns the domain whose valid DKIM signature covers the one-click
// offer, as RFC 8058 section 4 requires. If there is none, it returns "" and the reason. h
// maps lower-case names of headers to their values.
//
// It takes the validity from the topmost Authentication-Results field, if that field is
// Gmail's. The domain of the result must be the signature's or below it. The selector
// and the beginning of the signature must agree as far as the result names them.
// oneClickSigner does not verify the signature itself.
func oneClickSigner(h map[string][]string) (domain, reason string) {
	switch {
	case len(h["list-unsubscribe"]) == 0:
		return "", "the message does not offer it"
	case len(h["list-unsubscribe-post"]) == 0:
		return "", "the sender does not offer it"
	case len(h["list-unsubscribe"]) > 1 || len(h["list-unsubscribe-post"]) > 1:
		return "", "the message offers it more than once" // a signature covers only one of them
	case !isOneClick(h["list-unsubscribe-post"][0]):
		return "", "the sender does not offer it"
	}
	passed := passedSignatures(first(h["authentication-results"]))
	isCovered := false
	for _, field := range h["dkim-signature"] {
		tags := parseTags(field)
		names := strings.Split(asciiLower(withoutSpace(tags["h"])), ":")
		if !slices.Contains(names, "list-unsubscribe") || !slices.Contains(names, "list-unsubscribe-post") {
			continue
		}
		isCovered = true
		domain := asciiLower(withoutSpace(tags["d"]))
		if slices.ContainsFunc(passed, func(r signatureResult) bool {
			return r.matches(domain, withoutSpace(tags["s"]), withoutSpace(tags["b"]))
		}) {
			return domain, ""
		}
	}
	if isCovered {
		return "", "Gmail did not confirm the signature of the one-click offer"
	}
	return "", "no signature covers the one-click offer"
}

// isOneClick reports whether a List-Unsubscribe-Post field offers one-click.
func isOneClick(value string) bool {
	return strings.EqualFold(withoutSpace(value), "List-Unsubscribe=One-Click")
}

// A signatureResult is a valid signature in Authentication-Results. A field is "" if the
// result does not name it.
type signatureResult struct{ domain, selector, valuePrefix string }

// matches reports whether the result belongs to that domain, selector and signature value.
func (r signatureResult) matches(domain, selector, value string) bool {
	return domain != "" && (r.domain == domain || strings.HasSuffix(r.domain, "."+domain)) &&
		(r.selector == "" || r.selector == selector) && strings.HasPrefix(value, r.valuePrefix)
}

// passedSignatures returns the DKIM signatures that passed, from an
// Authentication-Results field (RFC 8601).
func passedSignatures(field string) []signatureResult {
	field, ok := withoutComments(field)
	if !ok {
		return nil
	}
	server, results, _ := strings.Cut(field, ";")
	if words := strings.Fields(server); len(words) == 0 || asciiLower(words[0]) != "mx.google.com" {
		return nil
	}
	var passed []signatureResult
	for _, result := range strings.Split(results, ";") {
		words := strings.Fields(result)
		if len(words) == 0 || asciiLower(words[0]) != "dkim=pass" {
			continue
		}
		r := signatureResult{}
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			switch asciiLower(name) {
			case "header.d":
				r.domain = asciiLower(value)
			case "header.i":
				r.domain = asciiLower(value[strings.LastIndex(value, "@")+1:])
			case "header.s":
				r.selector = value
			case "header.b":
				r.valuePrefix = strings.Trim(value, `"`)
			}
		}
		passed = append(passed, r)
	}
	return passed
}

// withoutComments returns a structured field without comments and quoted strings, because
// senders control both. It returns false if a comment or a string is not closed.
func withoutComments(field string) (string, bool) {
	var rest strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == '\\' && (quoted || depth > 0):
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0:
			rest.WriteByte(c)
		}
	}
	return rest.String(), depth == 0 && !quoted
}

// parseTags parses a tag list: name=value, separated by semicolons (RFC 6376).
func parseTags(field string) map[string]string {
	tags := map[string]string{}
	for _, tag := range strings.Split(field, ";") {
		if name, value, ok := strings.Cut(tag, "="); ok {
			tags[strings.TrimSpace(name)] = value
		}
	}
	return tags
}

// withoutSpace removes all white space.
func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// asciiLower lowers only ASCII letters. Unlike strings.ToLower, it never turns another
// letter into an ASCII letter.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
