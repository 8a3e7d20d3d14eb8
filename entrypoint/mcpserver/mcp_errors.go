package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// onMCPError returns a hook that stores four errors of mcp-go itself: a wrong type, a wrong
// cursor, an unknown resource and an unknown prompt. Their answers then have the usual form: a
// code, the problem and what to do. The parameters are the URIs of all resources and the names
// of all prompts.
func onMCPError(resources, prompts []string) server.OnErrorHookFunc {
	return func(ctx context.Context, _ any, method mcp.MCPMethod, message any, err error) {
		var badType *json.UnmarshalTypeError
		var badCursor base64.CorruptInputError
		read, reading := message.(*mcp.ReadResourceRequest)
		get, getting := message.(*mcp.GetPromptRequest)
		switch {
		case errors.As(err, &badType):
			_ = storeError(ctx, wrongTypeError(method, badType))
		case errors.As(err, &badCursor):
			_ = storeError(ctx, cursorError(method))
		case reading && errors.Is(err, server.ErrResourceNotFound):
			_ = storeReadError(ctx, read.Params.URI, notFoundError("resource", "uri", read.Params.URI, resources))
		case getting && errors.Is(err, server.ErrPromptNotFound):
			_ = storeError(ctx, notFoundError("prompt", "name", get.Params.Name, prompts))
			if call := callFromContext(ctx); call != nil {
				call.requestError.code = mcp.INVALID_PARAMS // MCP 2025-06-18, prompts, "Error Handling"
			}
		}
	}
}

// wrongTypeError returns the error for params whose type differs from MCP's.
func wrongTypeError(method mcp.MCPMethod, cause *json.UnmarshalTypeError) *metadata.Error {
	_, path, inside := strings.Cut(cause.Field, "params.")
	if !inside {
		path = cause.Field
	}
	problem := metadata.Problem{Path: path, Expected: kindOfType(cause.Type), Got: withArticle(cause.Value)}
	e := metadata.Errorf(metadata.ValidationError, "the params of %s are invalid: %s is %s, and MCP requires %s", method, path, problem.Got, problem.Expected)
	e.Problems = []metadata.Problem{problem}
	if method == mcp.MethodToolsCall {
		return e.WithHint(`Call {"name": "kota_discover_bundles", "arguments": {"query": …}} or another tool of tools/list.`)
	}
	return e.WithHint("Send the params of %s as MCP defines them.", method)
}

// withArticle puts "a" or "an" before a kind of JSON value.
func withArticle(kind string) string {
	if strings.HasPrefix(kind, "array") || strings.HasPrefix(kind, "object") {
		return "an " + kind
	}
	return "a " + kind
}

// kindOfType returns the JSON name of a Go type.
func kindOfType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	}
	return "a number"
}

func cursorError(method mcp.MCPMethod) *metadata.Error {
	e := metadata.Errorf(metadata.ValidationError, "the cursor is not one that %s returned", method)
	e.Problems = []metadata.Problem{{Path: "cursor", Expected: "nextCursor of an earlier answer", Got: "another text"}}
	return e.WithHint("Omit cursor: the list has only one page.")
}

// notFoundError returns the error for a resource or a prompt that does not exist.
func notFoundError(what, path, name string, known []string) *metadata.Error {
	e := metadata.Errorf(metadata.NotFound, "there is no %s %q", what, metadata.Shorten(name))
	e.Problems = []metadata.Problem{metadata.UnknownName(path, fmt.Sprintf("a %s of %ss/list", what, what), name, known)}
	if near := e.Problems[0].Suggestion; near != "" {
		return e.WithHint("Did you mean %s? %ss/list names them all.", near, what)
	}
	return e.WithHint("%ss/list names them all.", what)
}
