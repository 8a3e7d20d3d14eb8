package mailbody

import (
	"bytes"
	"encoding/base64"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
)

// decodeData decodes the data of a part: base64 in the URL or the standard alphabet, with
// or without padding. It skips other characters, and adds a note unless they are spaces or
// line breaks.
func (r *bodyReader) decodeData(data string) []byte {
	if maxEncoded := base64.RawURLEncoding.EncodedLen(r.bytesLeft); len(data) > maxEncoded {
		data = data[:maxEncoded]
		r.note("the text is longer than %d MB; the rest was not read", maxBodyBytes>>20)
	}
	clean := make([]byte, 0, len(data))
	garbage := 0
	for i := range len(data) {
		switch c := data[i]; {
		case c == '+':
			clean = append(clean, '-')
		case c == '/':
			clean = append(clean, '_')
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			clean = append(clean, c)
		case c != '=' && c != '\r' && c != '\n' && c != ' ':
			garbage++
		}
	}
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
		garbage++
	}
	if garbage > 0 {
		r.note("the text was damaged in transit; parts may be missing or wrong")
	}
	decoded := make([]byte, base64.RawURLEncoding.DecodedLen(len(clean)))
	n, _ := base64.RawURLEncoding.Decode(decoded, clean) // only characters of the alphabet are left
	r.bytesLeft -= n
	return decoded[:n]
}

// toUTF8 returns content as UTF-8. name is the declared charset. Gmail converts most texts
// to UTF-8 without changing the header. The declared charset therefore counts only if the
// content is not valid UTF-8, or has the escape sequences of ISO-2022.
func (r *bodyReader) toUTF8(content []byte, name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	hasEscapes := strings.HasPrefix(name, "iso-2022-") && (bytes.Contains(content, []byte("\x1b$")) || bytes.Contains(content, []byte("\x1b(")))
	if utf8.Valid(content) && !hasEscapes {
		return string(content)
	}
	if name == "utf-8" || name == "utf8" {
		r.note("the text is not valid UTF-8; invalid bytes are shown as U+FFFD")
		return string(bytes.ToValidUTF8(content, []byte("\uFFFD")))
	}
	charset := charsetOf(name)
	if charset == nil {
		if name != "" && name != "us-ascii" && name != "ascii" {
			r.note("the charset %s is unknown; the text was read as windows-1252", htmltext.Line(name))
		} else {
			r.note("the charset is not declared; the text was read as windows-1252")
		}
		charset = charmap.Windows1252
	}
	decoded, err := charset.NewDecoder().Bytes(content)
	if err != nil {
		return string(bytes.ToValidUTF8(content, []byte("\uFFFD")))
	}
	return string(decoded)
}

// charsetOf returns the charset with that name, as mail or the web uses it. It returns nil
// for ASCII and for an unknown name.
func charsetOf(name string) encoding.Encoding {
	if name == "" || name == "us-ascii" || name == "ascii" || len(name) > 64 {
		return nil
	}
	if found, err := htmlindex.Get(name); err == nil && found != encoding.Replacement {
		return found
	}
	if found, err := ianaindex.MIME.Encoding(name); err == nil && found != nil {
		return found
	}
	return nil
}

// TextOfPart returns the content of a message part as UTF-8.
func TextOfPart(part *gmailapi.MessagePart, content []byte) string {
	_, params, _ := mime.ParseMediaType(Header(part, "Content-Type"))
	return (&bodyReader{}).toUTF8(content, params["charset"])
}
