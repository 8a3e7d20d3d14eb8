package fakegmail

import (
	"bytes"
	"mime"
	"strconv"
	"strings"
)

// entity is a message or a part of one, as Gmail splits it.
type entity struct {
	id       string // partId: "" for the message, "0", "1.2" for its parts
	fields   []field
	kind     string // media type, in lower case
	filename string
	data     []byte // decoded content of a leaf; text in UTF-8, as Gmail returns it
	parts    []*entity
}

// maxDepth is the maximum depth of parts. Deeper parts are one leaf.
const maxDepth = 100

// parse splits a raw message. It never fails: what it cannot parse becomes
// text.
func parse(raw []byte) *entity { return parseEntity(raw, "", 0) }

func parseEntity(raw []byte, id string, depth int) *entity {
	head, body := splitHead(raw)
	e := &entity{id: id, fields: parseHead(head)}
	kind, params, err := mime.ParseMediaType(e.get("Content-Type"))
	if err != nil || !strings.Contains(kind, "/") {
		kind, params = "text/plain", nil
	}
	e.kind = kind
	e.filename = filenameOf(e.get("Content-Disposition"), params)
	switch {
	case depth >= maxDepth:
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		for i, part := range splitParts(body, params["boundary"]) {
			e.parts = append(e.parts, parseEntity(part, childID(id, i), depth+1))
		}
		return e
	case kind == "message/rfc822":
		e.data = decodeTransfer(body, e.get("Content-Transfer-Encoding"))
		e.parts = []*entity{parseEntity(e.data, childID(id, 0), depth+1)}
		if e.filename == "" {
			e.filename = "noname.eml"
		}
		return e
	}
	e.data = decodeTransfer(body, e.get("Content-Transfer-Encoding"))
	if strings.HasPrefix(kind, "text/") {
		e.data = toUTF8(e.data, params["charset"])
	}
	return e
}

func childID(id string, i int) string {
	if id == "" {
		return strconv.Itoa(i)
	}
	return id + "." + strconv.Itoa(i)
}

// splitHead splits at the first empty line.
func splitHead(raw []byte) (head, body []byte) {
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			return raw, nil
		}
		if len(bytes.TrimRight(raw[at:at+end], "\r")) == 0 {
			return raw[:at], raw[at+end+1:]
		}
		at += end + 1
	}
	return raw, nil
}

func filenameOf(disposition string, typeParams map[string]string) string {
	_, params, err := mime.ParseMediaType(disposition)
	name := params["filename"]
	if err != nil || name == "" {
		name = typeParams["name"]
	}
	if decoded, err := wordDecoder.DecodeHeader(name); err == nil {
		name = decoded
	}
	return name
}

// splitParts returns the parts between the boundary lines.
func splitParts(body []byte, boundary string) [][]byte {
	var parts [][]byte
	open := -1
	for at := 0; at < len(body); {
		next := len(body)
		if end := bytes.IndexByte(body[at:], '\n'); end >= 0 {
			next = at + end + 1
		}
		line := bytes.TrimRight(body[at:next], "\r\n \t")
		rest, isDelimiter := bytes.CutPrefix(line, []byte("--"+boundary))
		if isDelimiter && (len(rest) == 0 || string(rest) == "--") {
			if open >= 0 {
				parts = append(parts, trimBreak(body[open:at]))
			}
			open = next
			if len(rest) > 0 {
				return parts
			}
		}
		at = next
	}
	if open >= 0 {
		parts = append(parts, body[open:])
	}
	return parts
}

// trimBreak removes the line break that belongs to the boundary.
func trimBreak(part []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))
}

// all yields the entity and every part below it.
func (e *entity) all(yield func(*entity) bool) bool {
	if !yield(e) {
		return false
	}
	for _, part := range e.parts {
		if !part.all(yield) {
			return false
		}
	}
	return true
}

// isAttachment reports whether Gmail returns the content only through an
// attachmentId: it has a name, or is neither text nor a container.
func (e *entity) isAttachment() bool {
	switch {
	case e.kind == "message/rfc822":
		return true
	case len(e.parts) > 0 || strings.HasPrefix(e.kind, "multipart/"):
		return false
	case e.filename != "":
		return true
	}
	return !strings.HasPrefix(e.kind, "text/") && len(e.data) > 0
}
