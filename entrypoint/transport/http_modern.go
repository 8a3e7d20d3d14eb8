package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// declaredVersion returns the protocol version in a message, or "" if the message has none.
// Messages of protocols before 2026-07-28 have none.
func declaredVersion(body []byte) string {
	if !bytes.Contains(body, []byte("protocolVersion")) && !bytes.Contains(body, []byte(`\u`)) {
		return "" // most messages have none, and to parse one costs as much as all other work of this package
	}
	var message struct {
		Params struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	var version string
	if json.Unmarshal(body, &message) != nil || json.Unmarshal(message.Params.Meta[metaVersion], &version) != nil {
		return ""
	}
	return version
}

// firstModern is the first version of the protocol without sessions.
const firstModern = "2026-07-28"

// metaVersion is the member of _meta with a request's version.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// isModern reports whether the version is firstModern or later.
func isModern(version string) bool { return version >= firstModern }

// acceptModern handles a message of 2026-07-28 or later.
func (e *Endpoint) acceptModern(w http.ResponseWriter, r *http.Request, m postedMessage, version string) {
	if m.kind == isResponse {
		writeError(w, http.StatusBadRequest, nil, invalidRequest, "in this protocol version the server sends no requests that a client answers; send the user's answers with the call, in inputResponses")
		return
	}
	if m.kind == isNotification && version == "" { // only requests need _meta (MCP 2026-07-28, basic, "_meta")
		version = r.Header.Get(headerVersion)
	}
	if e := headerError(r.Header, version); e != nil {
		writeError(w, http.StatusBadRequest, m.id, e.Code, e.Message)
		return
	}
	if !e.supports(version) {
		writeErrorOf(w, http.StatusBadRequest, m.id, e.unsupported(version))
		return
	}
	if m.kind == isNotification { // clients cancel a request by closing its connection; KOTA needs no other notification
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if err := e.handler.CheckHeaders(r.Header, m.method, m.tool, m.body); err != nil {
		writeError(w, http.StatusBadRequest, m.id, headerMismatch, err.Error())
		return
	}
	c, ok := e.statelessConn(PrincipalOf(r.Context()).Name)
	if !ok {
		writeError(w, http.StatusServiceUnavailable, m.id, internalError, notBegun)
		return
	}
	call := c.newCall(m.envelope, m.body)
	call.key = strconv.FormatInt(e.callCount.Add(1), 10) // several clients may choose the same id
	call.ordering = call.ordering.unordered()
	e.serve(c, m, call, w, r, modernStatus)
}

// headerError returns the error in the headers of a message, or nil (MCP 2026-07-28,
// Streamable HTTP). The message declares the version, or "" for none.
func headerError(h http.Header, version string) *rpcError {
	header := h.Get(headerVersion)
	switch {
	case h.Get(headerLastEventID) != "":
		return &rpcError{Code: headerMismatch, Message: "streams cannot be resumed: this protocol version has no " + headerLastEventID + "; repeat the request with a new id"}
	case header == "":
		return &rpcError{Code: headerMismatch, Message: "the header " + headerVersion + " is missing"}
	case version == "":
		return &rpcError{Code: invalidParams, Message: "_meta lacks a valid " + metaVersion}
	case header != version:
		return &rpcError{Code: headerMismatch, Message: "the header " + headerVersion + " names another version than _meta"}
	}
	return nil
}

// unsupported returns the error for a version that the handler does not support.
func (e *Endpoint) unsupported(version string) rpcError {
	supported := e.handler.Versions()
	return rpcError{
		Code: unsupportedVersion, Message: fmt.Sprintf("unsupported protocol version: %q (supported: %v)", version, supported),
		Data: struct {
			Supported []string `json:"supported"`
			Requested string   `json:"requested"`
		}{supported, version},
	}
}

// modernStatus returns the HTTP status for an error code (MCP 2026-07-28, Streamable HTTP).
func modernStatus(code int) int {
	switch code {
	case methodNotFound:
		return http.StatusNotFound
	case headerMismatch, missingCapability, unsupportedVersion,
		invalidRequest, invalidParams, parseError:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
