package transport

import (
	"encoding/json"
	"strings"
)

// A messageScan reads one line of input piece by piece. It checks that the line is one JSON
// text in UTF-8 (RFC 8259) and records the members of its envelope. It keeps only the start
// of these members, so it scans a line of any length in constant memory. It does not recurse.
//
// Below maxDepth levels it only counts brackets. KOTA refuses or ignores such a line, but the
// line's id may still follow.
type messageScan struct {
	at       scanState
	pos      int // offset in the line of the next bytes for feed
	depth    int // open containers, at most maxDepth
	inObject [maxDepth + 1]bool
	below    int // open containers below maxDepth
	tooDeep  bool

	word string // the rest of true, false or null
	hex  int    // remaining digits of a \u escape
	rest int    // remaining bytes of a UTF-8 sequence; the next byte must be in low..high
	low  byte
	high byte

	kept    *[]byte // receives the text of the current token; nil: the text is not kept
	keepMax int
	cut     bool   // the current token was longer than keepMax
	isKey   bool   // the current string is a key
	key     []byte // the current key, if it is kept

	top     jsonKind // the kind of the whole text
	field   field    // the current member of the envelope
	inner   field    // the current member of params
	deeper  field    // the current member of params.arguments
	members [fieldCount]member
	variant [fieldCount]bool // the line has a key that differs from the field's key only in case
}

// A member is one field of the envelope as found in a line.
type member struct {
	count      int // how often its key occurs
	kind       jsonKind
	text       []byte // the value as written, for strings and numbers
	cut        bool   // text was too long to keep
	start, end int    // offsets of the value in the line
}

type field int

const (
	noField field = iota
	fieldJSONRPC
	fieldID
	fieldMethod
	fieldParams
	fieldResult
	fieldError
	fieldTool      // params.name
	fieldArguments // params.arguments
	fieldBundle    // params.arguments.bundle
	fieldAction    // params.arguments.action
	fieldCount
)

// fieldNames has the keys of the envelope by field.
var fieldNames = [...]string{"", "jsonrpc", "id", "method", "params", "result", "error"}

// paramsFields and argumentFields have the fields of params and of params.arguments by key.
var (
	paramsFields   = map[string]field{"name": fieldTool, "arguments": fieldArguments}
	argumentFields = map[string]field{"bundle": fieldBundle, "action": fieldAction}
)

// keepLimits has the maximum length in bytes of the kept text of each field.
var keepLimits = [fieldCount]int{fieldJSONRPC: 16, fieldID: maxID, fieldMethod: maxMethod, fieldTool: 256, fieldBundle: 256, fieldAction: 256}

// keepKey is the maximum length of a kept key. "jsonrpc" is shorter even if each letter is an
// escape of six characters (RFC 8259, section 7).
const keepKey = 64

type jsonKind byte

const (
	kindNone   jsonKind = 0
	kindObject jsonKind = '{'
	kindArray  jsonKind = '['
	kindString jsonKind = '"'
	kindNumber jsonKind = '0'
	kindWord   jsonKind = 'w' // true or false
	kindNull   jsonKind = 'n'
)

type scanState byte

const (
	wantValue    scanState = iota
	wantItem               // a value or ]
	wantFirstKey           // a key or }
	wantKey
	wantColon
	wantNext // a comma or the end of the container
	inText
	inEscape
	inHex
	inRune
	inWord
	numberSign // after -
	numberZero
	numberInt
	numberDot
	numberFrac
	numberE
	numberESign
	numberExp
	inBelow // below maxDepth, outside strings
	inBelowText
	inBelowEscape
	finished
	broken
)

// reset prepares s for another line. It reuses the memory of the kept texts.
func (s *messageScan) reset() {
	members, key := s.members, s.key
	*s = messageScan{key: key[:0]}
	for i := range members {
		s.members[i].text = members[i].text[:0]
	}
}

// complete reports whether the bytes so far are one whole JSON text.
func (s *messageScan) complete() bool { return s.at == finished }

// blank reports whether the bytes so far are only white space.
func (s *messageScan) blank() bool { return s.at == wantValue && s.depth == 0 }

// feed scans the next bytes of the line.
func (s *messageScan) feed(b []byte) {
	for i := 0; i < len(b) && s.at != broken; {
		switch s.at {
		case inText:
			i = s.text(b, i)
			continue
		case inBelow, inBelowText, inBelowEscape:
			i = s.scanBelow(b, i)
			continue
		case numberSign, numberZero, numberInt, numberDot, numberFrac, numberE, numberESign, numberExp:
			if !s.digit(b[i], s.pos+i) {
				continue // the byte ended the number and belongs to what follows
			}
		default:
			s.step(b[i], s.pos+i)
		}
		i++
	}
	s.pos += len(b)
}

// step scans one byte that is not part of a number or plain text.
func (s *messageScan) step(ch byte, at int) {
	switch s.at {
	case inEscape:
		s.escape(ch)
		return
	case inHex:
		s.hexDigit(ch)
		return
	case inRune:
		s.continuation(ch)
		return
	case inWord:
		s.letter(ch, at)
		return
	}
	if ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n' {
		return
	}
	switch {
	case s.at == wantValue, s.at == wantItem && ch != ']':
		s.begin(ch, at)
	case (s.at == wantKey || s.at == wantFirstKey) && ch == '"':
		s.beginKey()
	case s.at == wantColon && ch == ':':
		s.at = wantValue
	case s.at == wantNext && ch == ',':
		s.at = wantValue
		if s.inObject[s.depth] {
			s.at = wantKey
		}
	case (s.at == wantNext || s.at == wantFirstKey) && ch == '}' && s.inObject[s.depth],
		(s.at == wantNext || s.at == wantItem) && ch == ']' && !s.inObject[s.depth]:
		s.depth--
		s.endValue(at + 1)
	default:
		s.at = broken
	}
}

// begin starts a value.
func (s *messageScan) begin(ch byte, at int) {
	kind := kindOf(ch)
	if s.depth == 0 {
		s.top = kind
	}
	if m := s.member(); m != nil {
		m.kind, m.start, m.text, m.cut = kind, at, m.text[:0], false
		s.kept, s.keepMax = &m.text, keepLimits[s.current()]
	}
	switch ch {
	case '{', '[':
		s.kept = nil
		s.open(ch == '{')
	case '"':
		s.isKey = false
		s.keep([]byte{ch})
		s.at = inText
	case 't':
		s.at, s.word = inWord, "rue"
	case 'f':
		s.at, s.word = inWord, "alse"
	case 'n':
		s.at, s.word = inWord, "ull"
	case '-':
		s.keep([]byte{ch})
		s.at = numberSign
	case '0':
		s.keep([]byte{ch})
		s.at = numberZero
	default:
		s.keep([]byte{ch})
		s.at = numberInt
		if ch < '1' || ch > '9' {
			s.at = broken
		}
	}
}

func kindOf(ch byte) jsonKind {
	switch ch {
	case '{', '[', '"', 'n':
		return jsonKind(ch)
	case 't', 'f':
		return kindWord
	}
	return kindNumber
}

// open enters a container.
func (s *messageScan) open(object bool) {
	if s.depth == maxDepth {
		s.tooDeep, s.below, s.at = true, 1, inBelow
		return
	}
	s.depth++
	s.inObject[s.depth] = object
	s.at = wantItem
	if object {
		s.at = wantFirstKey
	}
}

// endValue closes the value that ends before offset end.
func (s *messageScan) endValue(end int) {
	if m := s.member(); m != nil {
		m.end = end
		m.cut = m.cut || s.cut
	}
	s.kept, s.cut = nil, false
	s.at = wantNext
	if s.depth == 0 {
		s.at = finished
	}
}

// beginKey starts a key. It keeps the key if it can name a field.
func (s *messageScan) beginKey() {
	s.at, s.isKey, s.key, s.kept = inText, true, s.key[:0], nil
	if s.depth == 1 || s.field == fieldParams && (s.depth == 2 || s.depth == 3 && s.inner == fieldArguments) {
		s.kept, s.keepMax = &s.key, keepKey
	}
	s.keep([]byte{'"'})
}

// endKey records the field of the next value.
func (s *messageScan) endKey() {
	name := ""
	if s.kept != nil && !s.cut {
		name = unquote(s.key)
	}
	s.kept, s.cut, s.at = nil, false, wantColon
	switch s.depth {
	case 1:
		s.field = s.envelopeField(name)
	case 2:
		s.inner = noField
		if s.field == fieldParams {
			s.inner = paramsFields[name]
		}
	case 3:
		s.deeper = noField
		if s.field == fieldParams && s.inner == fieldArguments {
			s.deeper = argumentFields[name]
		}
	}
	if m := s.member(); m != nil {
		m.count++
	}
}

// envelopeField returns the field with this key. It also records a key that differs from a
// field's key only in case, because some readers ignore case, such as encoding/json.
func (s *messageScan) envelopeField(name string) field {
	for i, known := range fieldNames[1:] {
		f := field(i + 1)
		if name == known {
			return f
		}
		if len(name) <= len(known)*3 && strings.EqualFold(name, known) {
			s.variant[f] = true
		}
	}
	return noField
}

// current returns the field that the scan is in, or noField.
func (s *messageScan) current() field {
	switch {
	case s.depth == 1:
		return s.field
	case s.field != fieldParams || !s.inObject[2]:
	case s.depth == 2:
		return s.inner
	case s.depth == 3 && s.inner == fieldArguments && s.inObject[3]:
		return s.deeper
	}
	return noField
}

// member returns the member of the current field, or nil.
func (s *messageScan) member() *member {
	if f := s.current(); f != noField {
		return &s.members[f]
	}
	return nil
}

// keep appends to the kept text of the current token, up to its limit.
func (s *messageScan) keep(b []byte) {
	if s.kept == nil || s.cut {
		return
	}
	if len(*s.kept)+len(b) > s.keepMax {
		s.cut = true
		return
	}
	*s.kept = append(*s.kept, b...)
}

// unquote returns the string that a valid JSON string stands for.
func unquote(raw []byte) string {
	if len(raw) < 2 {
		return ""
	}
	quoted := string(raw[1 : len(raw)-1])
	if !strings.Contains(quoted, `\`) {
		return quoted
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return ""
	}
	return text
}
