package mailmsg

import (
	"net/mail"
	"strings"
)

// splitList cuts a list of addresses at commas and semicolons outside quotes
// and comments. An unclosed quote or parenthesis is an ordinary character.
func splitList(value string) (pieces []string) {
	start := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"', '(':
			i = closing(value, i)
		case ',', ';':
			if value[i] == ';' && isInName(value, start, i) {
				continue
			}
			pieces = append(pieces, value[start:i])
			start = i + 1
		}
	}
	return append(pieces, value[start:])
}

// isInName reports whether the semicolon at i belongs to a name that should
// have been quoted, such as "R&amp;D <rd@example.com>". Then the piece has no
// address before the semicolon, and an address in brackets follows.
func isInName(value string, start, i int) bool {
	bracket, at := strings.IndexByte(value[i:], '<'), strings.IndexByte(value[i:], '@')
	return !strings.ContainsAny(value[start:i], "@:") && bracket >= 0 && bracket < at
}

// closing returns the index at which the quoted string or comment that begins
// at open ends. It returns open if there is no end within maxElement bytes.
func closing(value string, open int) int {
	depth := 0
	for i := open; i < len(value) && i-open < maxElement; i++ {
		switch c := value[i]; {
		case c == '\\':
			i++
		case c == '"' && value[open] == '"' && i > open, c == ')' && depth == 1:
			return i
		case c == '(' && value[open] == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return open
}

// parsePieces parses each piece of a list. The list may contain groups.
func parsePieces(pieces []string) (list []*mail.Address, rest []string) {
	for _, piece := range pieces {
		if name, member, ok := strings.Cut(piece, ":"); ok && !strings.ContainsAny(name, "<@") {
			piece = member
		}
		if piece = strings.TrimSpace(piece); piece == "" {
			continue
		}
		if address := parsePiece(piece); address != nil {
			list = append(list, address)
		} else {
			rest = append(rest, OneLine(piece))
		}
	}
	return list, rest
}

// parsePiece parses one address, also one with a name that should have been
// quoted, such as "Jane [Sales] <jane@example.com>". It returns nil for any
// other text.
func parsePiece(piece string) *mail.Address {
	address, err := headerParser.Parse(piece)
	if err == nil {
		return address
	}
	bracket := strings.IndexByte(piece, '<')
	if bracket < 0 || strings.ContainsAny(piece[:bracket], `,">`) {
		return nil
	}
	if address, err = headerParser.Parse(piece[bracket:]); err != nil {
		return nil
	}
	address.Name = DecodeHeader(strings.TrimSpace(piece[:bracket]))
	return address
}
