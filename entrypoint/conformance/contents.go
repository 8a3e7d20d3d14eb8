//go:build conformance

package conformance

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	redDot  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==" // PNG of 1x1
	silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="                                     // WAV without samples
)

// addContents adds the tools whose results have text, an image, a sound, a resource or an error.
func addContents(s *server.MCPServer) {
	image := mcp.NewImageContent(redDot, "image/png")
	add(s, "test_simple_text", "Answers text.", constantAction(mcp.NewTextContent("This is a simple text response for testing.")))
	add(s, "test_image_content", "Answers an image.", constantAction(image))
	add(s, "test_audio_content", "Answers a sound.", constantAction(mcp.NewAudioContent(silence, "audio/wav")))
	add(s, "test_embedded_resource", "Answers a resource.",
		constantAction(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")))
	add(s, "test_multiple_content_types", "Answers several kinds of content.", constantAction(
		mcp.NewTextContent("Multiple content types test:"), image,
		embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)))
	add(s, "test_error_handling", "Fails.", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
	})
}

func embedded(uri, mime, text string) mcp.EmbeddedResource {
	return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: uri, MIMEType: mime, Text: text})
}
