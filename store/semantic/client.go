package semantic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Options configure the endpoint for vectors.
type Options struct {
	Endpoint string           // the base URL of /embeddings: "http://127.0.0.1:11434/v1"
	Model    string           // "nomic-embed-text"
	Key      string           // sent as a bearer token; "" sends none. Errors never contain it
	Now      func() time.Time // the clock for the pause after a failure; nil means time.Now
}

// A Client requests vectors. It is safe for concurrent use.
//
// It follows no redirects, so that only the endpoint receives the key and the texts. After a
// failure it sends no requests for one minute, and returns the same error immediately. A refusal
// of the texts does not count as a failure. A dead endpoint therefore costs at most one timeout
// per minute.
type Client struct {
	Options
	http    *http.Client
	breaker breaker
	size    atomic.Int64 // dimensions of the last query's vector; 0 before the first query
}

// New returns a client. It sends no request yet.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Endpoint = strings.TrimRight(o.Endpoint, "/")
	return &Client{Options: o, breaker: breaker{now: o.Now}, http: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{}).DialContext, ForceAttemptHTTP2: true,
			IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Name returns the name of the model.
func (c *Client) Name() string { return c.Model }

// BatchSize implements Embedder.
func (c *Client) BatchSize() int { return batchSize }

const (
	queryTimeout = 1500 * time.Millisecond // a caller is waiting for the result
	// batchTimeout is for background work. It is longer, because a local server may first have
	// to load the model.
	batchTimeout = 10 * time.Second
	// batchSize is small enough for a batch within batchTimeout on a computer without a
	// graphics processor.
	batchSize = 16
)

// Query implements Embedder.
func (c *Client) Query(ctx context.Context, text string) (Vector, error) {
	vectors, err := c.embed(ctx, queryTimeout, []string{c.prefix("search_query: ") + truncate(text)})
	if err != nil {
		return nil, err
	}
	c.size.Store(int64(len(vectors[0])))
	return vectors[0], nil
}

// Documents implements Embedder. It returns an error if the vectors have another size than the
// vector of the last query.
func (c *Client) Documents(ctx context.Context, items []Item) ([]Vector, error) {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = c.prefix("search_document: ") + truncate(item.Text)
	}
	vectors, err := c.embed(ctx, batchTimeout, texts)
	if err != nil || len(vectors) == 0 {
		return nil, err
	}
	if size := c.size.Load(); size != 0 && int64(len(vectors[0])) != size {
		problem := &Error{Status: http.StatusOK, What: c.Endpoint + " answers with vectors of several sizes"}
		c.breaker.report(problem)
		return nil, problem
	}
	return vectors, nil
}

// prefix returns p for models that need to know the purpose of a text, and otherwise "". Without
// the prefix these models find less (https://huggingface.co/nomic-ai/nomic-embed-text-v1.5).
func (c *Client) prefix(p string) string {
	if strings.Contains(c.Model, "nomic-embed-text") {
		return p
	}
	return ""
}

// truncate shortens a text to 1500 characters, so that it fits into the 512 tokens of small
// models.
func truncate(text string) string {
	const most = 1500
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// embed returns a vector for each text, all of the same size. Its error is that of ctx or an
// *Error.
func (c *Client) embed(ctx context.Context, timeout time.Duration, texts []string) ([]Vector, error) {
	isProbe, err := c.breaker.allow()
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	vectors, problem := c.post(bounded, texts)
	if problem == nil {
		c.breaker.report(nil)
		return vectors, nil
	}
	if ctx.Err() != nil {
		if isProbe {
			c.breaker.release()
		}
		return nil, ctx.Err() // a cancelled call says nothing about the endpoint
	}
	if bounded.Err() != nil {
		problem = &Error{What: fmt.Sprintf("%s did not answer within %v", c.Endpoint, timeout)}
	}
	c.breaker.report(problem)
	return nil, problem
}

func (c *Client) post(ctx context.Context, texts []string) ([]Vector, *Error) {
	body, err := json.Marshal(map[string]any{"model": c.Model, "input": texts})
	if err != nil {
		return nil, &Error{What: "the texts cannot be encoded as JSON"}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Endpoint+"/embeddings", bytes.NewReader(body))
	if err != nil {
		return nil, &Error{What: c.Endpoint + " is not an address"}
	}
	request.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, &Error{What: c.Endpoint + " does not answer"}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		// The body is ignored, because it may quote the key or the texts.
		return nil, &Error{Status: response.StatusCode, What: fmt.Sprintf("%s answers HTTP %d", c.Endpoint, response.StatusCode)}
	}
	vectors, err := readVectors(response.Body, len(texts))
	if err != nil {
		return nil, &Error{Status: response.StatusCode, What: fmt.Sprintf("%s answers with %v", c.Endpoint, err)}
	}
	return vectors, nil
}
