package fakeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// document is Google's description of one of its APIs, as far as the fake needs
// it (developers.google.com/discovery/v1/reference/apis).
type document struct {
	Name        string                `json:"name"`
	Version     string                `json:"version"`
	ServicePath string                `json:"servicePath"`
	BatchPath   string                `json:"batchPath"`
	Parameters  map[string]*parameter `json:"parameters"`
	Schemas     map[string]*schema    `json:"schemas"`
	Resources   map[string]*resource  `json:"resources"`
	Auth        struct {
		OAuth2 struct {
			Scopes map[string]struct {
				Description string `json:"description"`
			} `json:"scopes"`
		} `json:"oauth2"`
	} `json:"auth"`
}

type resource struct {
	Methods   map[string]*Method   `json:"methods"`
	Resources map[string]*resource `json:"resources"`
}

// Method is a method of an API, as its document describes it.
type Method struct {
	ID         string                `json:"id"`
	Verb       string                `json:"httpMethod"`
	Path       string                `json:"path"`
	FlatPath   string                `json:"flatPath"`
	Parameters map[string]*parameter `json:"parameters"`
	Request    *schema               `json:"request"`
	Response   *schema               `json:"response"`
	Scopes     []string              `json:"scopes"`
	Upload     *struct {
		Accept    []string `json:"accept"`
		MaxSize   int64    `json:"maxSize,string"`
		Protocols map[string]struct {
			Path string `json:"path"`
		} `json:"protocols"`
	} `json:"mediaUpload"`
}

type parameter struct {
	schema
	Location string `json:"location"`
	Required bool   `json:"required"`
	Repeated bool   `json:"repeated"`
}

// Service is one of Google's APIs: its document and the handlers that model it.
type Service struct {
	document
	handlers map[string]Handler
	routes   []route

	newServer  func() any                          // makes the server's state for the API
	newAccount func(s *Server, address string) any // makes an account's state for the API
}

// route is one path of a method.
type route struct {
	method  *Method
	upload  bool     // the path carries media
	names   []string // of the variables in the path
	pattern *regexp.Regexp
}

// apiModule returns the folder of the module that has the discovery documents.
func apiModule() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api").Output()
	if err != nil {
		return "", fmt.Errorf("find module google.golang.org/api: %w%s", err, stderrOf(err))
	}
	return strings.TrimSpace(string(out)), nil
}

func stderrOf(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return ": " + strings.TrimSpace(string(exit.Stderr))
	}
	return ""
}

// ReadService returns the API that a file describes. The file's path is relative
// to the folder of the module google.golang.org/api.
func ReadService(file string, handlers map[string]Handler, newServer func() any, newAccount func(s *Server, address string) any) (*Service, error) {
	root, err := apiModule()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	s := &Service{handlers: handlers, newServer: newServer, newAccount: newAccount}
	if err := json.Unmarshal(data, &s.document); err != nil {
		return nil, fmt.Errorf("parse %s: %w", filepath.Base(file), err)
	}
	methods := map[string]bool{}
	for _, r := range s.Resources {
		s.addRoutes(r, methods)
	}
	for id := range handlers {
		if !methods[id] {
			return nil, fmt.Errorf("%s has no method %s", s.Name, id)
		}
	}
	// A literal path has priority over one with a variable in its place.
	slices.SortStableFunc(s.routes, func(a, b route) int { return len(a.names) - len(b.names) })
	return s, nil
}

func (s *Service) addRoutes(r *resource, seen map[string]bool) {
	for _, m := range r.Methods {
		seen[m.ID] = true
		s.routes = append(s.routes, newRoute(m, "/"+s.ServicePath+m.Path, false))
		if m.FlatPath != "" && m.FlatPath != m.Path {
			s.routes = append(s.routes, newRoute(m, "/"+s.ServicePath+m.FlatPath, false))
		}
		if m.Upload == nil {
			continue
		}
		for _, protocol := range m.Upload.Protocols {
			s.routes = append(s.routes, newRoute(m, protocol.Path, true))
		}
	}
	for _, inner := range r.Resources {
		s.addRoutes(inner, seen)
	}
}

var variable = regexp.MustCompile(`\\\{\\?\+?(\w+)\\\}`)

func newRoute(m *Method, template string, upload bool) route {
	quoted := regexp.QuoteMeta(template)
	var names []string
	for _, found := range variable.FindAllStringSubmatch(quoted, -1) {
		names = append(names, found[1])
	}
	pattern := variable.ReplaceAllString(quoted, `([^/]+)`)
	return route{method: m, upload: upload, names: names, pattern: regexp.MustCompile("^" + pattern + "$")}
}

// find returns the route of the request, if any, and the values of its variables.
func (s *Service) find(r *http.Request) (route, map[string]string, bool) {
	for _, candidate := range s.routes {
		if candidate.method.Verb != r.Method {
			continue
		}
		found := candidate.pattern.FindStringSubmatch(r.URL.EscapedPath())
		if found == nil {
			continue
		}
		vars := map[string]string{}
		for i, name := range candidate.names {
			value, err := url.PathUnescape(found[i+1])
			if err != nil {
				return route{}, nil, false
			}
			vars[name] = value
		}
		return candidate, vars, true
	}
	return route{}, nil, false
}
