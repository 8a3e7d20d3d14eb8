package config

import (
	"net"
	"net/url"
	"strings"
	"unicode"

	"kota/cmd/kota/internal/mistake"
)

// Embeddings configures the search by meaning.
type Embeddings struct {
	Endpoint string // "" for none; else https, or http on this machine, without a final slash
	Model    string
	Memories bool   // whether memories are searched by meaning, which sends their text to the endpoint
	Key      string // only from the environment; "" if the endpoint needs none
}

const (
	embeddingsAllowed = "https://HOST/v1, or http://127.0.0.1:PORT/v1 and other addresses of this machine"
	modelAllowed      = "the name of a model, such as nomic-embed-text"
	modelFileAllowed  = "the full path of a folder with model.safetensors and tokenizer.json, such as ~/models/potion-base-8M"
)

// search reads the keys under the key search. It refuses an endpoint together with
// a local model, because only one of them can make the vectors.
func (c *checker) search(v value) {
	before := len(c.problems)
	c.mapping(v, []field{
		{"embeddings", (*checker).embeddings},
		{"model", func(c *checker, v value) { c.cfg.SearchModel = c.absolutePath(v, modelFileAllowed) }},
	})
	if len(c.problems) == before && c.cfg.SearchModel != "" && c.cfg.Embeddings.Endpoint != "" {
		c.problem(v.line, "%s has both embeddings, an endpoint, and model, a file on this machine; allowed: one of them", v.path)
	}
}

// embeddings reads the settings of the search by meaning. Memories stay on this
// machine unless the user decides otherwise.
func (c *checker) embeddings(v value) {
	before := len(c.problems)
	var e Embeddings
	var memories *bool
	c.mapping(v, []field{
		{"endpoint", func(c *checker, v value) {
			text, ok := textOf(v.node)
			if !ok || !embeddingsEndpoint(text) {
				c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), embeddingsAllowed)
				return
			}
			e.Endpoint = strings.TrimRight(text, "/")
		}},
		{"model", func(c *checker, v value) {
			text, ok := textOf(v.node)
			if !ok || text == "" || len(text) > 200 {
				c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), modelAllowed)
				return
			}
			e.Model = text
		}},
		{"memories", func(c *checker, v value) {
			on := c.onOff(v, false)
			memories = &on
		}},
	})
	switch {
	case len(c.problems) > before || e == (Embeddings{}) && memories == nil:
		return
	case e.Endpoint == "":
		c.problem(v.line, "%s has no endpoint; allowed: %s", v.path, embeddingsAllowed)
	case e.Model == "":
		c.problem(v.line, "%s has no model; allowed: %s", v.path, modelAllowed)
	}
	u, err := url.Parse(e.Endpoint)
	e.Memories = err == nil && isLoopback(u)
	if memories != nil {
		e.Memories = *memories
	}
	c.cfg.Embeddings = e
}

// embeddingsEndpoint reports whether texts and a key may be sent to a URL: with
// https, or with http on this machine.
func embeddingsEndpoint(text string) bool {
	u, err := url.Parse(text)
	if err != nil || !hasOnlyHostAndPath(u) {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u)
}

// hasOnlyHostAndPath reports whether u has a host, and neither a user, a query
// nor a fragment.
func hasOnlyHostAndPath(u *url.URL) bool {
	return u.Hostname() != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" && u.Opaque == ""
}

// isLoopback reports whether the host of u is a loopback address.
func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// embeddingsKey reads the key from the environment. The key must be valid in an
// HTTP header. Errors never quote it.
func embeddingsKey(env func(string) string) (string, error) {
	key := strings.TrimSpace(env("KOTA_EMBEDDINGS_KEY"))
	if strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) }) {
		return "", mistake.Errorf("KOTA_EMBEDDINGS_KEY has invalid characters; allowed: printable ASCII")
	}
	return key, nil
}
