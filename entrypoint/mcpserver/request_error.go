package mcpserver

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// A requestError is the error of a request other than a call of a tool, for example of
// resources/read. mcp-go would answer it with -32603 and its text. So the session of the
// call stores it. The answer then has the code that MCP requires, and the whole error with
// its hint as data.
type requestError struct {
	err  error
	data any
	code int
}

// storeError stores the error in the session of the call and returns it.
func storeError(ctx context.Context, err error) error {
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) {
		return err // the router never returns such an error
	}
	call := callFromContext(ctx)
	if call == nil {
		return e
	}
	f := &call.requestError
	f.err, f.data, f.code = e, e, mcp.INTERNAL_ERROR
	switch {
	case e.Code == metadata.ValidationError:
		f.code = mcp.INVALID_PARAMS
	case e.Code == metadata.NotFound && mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)):
		f.code = mcp.INVALID_PARAMS // 2026-07-28 has no special code for a missing resource
	case e.Code == metadata.NotFound:
		f.code = mcp.RESOURCE_NOT_FOUND
	}
	return e
}

// A missingResourceData is the error data for a resource that does not exist. MCP requires
// the URI in it (resources, "Error Handling").
type missingResourceData struct {
	*metadata.Error
	URI string `json:"uri"`
}

// storeReadError is storeError for a read of the resource at this URI.
func storeReadError(ctx context.Context, uri string, err error) error {
	err = storeError(ctx, err)
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	if call := callFromContext(ctx); call != nil && e.Code == metadata.NotFound {
		call.requestError.data = missingResourceData{e, uri}
	}
	return err
}

// applyTo returns the answer. It replaces an error in the answer by the stored error, if
// there is one.
func (f *requestError) applyTo(answer mcp.JSONRPCMessage) mcp.JSONRPCMessage {
	failure, ok := answer.(mcp.JSONRPCError)
	if !ok || f.err == nil {
		return answer
	}
	failure.Error.Code, failure.Error.Message, failure.Error.Data = f.code, f.err.Error(), f.data
	return failure
}
