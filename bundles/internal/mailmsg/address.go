package mailmsg

import (
	"errors"
	"mime"
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"kota/bundles/internal/lazyregexp"
)

const (
	maxAddress = 254  // characters, RFC 5321 section 4.5.3.1.3 without the brackets
	maxLocal   = 64   // characters, RFC 5321 section 4.5.3.1.1
	maxElement = 1000 // bytes of an address with its name
)

// ParseAddress parses exactly one address: "ann@example.com" or "Ann
// <ann@example.com>". A domain in another script is returned in ASCII (IDNA
// 2008, UTS 46), so that a look-alike is visible. The part before the @ must be
// ASCII without quotes, because not every server supports anything else
// (SMTPUTF8, RFC 6531). Lists, groups, routes, address literals, comments and
// domains without a dot are refused. The error says what was expected.
func ParseAddress(text string) (*mail.Address, error) {
	const scheme = "mailto:"
	switch {
	case strings.TrimSpace(text) == "":
		return nil, errors.New(`an address such as "ann@example.com"`)
	case len(text) > maxElement:
		return nil, errors.New("one address of at most 254 characters")
	case !IsLine(text):
		return nil, errors.New("an address without control characters or line ends")
	case len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme):
		return nil, errors.New(`an address such as "ann@example.com", not a mailto link`)
	}
	if bare := outsideQuotes(text); strings.ContainsAny(bare, ",;:") {
		return nil, errors.New(`one address per element: give a list as ["a@example.com", "b@example.com"]`)
	} else if strings.ContainsAny(bare, "()[]") {
		return nil, errors.New(`an address such as "Ann <ann@example.com>", without comment or IP address`)
	}
	parsed, err := headerParser.Parse(text)
	if err != nil {
		return nil, errors.New(`one address such as "Ann <ann@example.com>"`)
	}
	if !IsLine(parsed.Name) {
		return nil, errors.New("a name without control characters or line ends")
	}
	address, err := ascii(parsed)
	if err == nil && !strings.Contains(address.Address[strings.LastIndexByte(address.Address, '@'):], ".") {
		return nil, errors.New("an address at a domain such as example.com") // Gmail cannot deliver to a domain without a dot
	}
	return address, err
}

// headerParser parses names in any charset that mail uses.
var headerParser = mail.AddressParser{WordDecoder: &mime.WordDecoder{CharsetReader: anyCharset}}

// ParseAddressList parses an address header of received mail. It returns the
// addresses, and the pieces of value without a valid address.
func ParseAddressList(value string) (list []*mail.Address, rest []string) {
	if strings.TrimSpace(value) == "" {
		return nil, nil
	}
	parsed, err := headerParser.ParseList(value)
	if err != nil {
		parsed, rest = parsePieces(splitList(value))
	}
	for _, a := range parsed {
		address, err := ascii(a)
		if err != nil {
			rest = append(rest, OneLine(a.Address))
			continue
		}
		if address.Name = OneLine(a.Name); len(address.Name) > maxElement {
			address.Name = "" // too long for a name
		}
		list = append(list, address)
	}
	return list, rest
}

// outsideQuotes returns text without its quoted strings.
func outsideQuotes(text string) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case !quoted:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var (
	dotAtom     = lazyregexp.New("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	idnaProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(true), idna.BidiRule(), idna.VerifyDNSLength(true))
)

// ascii returns the address with its domain in ASCII. The error says what was
// expected.
func ascii(a *mail.Address) (*mail.Address, error) {
	at := strings.LastIndexByte(a.Address, '@')
	local, domain := a.Address[:max(at, 0)], a.Address[at+1:]
	if len(local) > maxLocal {
		return nil, errors.New("an address with at most 64 characters before the @")
	}
	if !dotAtom().MatchString(local) {
		return nil, errors.New("an address of plain letters and digits before the @, without quotes or accents")
	}
	host, err := idnaProfile.ToASCII(domain)
	if err != nil || host == "" {
		return nil, errors.New("an address at a domain such as example.com")
	}
	if len(local)+1+len(host) > maxAddress {
		return nil, errors.New("an address of at most 254 characters")
	}
	return &mail.Address{Name: a.Name, Address: local + "@" + host}, nil
}

// isAddress reports whether an address can be in a header unchanged.
func isAddress(address string) bool {
	_, err := ascii(&mail.Address{Address: address})
	return err == nil && !strings.ContainsFunc(address, func(r rune) bool { return r > unicode.MaxASCII })
}

// Format returns the address in its header form, in ASCII.
func Format(a *mail.Address) string {
	switch {
	case a.Name == "":
		return a.Address
	case needsEncoding(a.Name):
		return strings.Join(encodedWords(a.Name), " ") + " <" + a.Address + ">"
	case strings.ContainsFunc(a.Name, func(r rune) bool { return !isAtom(r) && r != ' ' }):
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a.Name)
		return `"` + quoted + `" <` + a.Address + ">"
	}
	return a.Name + " <" + a.Address + ">"
}

func isAtom(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
}

// Canonical returns the form for comparing addresses: equal forms mean the same
// mailbox. It ignores case and the script of the domain.
func Canonical(address string) string {
	at := strings.LastIndexByte(address, '@')
	if host, err := idnaProfile.ToASCII(address[at+1:]); err == nil {
		address = address[:at+1] + host
	}
	return strings.ToLower(address)
}

// OwnerKey returns a form that is equal for addresses of the same owner. It is
// Canonical without the part after a plus, and at Gmail without dots, which Gmail
// ignores. It serves to find the user's own addresses; two recipients may
// differ only in these parts.
func OwnerKey(address string) string {
	local, domain, _ := strings.Cut(Canonical(address), "@")
	local, _, _ = strings.Cut(local, "+")
	if domain == "googlemail.com" {
		domain = "gmail.com"
	}
	if domain == "gmail.com" {
		local = strings.ReplaceAll(local, ".", "")
	}
	return local + "@" + domain
}
