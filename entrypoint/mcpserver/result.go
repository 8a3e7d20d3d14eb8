package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"kota/entrypoint/transport"
)

// A toolResult is an mcp.CallToolResult that encoding/json can write directly. Its members
// have the same order as in mcp-go's own encoding. That encoding decodes the answer three
// times, which makes a call with a 10 kB answer a fifth slower (BenchmarkStdio).
type toolResult struct {
	Meta          *mcp.Meta         `json:"_meta,omitempty"`
	Content       []mcp.Content     `json:"content"`
	InputRequests mcp.InputRequests `json:"inputRequests,omitempty"`
	IsError       bool              `json:"isError,omitempty"`
	RequestState  string            `json:"requestState,omitempty"`
	ResultType    mcp.ResultType    `json:"resultType,omitempty"`
	Structured    any               `json:"structuredContent,omitempty"` // content that is not encoded yet
}

func plainResult(r *mcp.CallToolResult) toolResult {
	plain := toolResult{r.Meta, r.Content, r.InputRequests, r.IsError, r.RequestState, r.ResultType, r.StructuredContent}
	if plain.Content == nil {
		plain.Content = []mcp.Content{} // it must not be null
	}
	return plain
}

// withStructured adds the structured content to the line of a result. The router has
// already encoded the content, and encoding/json would parse it again.
func withStructured(line []byte, content json.RawMessage) []byte {
	const member = `,"structuredContent":`
	whole := bytes.NewBuffer(make([]byte, 0, len(line)+len(member)+len(content)))
	whole.Write(line[:len(line)-len("}}\n")])
	whole.WriteString(member)
	json.HTMLEscape(whole, content)
	whole.WriteString("}}\n")
	return whole.Bytes()
}

// encodeAnswer returns the line of an answer, and the code of its error or 0 for a result.
func encodeAnswer(id []byte, message mcp.JSONRPCMessage) (line []byte, code int, err error) {
	switch m := message.(type) {
	case mcp.JSONRPCResponse:
		if r, ok := m.Result.(*mcp.CallToolResult); ok && r != nil {
			line, err = transport.AnswerLine(id, "result", plainResult(r))
			if err == nil && len(r.RawStructuredContent) > 0 {
				line = withStructured(line, r.RawStructuredContent)
			}
		} else {
			line, err = transport.AnswerLine(id, "result", m.Result)
		}
		return line, 0, err
	case mcp.JSONRPCError:
		line, err = transport.AnswerLine(id, "error", m.Error)
		return line, m.Error.Code, err
	}
	return nil, 0, fmt.Errorf("encode answer: unexpected %T", message)
}
