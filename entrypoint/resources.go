package entrypoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/bundles"
	"kota/metadata"
)

// variable is the part of a resource's URI that stands for a name. A single
// path segment is matched, percent-encoded (RFC 6570 simple expansion).
var variable = regexp.MustCompile(`\{(\w+)\}$`)

// addResources registers the catalogue and the resources of every enabled
// bundle, and returns their URIs.
func addResources(s *server.MCPServer, r *Router) (uris []string) {
	for _, resource := range r.resources() {
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

// resources are the catalogue and those of every enabled bundle.
func (r *Router) resources() []bundles.Resource {
	all := r.catalogueResources()
	for _, b := range r.installed {
		if b.Enabled {
			all = append(all, b.Resources...)
		}
	}
	return all
}

// readResource answers a read. Which name a template's URI carries is read
// from the URI itself: templates of mcp-go hand over percent signs undecoded.
func readResource(r *Router, resource bundles.Resource) server.ResourceTemplateHandlerFunc {
	prefix := variable.ReplaceAllString(resource.URI, "")
	return func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		name, err := url.PathUnescape(strings.TrimPrefix(request.Params.URI, prefix))
		if err != nil {
			return nil, failed(ctx, metadata.Errorf(metadata.ValidationError, "the URI %s is not percent-encoded as RFC 3986 wants", shorten(request.Params.URI)))
		}
		text, err := r.guard(ctx, resource.URI, metadata.Reads, func(ctx context.Context) (any, error) { return resource.Read(ctx, name) })
		if err != nil {
			return nil, failedToRead(ctx, request.Params.URI, classify(err))
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: request.Params.URI, MIMEType: resource.MIME, Text: cleanText(resource.MIME, text.(string))}}, nil
	}
}

// cleanText is the text of a resource as it may leave.
func cleanText(mime, text string) string {
	if mime == "application/json" {
		return string(bundles.CleanJSON([]byte(text)))
	}
	return bundles.Clean(text)
}

func (r *Router) catalogueResources() []bundles.Resource {
	return []bundles.Resource{
		{
			URI: "kota://bundles", Name: "bundles", Title: "All bundles", MIME: "application/json",
			Description: "Every bundle with its tags and number of actions.",
			Read: func(ctx context.Context, _ string) (string, error) {
				return r.readJSON(ctx, "kota_discover_bundles", discoverIn{})
			},
		},
		{
			URI: "kota://bundles/{key}", Name: "bundle", Title: "A bundle", MIME: "application/json",
			Description: "One bundle in full: actions, schemas, examples.",
			Complete:    func(_ context.Context, typed string) ([]string, error) { return beginning(typed, r.keys()), nil },
			Read: func(ctx context.Context, key string) (string, error) {
				return r.readJSON(ctx, "kota_describe_bundle", describeIn{Bundle: key, IncludeExamples: true})
			},
		},
		{
			URI: "kota://context", Name: "context", Title: "What KOTA can do", MIME: "text/markdown",
			Description: fmt.Sprintf("What KOTA can do, in about %d tokens at most.", contextBudget),
			Read: func(context.Context, string) (string, error) {
				return metadata.Context(r.Catalogue(), contextBudget), nil
			},
		},
		{
			URI: "kota://context/{budget}", Name: "context within a budget", Title: "What KOTA can do, in so many tokens", MIME: "text/markdown",
			Description: "The same in about so many tokens, or a line per bundle; 0: everything.",
			Complete: func(_ context.Context, typed string) ([]string, error) {
				return beginning(typed, []string{"0", "1000", "4000", "16000"}), nil
			},
			Read: func(_ context.Context, budget string) (string, error) {
				tokens, err := strconv.Atoi(budget)
				if err != nil || tokens < 0 {
					return "", metadata.Errorf(metadata.ValidationError, "the budget %q is no number of tokens", shorten(budget)).
						WithHint("Read kota://context/4000, or kota://context/0 for everything.")
				}
				return metadata.Context(r.Catalogue(), tokens), nil
			},
		},
	}
}

// contextBudget is what kota://context takes at most: enough for the signature
// of every action of ours.
const contextBudget = 4000

// readJSON answers a resource with what the tool of the same content answers.
func (r *Router) readJSON(ctx context.Context, tool string, in any) (string, error) {
	args, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	out, err := r.Call(ctx, tool, args)
	if err != nil {
		return "", err
	}
	text, err := metadata.Plain(out)
	return string(text), err
}
