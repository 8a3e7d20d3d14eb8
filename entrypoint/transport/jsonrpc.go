package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The error codes of JSON-RPC 2.0 and MCP.
const (
	parseError         = -32700
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	internalError      = -32603
	sessionNotFound    = -32001 // as in the MCP SDKs
	headerMismatch     = -32020
	missingCapability  = -32021
	unsupportedVersion = -32022
)

// The methods that a transport treats specially.
const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodCallTool   = "tools/call"
	methodRead       = "resources/read"
	methodPrompt     = "prompts/get"
	methodComplete   = "completion/complete"
	methodListen     = "subscriptions/listen"
	methodCancelled  = "notifications/cancelled"
)

// An rpcError is the error in an answer.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// AnswerLine returns the line that answers the request with this id. It writes the id as the
// client wrote it, or null if id is nil. The member is "result" or "error".
func AnswerLine(id []byte, member string, value any) ([]byte, error) {
	if id == nil {
		id = []byte("null")
	}
	var line bytes.Buffer
	for _, part := range []string{`{"jsonrpc":"2.0","id":`, string(id), `,"`, member, `":`} {
		line.WriteString(part)
	}
	if err := json.NewEncoder(&line).Encode(value); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	line.Truncate(line.Len() - 1) // Encode's newline
	line.WriteString("}\n")
	return line.Bytes(), nil
}

// ErrorLine returns the line that answers the request with this id by an error.
func ErrorLine(id []byte, code int, reason string) []byte {
	return mustAnswer(id, rpcError{Code: code, Message: reason})
}

// mustAnswer is AnswerLine for an error whose data can be encoded.
func mustAnswer(id []byte, e rpcError) []byte {
	line, err := AnswerLine(id, "error", e)
	if err != nil {
		panic(err)
	}
	return line
}

// notificationLine returns the line of a notification.
func notificationLine(method string, params any) []byte {
	line, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
	if err != nil {
		panic(err)
	}
	return append(line, '\n')
}
