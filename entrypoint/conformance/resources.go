//go:build conformance

package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func addResources(s *server.MCPServer) {
	fixed := func(uri, mime string, content func(uri string) mcp.ResourceContents) {
		s.AddResource(mcp.NewResource(uri, uri, mcp.WithResourceDescription("A resource that does not change."), mcp.WithMIMEType(mime)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{content(uri)}, nil
			})
	}
	text := func(says string) func(string) mcp.ResourceContents {
		return func(uri string) mcp.ResourceContents {
			return mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: says}
		}
	}
	fixed("test://static-text", "text/plain", text("This is the content of the static text resource."))
	fixed("test://watched-resource", "text/plain", text("This is watched."))
	fixed("test://static-binary", "image/png", func(uri string) mcp.ResourceContents {
		return mcp.BlobResourceContents{URI: uri, MIMEType: "image/png", Blob: redDot}
	})
	s.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template",
		mcp.WithTemplateDescription("A resource for every id."), mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(request.Params.URI, "test://template/"), "/data")
			return []mcp.ResourceContents{mcp.TextResourceContents{
				URI: request.Params.URI, MIMEType: "application/json",
				Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
			}}, nil
		})
}
