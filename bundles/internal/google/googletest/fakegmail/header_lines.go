package fakegmail

import (
	"mime"
	"slices"
	"strings"
)

// headerLines is a message's header with its original folding: one entry per field.
type headerLines []string

func splitHeaderLines(raw []byte) *headerLines {
	var h headerLines
	for line := range strings.SplitSeq(strings.TrimRight(string(raw), "\r\n"), "\n") {
		line = strings.TrimRight(line, "\r")
		if line != "" && (line[0] == ' ' || line[0] == '\t') && len(h) > 0 {
			h[len(h)-1] += "\r\n" + line
			continue
		}
		h = append(h, line)
	}
	return &h
}

// decodeLatin1 applies latin1 to every field.
func (h *headerLines) decodeLatin1() {
	for i, entry := range *h {
		(*h)[i] = latin1(entry)
	}
}

// latin1 reads a field's bytes beyond ASCII as Latin-1, as Gmail does in a
// message that a client sends. It returns the field with encoded words (RFC
// 2047), with which the client should have written other letters.
func latin1(entry string) string {
	if !slices.ContainsFunc([]byte(entry), func(b byte) bool { return b >= 0x80 }) {
		return entry
	}
	name, value, _ := strings.Cut(entry, ":")
	letters := make([]rune, 0, len(value))
	for _, b := range []byte(strings.TrimSpace(strings.ReplaceAll(value, "\r\n", ""))) {
		letters = append(letters, rune(b))
	}
	return name + ": " + mime.QEncoding.Encode("utf-8", string(letters))
}

func (h *headerLines) index(name string) int {
	return slices.IndexFunc(*h, func(entry string) bool {
		fieldName, _, found := strings.Cut(entry, ":")
		return found && strings.EqualFold(fieldName, name)
	})
}

func (h *headerLines) get(name string) string {
	at := h.index(name)
	if at < 0 {
		return ""
	}
	_, value, _ := strings.Cut((*h)[at], ":")
	return strings.TrimSpace(strings.ReplaceAll(value, "\r\n", ""))
}

func (h *headerLines) set(name, value string) {
	if at := h.index(name); at >= 0 {
		(*h)[at] = name + ": " + value
		return
	}
	*h = append(*h, name+": "+value)
}

func (h *headerLines) remove(name string) {
	*h = slices.DeleteFunc(*h, func(entry string) bool {
		fieldName, _, _ := strings.Cut(entry, ":")
		return strings.EqualFold(fieldName, name)
	})
}

// bytes returns the header and the empty line after it.
func (h *headerLines) bytes() []byte {
	return []byte(strings.Join(*h, "\r\n") + "\r\n\r\n")
}
