package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"kota/entrypoint/transport"
)

// A toolResult is a mcp.CallToolResult as encoding/json writes it by itself, its
// members in the order that mcp-go's map has. mcp-go's own way decodes the answer
// three times: a call that answers 10 kB takes a fifth longer with it (BenchmarkStdio).
type toolResult struct {
	Meta          *mcp.Meta         `json:"_meta,omitempty"`
	Content       []mcp.Content     `json:"content"`
	InputRequests mcp.InputRequests `json:"inputRequests,omitempty"`
	IsError       bool              `json:"isError,omitempty"`
	RequestState  string            `json:"requestState,omitempty"`
	ResultType    mcp.ResultType    `json:"resultType,omitempty"`
	Structured    any               `json:"structuredContent,omitempty"` // what is not encoded yet
}

func plainResult(r *mcp.CallToolResult) toolResult {
	plain := toolResult{r.Meta, r.Content, r.InputRequests, r.IsError, r.RequestState, r.ResultType, r.StructuredContent}
	if plain.Content == nil {
		plain.Content = []mcp.Content{} // it is never absent
	}
	return plain
}

// withStructured returns the line of a result with that structured content, which the
// router has encoded: encoding/json would take it apart again.
func withStructured(line []byte, content json.RawMessage) []byte {
	const member = `,"structuredContent":`
	whole := bytes.NewBuffer(make([]byte, 0, len(line)+len(member)+len(content)))
	whole.Write(line[:len(line)-len("}}\n")])
	whole.WriteString(member)
	json.HTMLEscape(whole, content)
	whole.WriteString("}}\n")
	return whole.Bytes()
}

// encodeAnswer returns the line of an answer, and the code of the error in it, 0
// for a result.
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
