package policy

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Recipients lists the allowed recipients. An entry is Everybody, Known, or an address, a
// domain or all subdomains of a domain as ParseRecipient returns them. Nil means that the
// list is unset. An empty list allows no recipient. A list with Known refuses nobody: KOTA
// asks the user about people who are neither known nor listed.
type Recipients []string

// Everybody is the list entry that admits all recipients.
const Everybody = "everybody"

// Known is the list entry for people that the user wrote to before the conversation.
const Known = "known"

// ParseRecipient returns a list entry in its normalized form. "Ann@Example.com" means the
// address ann@example.com, "example.com" means every address at exactly this domain, and
// "*.example.com" means every address at a subdomain. It reports false for any other text.
func ParseRecipient(entry string) (string, bool) {
	local, domain, isAddress := splitAddress(entry)
	subdomains := false
	if !isAddress {
		domain, subdomains = strings.CutPrefix(domain, "*.")
	}
	host, ok := asciiDomain(domain)
	switch {
	case !ok || !strings.Contains(host, "."):
		return "", false
	case subdomains:
		return "*." + host, true
	case !isAddress:
		return host, true
	case local == "" || strings.ContainsFunc(local, isForbiddenRune):
		return "", false
	}
	return lowerASCII(local) + "@" + host, true
}

// addressOf returns an address in its normalized form. It reports false if person is not
// an address.
func addressOf(person string) (string, bool) {
	address, ok := ParseRecipient(person)
	return address, ok && strings.Contains(address, "@")
}

// isForbiddenRune reports whether a character is forbidden before the @ of an address. An
// address with such a character could be read as several addresses.
func isForbiddenRune(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`@*",;:<>()[]\`, r)
}

// Admit reports whether the person is an allowed recipient, perhaps after a question. A
// person is an address, or the host of a request without an address.
func (list Recipients) Admit(person string) bool {
	return list == nil || list.asksUnlisted() || list.contains(person)
}

// asksUnlisted reports whether the user is asked about people who are not on the list.
func (list Recipients) asksUnlisted() bool { return slices.Contains(list, Known) }

// contains reports whether the person is listed, without regard to Known.
func (list Recipients) contains(person string) bool {
	if slices.Contains(list, Everybody) {
		return true
	}
	local, domain, isAddress := splitAddress(person)
	host, ok := asciiDomain(domain)
	if !ok || strings.ContainsFunc(local, isForbiddenRune) {
		return false
	}
	return slices.ContainsFunc(list, func(entry string) bool {
		if suffix, ok := strings.CutPrefix(entry, "*"); ok {
			return strings.HasSuffix(host, suffix)
		}
		return entry == host || isAddress && entry == lowerASCII(local)+"@"+host
	})
}

// splitAddress cuts an address at its last @, because the part before it may contain one.
func splitAddress(address string) (local, domain string, isAddress bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", address, false
	}
	return address[:at], address[at+1:], true
}

// asciiDomain returns a domain in the form for a lookup: ASCII, lower case.
func asciiDomain(domain string) (string, bool) {
	host, err := idna.Lookup.ToASCII(strings.TrimSuffix(domain, "."))
	return strings.ToLower(host), err == nil && host != ""
}

// lowerASCII returns the part before an @ in its normalized form. It changes only ASCII
// letters: some other letters have an ASCII letter as their lower case.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
