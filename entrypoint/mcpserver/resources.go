package mcpserver

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// variable matches the variable part of a resource's URI. The variable stands for a single
// percent-encoded path segment (RFC 6570 simple expansion).
var variable = regexp.MustCompile(`\{(\w+)\}$`)

// addResources registers the catalogue and the resources of enabled bundles. It returns their URIs.
func addResources(s *server.MCPServer, r *entrypoint.Router) (uris []string) {
	for _, resource := range r.Resources() {
		uris = append(uris, resource.URI)
		if match := variable.FindStringSubmatch(resource.URI); match != nil {
			template := mcp.NewResourceTemplate(resource.URI, resource.Name,
				mcp.WithTemplateTitle(resource.Title), mcp.WithTemplateDescription(resource.Description), mcp.WithTemplateMIMEType(resource.MIME))
			s.AddResourceTemplate(template, readResource(r, resource))
			continue
		}
		s.AddResource(mcp.NewResource(resource.URI, resource.Name,
			mcp.WithResourceTitle(resource.Title), mcp.WithResourceDescription(resource.Description), mcp.WithMIMEType(resource.MIME)), server.ResourceHandlerFunc(readResource(r, resource)))
	}
	return uris
}

// readResource answers a read. It takes the name from the URI itself, because mcp-go's
// templates do not decode percent signs.
func readResource(r *entrypoint.Router, resource bundles.Resource) server.ResourceTemplateHandlerFunc {
	prefix := variable.ReplaceAllString(resource.URI, "")
	return func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		name, err := url.PathUnescape(strings.TrimPrefix(request.Params.URI, prefix))
		if err != nil {
			return nil, storeError(ctx, metadata.Errorf(metadata.ValidationError, "the URI %s is not percent-encoded as RFC 3986 requires", metadata.Shorten(request.Params.URI)))
		}
		text, err := r.ReadResource(ctx, resource, name)
		if err != nil {
			return nil, storeReadError(ctx, request.Params.URI, err)
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: request.Params.URI, MIMEType: resource.MIME, Text: text}}, nil
	}
}
