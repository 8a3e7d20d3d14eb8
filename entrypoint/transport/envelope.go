package transport

import (
	"bytes"
	"fmt"
)

// An envelope says what a message is: a request, a notification, a response to a request of
// KOTA, or none of these. A message is a line of input or the body of a POST. The envelope
// has no params except for the names of a tool, bundle and action.
type envelope struct {
	kind   envelopeKind
	id     []byte // as the client wrote it; nil if absent or ambiguous
	method string // the method of a request or notification
	idAt   int    // the id's offset in the message

	tool           string // params.name, if present
	bundle, action string // the members of params.arguments with these names, if present

	code   int    // the JSON-RPC error code for a refused message
	reason string // why the message is refused, for the client's developer
}

// isCancel reports whether the message is the notification that cancels a request.
func (e envelope) isCancel() bool {
	return e.kind == isNotification && e.method == methodCancelled
}

type envelopeKind int

const (
	isRefused envelopeKind = iota
	isRequest
	isNotification
	isResponse
	isIgnored // white space, or an invalid response or notification: ServeStdio does not answer it
)

// envelope classifies the scanned message. The parameter tooLong says that the message was
// longer than MaxMessage and that its reader did not keep it.
//
// The rules are those of JSON-RPC 2.0 as MCP narrows them (2025-06-18, basic). An id is a
// string or an integer, params are an object, and batches do not exist. If a key of the
// envelope occurs twice, or in another case, readers may understand the message
// differently. So KOTA refuses the message.
func (s *messageScan) envelope(tooLong bool) envelope {
	e := envelope{kind: isRefused, code: invalidRequest}
	switch {
	case s.blank():
		e.kind = isIgnored
		return e
	case !s.complete():
		e.code, e.reason = parseError, "Parse error: the message is not one JSON value in UTF-8"
		return e
	case s.top == kindArray:
		e.reason = "Invalid request: MCP has no batches; send one message at a time"
		return e
	case s.top != kindObject:
		e.reason = "Invalid request: a message is a JSON object"
		return e
	}
	e.id, e.idAt = s.trustedID(), s.members[fieldID].start
	method := &s.members[fieldMethod]
	e.method, e.tool = unquote(method.text), s.uniqueText(fieldTool)
	e.bundle, e.action = s.uniqueText(fieldBundle), s.uniqueText(fieldAction)

	isAnswer := s.members[fieldResult].count+s.members[fieldError].count > 0
	if isAnswer && method.count == 0 && !s.variant[fieldMethod] {
		e.kind = isResponse
		if tooLong || s.tooDeep || s.reason() != "" || e.id == nil {
			e.kind = isIgnored
		}
		return e
	}
	switch reason := s.reason(); {
	case tooLong:
		e.reason = fmt.Sprintf("Invalid request: the message is longer than %d MiB", MaxMessage>>20)
	case s.tooDeep:
		e.reason = fmt.Sprintf("Invalid request: the message is nested deeper than %d levels", maxDepth)
	case reason != "":
		e.reason = "Invalid request: " + reason
	case s.members[fieldID].count == 0:
		e.kind = isNotification
		if !s.paramsFit() || method.cut {
			e.kind = isIgnored
		}
	case e.id == nil:
		e.reason = "Invalid request: id must be a string or an integer, of at most 1 MiB"
	case !s.paramsFit():
		e.reason = "Invalid request: params must be an object"
	case method.cut:
		e.code, e.reason = methodNotFound, "Method not found: the name is too long"
	default:
		e.kind = isRequest
	}
	return e
}

// reason returns what is wrong with the message's keys, version and method, or "".
func (s *messageScan) reason() string {
	for f := fieldJSONRPC; f <= fieldError; f++ {
		if s.members[f].count > 1 {
			return fmt.Sprintf("%q occurs more than once", fieldNames[f])
		}
		if s.variant[f] {
			return fmt.Sprintf("%q must be written in lower case", fieldNames[f])
		}
	}
	version, method := &s.members[fieldJSONRPC], &s.members[fieldMethod]
	answers := s.members[fieldResult].count + s.members[fieldError].count
	switch {
	case version.kind != kindString || version.cut || unquote(version.text) != "2.0":
		return `jsonrpc must be "2.0"`
	case method.count == 0 && answers == 1:
		return ""
	case method.kind != kindString:
		return "method must be a string"
	case answers > 0:
		return "a message has a method or a result, not both"
	}
	return ""
}

// trustedID returns the id if it is a string or an integer of at most maxID bytes. Every
// JSON reader must find the same id in the message. Otherwise trustedID returns nil.
func (s *messageScan) trustedID() []byte {
	id := &s.members[fieldID]
	if id.count != 1 || id.cut || s.variant[fieldID] {
		return nil
	}
	if id.kind == kindString || id.kind == kindNumber && isInteger(id.text) {
		return bytes.Clone(id.text)
	}
	return nil
}

// uniqueText returns the field's text, or "" if the field is not exactly one short string.
func (s *messageScan) uniqueText(f field) string {
	m := &s.members[f]
	if m.count != 1 || m.kind != kindString || m.cut {
		return ""
	}
	return unquote(m.text)
}

// paramsFit reports whether params are an object or absent; null counts as absent.
func (s *messageScan) paramsFit() bool {
	switch s.members[fieldParams].kind {
	case kindNone, kindNull, kindObject:
		return true
	}
	return false
}
