package policy

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Recipients are who may be reached: addresses, domains, and domains with all
// below them, each as ParseRecipient returns it, or Everybody alone. Nil says
// nothing of it, an empty list lets nobody be reached. A list with Known keeps
// nobody out: the user is asked about whoever is neither known nor listed.
type Recipients []string

// Everybody is the entry of a list that admits all.
const Everybody = "everybody"

// Known is the entry of a list for people whom the user wrote to before the
// conversation.
const Known = "known"

// ParseRecipient returns an entry of a list in the form in which it is compared:
// "Ann@Example.com" is the address ann@example.com, "example.com" every address
// at just that domain, "*.example.com" every one at a domain below it. It reports
// false for what is none of these.
func ParseRecipient(entry string) (string, bool) {
	local, domain, isAddress := cutLast(entry)
	below := false
	if !isAddress {
		domain, below = strings.CutPrefix(domain, "*.")
	}
	host, ok := asciiDomain(domain)
	switch {
	case !ok || !strings.Contains(host, "."):
		return "", false
	case below:
		return "*." + host, true
	case !isAddress:
		return host, true
	case local == "" || strings.ContainsFunc(local, odd):
		return "", false
	}
	return lowerASCII(local) + "@" + host, true
}

// addressOf returns an address in the form in which addresses are compared. It
// reports false if person is not an address.
func addressOf(person string) (string, bool) {
	address, ok := ParseRecipient(person)
	return address, ok && strings.Contains(address, "@")
}

// odd reports whether a character does not belong before the @ of an address as
// it is written on lists. An address that has one may be read as several.
func odd(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`@*",;:<>()[]\`, r)
}

// Admit reports whether that person may be reached: an address, or the host that
// is asked where there is none. What is neither is on no list.
func (list Recipients) Admit(person string) bool {
	return list == nil || list.asks() || list.names(person)
}

// asks reports whether the user is asked about people who are not on the list.
func (list Recipients) asks() bool { return slices.Contains(list, Known) }

// names reports whether the list has that person.
func (list Recipients) names(person string) bool {
	if slices.Contains(list, Everybody) {
		return true
	}
	local, domain, isAddress := cutLast(person)
	host, ok := asciiDomain(domain)
	if !ok || strings.ContainsFunc(local, odd) {
		return false
	}
	return slices.ContainsFunc(list, func(entry string) bool {
		if below, ok := strings.CutPrefix(entry, "*"); ok {
			return strings.HasSuffix(host, below)
		}
		return entry == host || isAddress && entry == lowerASCII(local)+"@"+host
	})
}

// cutLast cuts an address at its last @, for the part before it may have one.
func cutLast(address string) (local, domain string, isAddress bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", address, false
	}
	return address[:at], address[at+1:], true
}

// asciiDomain returns a domain as it is looked up: in ASCII and lower case.
func asciiDomain(domain string) (string, bool) {
	host, err := idna.Lookup.ToASCII(strings.TrimSuffix(domain, "."))
	return strings.ToLower(host), err == nil && host != ""
}

// lowerASCII is the form in which parts before an @ are compared. Other letters
// stay: there are some whose lower case is a letter of ASCII.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
