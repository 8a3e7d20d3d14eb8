package transport

// plainText marks the bytes that stand for themselves inside a JSON string.
var plainText = func() (plain [256]bool) {
	for ch := 0x20; ch < 0x80; ch++ {
		plain[ch] = ch != '"' && ch != '\\'
	}
	return plain
}()

// text scans the inside of a string from b[i]. It returns the index of the first byte that it
// did not scan.
func (s *messageScan) text(b []byte, i int) int {
	j := i
	for j < len(b) && plainText[b[j]] {
		j++
	}
	if j < len(b) && (b[j] == '"' || b[j] == '\\' || b[j] >= 0x80) {
		j++
	}
	s.keep(b[i:j])
	if j == i {
		s.at = broken // a control character
		return j
	}
	switch last := b[j-1]; {
	case plainText[last]:
	case last == '\\':
		s.at = inEscape
	case last == '"':
		s.endText(s.pos + j)
	default:
		s.sequence(last)
	}
	return j
}

func (s *messageScan) endText(end int) {
	if s.isKey {
		s.endKey()
		return
	}
	s.endValue(end)
}

func (s *messageScan) escape(ch byte) {
	s.keep([]byte{ch})
	switch ch {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at = inText
	case 'u':
		s.at, s.hex = inHex, 4
	default:
		s.at = broken
	}
}

func (s *messageScan) hexDigit(ch byte) {
	s.keep([]byte{ch})
	if (ch < '0' || ch > '9') && (ch|0x20 < 'a' || ch|0x20 > 'f') {
		s.at = broken
		return
	}
	if s.hex--; s.hex == 0 {
		s.at = inText
	}
}

// sequence starts a UTF-8 sequence. The limits of its second byte exclude overlong forms,
// surrogates and code points beyond U+10FFFF (RFC 3629, section 4).
func (s *messageScan) sequence(lead byte) {
	s.at, s.low, s.high = inRune, 0x80, 0xBF
	switch {
	case lead >= 0xC2 && lead <= 0xDF:
		s.rest = 1
	case lead >= 0xE0 && lead <= 0xEF:
		s.rest = 2
	case lead >= 0xF0 && lead <= 0xF4:
		s.rest = 3
	default:
		s.at = broken
	}
	switch lead {
	case 0xE0:
		s.low = 0xA0
	case 0xED:
		s.high = 0x9F
	case 0xF0:
		s.low = 0x90
	case 0xF4:
		s.high = 0x8F
	}
}

func (s *messageScan) continuation(ch byte) {
	s.keep([]byte{ch})
	if ch < s.low || ch > s.high {
		s.at = broken
		return
	}
	s.low, s.high = 0x80, 0xBF
	if s.rest--; s.rest == 0 {
		s.at = inText
	}
}

func (s *messageScan) letter(ch byte, at int) {
	if ch != s.word[0] {
		s.at = broken
		return
	}
	if s.word = s.word[1:]; s.word == "" {
		s.endValue(at + 1)
	}
}

// digit scans the byte at offset at as part of a number. It returns false if the number has
// ended before the byte.
func (s *messageScan) digit(ch byte, at int) bool {
	next := afterDigit(s.at, ch)
	if next != wantNext {
		s.keep([]byte{ch})
		s.at = next
		return true
	}
	s.endValue(at)
	return false
}

// afterDigit returns the state of a number after one more byte. It returns wantNext if the
// byte does not belong to the number, and broken if the number is incomplete.
func afterDigit(at scanState, ch byte) scanState {
	isDigit := ch >= '0' && ch <= '9'
	switch {
	case at == numberSign && ch == '0':
		return numberZero
	case (at == numberSign || at == numberInt) && isDigit:
		return numberInt
	case (at == numberZero || at == numberInt) && ch == '.':
		return numberDot
	case (at == numberDot || at == numberFrac) && isDigit:
		return numberFrac
	case (at == numberZero || at == numberInt || at == numberFrac) && ch|0x20 == 'e':
		return numberE
	case at == numberE && (ch == '+' || ch == '-'):
		return numberESign
	case (at == numberE || at == numberESign || at == numberExp) && isDigit:
		return numberExp
	case at == numberSign, at == numberDot, at == numberE, at == numberESign:
		return broken
	}
	return wantNext
}

// scanBelow scans from b[i] below maxDepth. It counts brackets outside strings, and returns the
// index of the first byte that it did not scan.
func (s *messageScan) scanBelow(b []byte, i int) int {
	for ; i < len(b) && s.below > 0; i++ {
		switch ch := b[i]; {
		case s.at == inBelowEscape:
			s.at = inBelowText
		case s.at == inBelowText && ch == '\\':
			s.at = inBelowEscape
		case ch == '"' && s.at == inBelowText:
			s.at = inBelow
		case ch == '"':
			s.at = inBelowText
		case s.at == inBelowText:
		case ch == '{', ch == '[':
			s.below++
		case ch == '}', ch == ']':
			s.below--
		}
	}
	if s.below == 0 {
		s.endValue(s.pos + i)
	}
	return i
}
