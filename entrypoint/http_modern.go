package entrypoint

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// declaredVersion returns the protocol version that a message says it is of, ""
// when it says none, as those before 2026-07-28.
func declaredVersion(body []byte) string {
	if !bytes.Contains(body, []byte("protocolVersion")) && !bytes.Contains(body, []byte(`\u`)) {
		return "" // most messages say none, and taking one apart costs as much as all else that is done with it here
	}
	var message struct {
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &message) != nil {
		return ""
	}
	return message.Params.Meta.ProtocolVersion()
}

// acceptModern takes in a message of 2026-07-28 or later.
func (e *Endpoint) acceptModern(w http.ResponseWriter, r *http.Request, m posted, version string) {
	if m.kind == isResponse {
		writeError(w, http.StatusBadRequest, nil, mcp.INVALID_REQUEST, "this protocol has no requests to clients that could be answered: bring answers with the call, as inputResponses")
		return
	}
	if m.kind == isNotification && version == "" { // _meta is required of requests alone (MCP 2026-07-28, basic, "_meta")
		version = r.Header.Get(mcp.HeaderProtocolVersion)
	}
	if e := misheaded(r.Header, version); e != nil {
		writeError(w, http.StatusBadRequest, m.id, e.Code, e.Message)
		return
	}
	if !mcp.IsValidProtocolVersion(version) {
		refusal := mcp.UnsupportedProtocolVersionError{Version: version, Supported: mcp.ValidProtocolVersions}.JSONRPCError()
		writeErrorOf(w, http.StatusBadRequest, m.id, refusal.Error)
		return
	}
	if m.kind == isNotification { // a request is cancelled by closing its connection, and nothing else is told this way
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if err := e.contradicts(r.Header, m); err != nil {
		writeError(w, http.StatusBadRequest, m.id, mcp.HEADER_MISMATCH, err.Error())
		return
	}
	c, ok := e.withoutSession(Principal(r.Context()))
	if !ok {
		writeError(w, http.StatusServiceUnavailable, m.id, mcp.INTERNAL_ERROR, notBegun)
		return
	}
	call := c.newCall(m.envelope, m.body)
	call.key = e.newKey()
	call.turn = call.turn.unordered()
	e.serve(c, m, call, w, r, modernStatus)
}

// misheaded returns what is wrong with the headers of a message that declares
// the version (MCP 2026-07-28, Streamable HTTP), nil when nothing is.
func misheaded(h http.Header, version string) *mcp.JSONRPCErrorDetails {
	said := h.Get(mcp.HeaderProtocolVersion)
	switch {
	case h.Get(mcp.HeaderLastEventID) != "":
		return &mcp.JSONRPCErrorDetails{Code: mcp.HEADER_MISMATCH, Message: "streams cannot be resumed: there is no " + mcp.HeaderLastEventID + " in this protocol; repeat the request under a new id"}
	case said == "":
		return &mcp.JSONRPCErrorDetails{Code: mcp.HEADER_MISMATCH, Message: "the header " + mcp.HeaderProtocolVersion + " is missing"}
	case version == "":
		return &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: "_meta lacks a valid " + mcp.MetaKeyProtocolVersion}
	case said != version:
		return &mcp.JSONRPCErrorDetails{Code: mcp.HEADER_MISMATCH, Message: "the header " + mcp.HeaderProtocolVersion + " says another version than _meta"}
	}
	return nil
}

// contradicts returns in what the headers that say again what a request says
// (SEP-2243) differ from it.
func (e *Endpoint) contradicts(h http.Header, m posted) error {
	var message struct {
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(m.body, &message); err != nil {
		return err
	}
	if err := mcp.ValidateStandardHeaders(h.Get, h.Get(mcp.HeaderProtocolVersion), mcp.MCPMethod(m.method), message.Params); err != nil {
		return err
	}
	tool, ok := e.mirrored[m.tool]
	if !ok || m.method != string(mcp.MethodToolsCall) {
		return nil
	}
	said := func(name string) (string, bool) { return h.Get(name), len(h.Values(name)) > 0 }
	return mcp.ValidateParamHeadersLookup(said, &tool, message.Params)
}

// mirroredTools are the tools with arguments that clients say again in headers.
func mirroredTools(s *server.MCPServer) map[string]mcp.Tool {
	mirrored := map[string]mcp.Tool{}
	for name, tool := range s.ListTools() {
		if bytes.Contains(tool.Tool.RawInputSchema, []byte("x-mcp-header")) {
			mirrored[name] = tool.Tool
		}
	}
	return mirrored
}

// modernStatus is the HTTP status of an answer with that error (MCP 2026-07-28,
// Streamable HTTP); code 0 is none.
func modernStatus(code int) int {
	switch code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION,
		mcp.INVALID_REQUEST, mcp.INVALID_PARAMS, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
