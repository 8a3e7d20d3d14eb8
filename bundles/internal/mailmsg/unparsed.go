package mailmsg

import (
	"bytes"
	"mime"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"

	"github.com/emersion/go-message/charset"

	"kota/bundles/internal/lazyregexp"
)

// UnparsedContent returns the content of a mail that the Message from Parse lacks,
// or has only in Headers:
//   - headers of other programs, and a second header of the same name,
//   - values in another form than KOTA writes, such as a comment on an address,
//   - headers of parts, and text before the first and after the last part,
//   - the whole source, if two programs can see different parts in it.
//
// A header of the mail is returned under its name, and an invalid line of the
// header under "Line". Anything else has a name with a space in it. Ids, dates
// and boundaries in their usual form are left out, and so is what Gmail adds to a
// draft.
func UnparsedContent(raw []byte) []Field {
	var u unparsedCollector
	header, body := splitHeader(raw)
	u.addHeader(header)
	u.addPart(header, body, "the mail", 0)
	if parsed, err := parse(raw); err == nil && parsed.parts != u.parts { // programs read such a mail in two ways
		u.found = append(u.found, Field{Name: "Source of the mail", Value: textOf(raw)})
	}
	return u.found
}

type unparsedCollector struct {
	found []Field
	parts int
}

func (u *unparsedCollector) add(name, value string) {
	u.found = append(u.found, Field{Name: name, Value: DecodeWords(strings.Trim(value, " \t"))})
}

// addHeader checks the header of the mail, without the fields about its content.
func (u *unparsedCollector) addHeader(header []Field) {
	seen := map[string]bool{}
	for _, f := range header {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		isList := slices.Contains([]string{"To", "Cc", "Bcc", "Reply-To"}, name)
		switch again := seen[name]; {
		case strings.HasPrefix(name, "Content-"):
		case again && !isList && name != "Received", !isUsual(name, f.Value):
			u.add(f.Name, f.Value)
		}
		seen[name] = true
	}
}

var (
	singleID      = lazyregexp.New(`^<[!-;=?-~]{1,250}>$`)
	idList        = lazyregexp.New(`^(<[!-;=?-~]{1,250}>\s*)*$`)
	mimeVersion   = lazyregexp.New(`^1\.0(\s*\(Mac OS X Mail [\d.]+ \([\d.]+\)\))?$`)
	gmailReceived = lazyregexp.New(`^from \d{1,20} named unknown by gmailapi\.google\.com with HTTPREST;`)
	zoneName      = lazyregexp.New(` \([A-Z]{1,5}\)$`)
)

// isUsual reports whether UnparsedContent leaves out a mail header: Parse returns
// all of it, or all but an id or a date in its usual form.
func isUsual(name, value string) bool {
	switch name {
	case "From", "To", "Cc", "Bcc", "Reply-To":
		return isShownCompletely(value)
	case "Subject":
		return true
	case "Date":
		return isDate(value)
	case "Message-Id", "In-Reply-To":
		return singleID().MatchString(value)
	case "References":
		return idList().MatchString(value)
	case "Mime-Version":
		return mimeVersion().MatchString(value)
	case "Received":
		_, date, _ := strings.Cut(value, ";")
		return gmailReceived().MatchString(value) && isDate(strings.TrimSpace(date))
	}
	return false
}

func isDate(value string) bool {
	_, err := mail.ParseDate(value)
	return err == nil && !strings.ContainsAny(zoneName().ReplaceAllString(value, ""), "()")
}

// isShownCompletely reports whether a list of addresses contains only the names and
// addresses that ParseAddressList returns: no comments, groups or half
// addresses.
func isShownCompletely(value string) bool {
	list, rest := ParseAddressList(value)
	shown := make([]string, 0, len(list))
	for _, a := range list {
		shown = append(shown, strings.TrimLeft(a.Name+" "+a.Address, " "))
	}
	return len(rest) == 0 && strings.EqualFold(unquoted(strings.Join(shown, ",")), unquoted(DecodeWords(value)))
}

// unquoted returns a list of addresses without quotes and brackets.
func unquoted(list string) string {
	list = strings.NewReplacer(`"`, "", `\`, "", "<", "", ">", "").Replace(list)
	return strings.Trim(commas().ReplaceAllString(list, ","), " \t")
}

var commas = lazyregexp.New(`\s*,\s*`)

// addPart checks a part, and the parts in it. where names the part for people.
func (u *unparsedCollector) addPart(header []Field, body []byte, where string, depth int) {
	if u.parts++; u.parts > maxParts || depth > maxDepth {
		return // Parse refuses such a mail
	}
	kind, boundary, names := "", "", []string{}
	seen := map[string]bool{}
	for _, f := range header {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		if depth == 0 && !strings.HasPrefix(name, "Content-") {
			continue // addHeader checks it
		}
		if seen[name] || !isUsualOfPart(name, f.Value) {
			u.add(f.Name+" of "+where, f.Value)
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		value, params, _ := mime.ParseMediaType(f.Value)
		if name == "Content-Type" {
			kind, boundary = value, params["boundary"]
		}
		if name == "Content-Type" || name == "Content-Disposition" {
			names = append(names, DecodeWords(params["name"]), DecodeWords(params["filename"]))
		}
	}
	names = slices.Compact(slices.DeleteFunc(names, func(name string) bool { return name == "" }))
	if len(names) > 1 || len(names) == 1 && FileName(names[0]) != names[0] {
		u.found = append(u.found, Field{Name: "File name of " + where, Value: strings.Join(names, "\n")})
	}
	if !strings.HasPrefix(kind, "multipart/") || boundary == "" {
		return
	}
	before, parts, after := splitParts(body, boundary)
	u.addOutside("Text before the first part", before)
	for _, part := range parts {
		header, body := splitHeader(part)
		u.addPart(header, body, "a part", depth+1)
	}
	u.addOutside("Text after the last part", after)
}

// addOutside adds text outside of parts.
func (u *unparsedCollector) addOutside(name string, text []byte) {
	if text = bytes.TrimSpace(text); len(text) > 0 {
		u.found = append(u.found, Field{Name: name, Value: textOf(text)})
	}
}

// isUsualOfPart reports whether a part's header contains only its encoding, id,
// type and file name.
func isUsualOfPart(name, value string) bool {
	switch name {
	case "Content-Type", "Content-Disposition":
		kind, params, err := mime.ParseMediaType(value)
		if err != nil || name == "Content-Type" && !shownMediaType().MatchString(kind) || name == "Content-Disposition" && kind != "inline" && kind != "attachment" {
			return false
		}
		for param, value := range params {
			if !isUsualParam(param, value) {
				return false
			}
		}
		return true
	case "Content-Transfer-Encoding":
		return slices.Contains([]string{"7bit", "8bit", "binary", "quoted-printable", "base64"}, strings.ToLower(value))
	case "Content-Id":
		return singleID().MatchString(value)
	case "Mime-Version":
		return mimeVersion().MatchString(value)
	}
	return false
}

// shownMediaType matches the media types of parts that are shown: texts, containers
// of parts, and files, which are shown with their type.
var shownMediaType = lazyregexp.New(`^(text/.+|multipart/(mixed|alternative|related|signed|report)|(application|image|audio|video|font|model|message)/.+)$`)

// isUsualParam reports whether a parameter says how a part is read, or names a file.
func isUsualParam(name, value string) bool {
	switch name {
	case "boundary", "name", "filename":
		return true
	case "charset":
		_, err := charset.Reader(value, strings.NewReader(""))
		return err == nil
	case "format":
		return value == "flowed" || value == "fixed"
	case "delsp":
		return value == "yes" || value == "no"
	case "type":
		return slices.Contains([]string{"text/plain", "text/html", "multipart/alternative", "multipart/mixed"}, strings.ToLower(value))
	}
	return false
}
