package semantic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// Options say where vectors come from.
type Options struct {
	Endpoint string           // "http://127.0.0.1:11434/v1": where /embeddings is
	Model    string           // "nomic-embed-text"
	Key      string           // sent as a bearer token; "" sends none. It is never part of an error
	Now      func() time.Time // the clock of the pause after a failure; time.Now when nil
}

// A Client asks for vectors. It is safe for concurrent use.
//
// It follows no redirect, so that key and texts reach the endpoint alone. After
// a failure it asks nothing for a minute and gives the same error at once, so
// that a dead endpoint costs its timeout once a minute at most.
type Client struct {
	Options
	http    *http.Client
	breaker breaker
	life    context.Context // ends with Close
	end     context.CancelFunc
}

// New returns a client. It asks nothing yet.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Endpoint = strings.TrimRight(o.Endpoint, "/")
	c := &Client{Options: o, breaker: breaker{now: o.Now}, http: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{}).DialContext, ForceAttemptHTTP2: true,
			IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Close breaks off what is under way in the background.
func (c *Client) Close() {
	c.end()
	c.http.CloseIdleConnections()
}

const (
	queryPatience = 1500 * time.Millisecond // somebody waits for the answer
	// batchPatience is for work in the background: a local server may have to
	// load the model first.
	batchPatience = 10 * time.Second
	// batchSize keeps a batch within that patience on a computer without a
	// graphics processor.
	batchSize = 16
)

// query is the vector of what somebody asks.
func (c *Client) query(ctx context.Context, text string) (Vector, error) {
	vectors, err := c.embed(ctx, queryPatience, []string{c.prefix("search_query: ") + cut(text)})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// documents are the vectors of texts that are to be found.
func (c *Client) documents(ctx context.Context, items []Item) ([]Vector, error) {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = c.prefix("search_document: ") + cut(item.Text)
	}
	return c.embed(ctx, batchPatience, texts)
}

// prefix is p for the models that want to be told what a text is for: without
// it they find less (https://huggingface.co/nomic-ai/nomic-embed-text-v1.5).
func (c *Client) prefix(p string) string {
	if strings.Contains(c.Model, "nomic-embed-text") {
		return p
	}
	return ""
}

// cut bounds a text to what small models read: 512 tokens.
func cut(text string) string {
	const most = 1500
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// embed returns a vector for each text, all of one size. It returns ctx's error or an *Error.
func (c *Client) embed(ctx context.Context, patience time.Duration, texts []string) ([]Vector, error) {
	if err := c.breaker.pass(); err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	vectors, trouble := c.post(bounded, texts)
	if trouble == nil {
		c.breaker.report(nil)
		return vectors, nil
	}
	if ctx.Err() != nil {
		c.breaker.leave()
		return nil, ctx.Err() // that somebody left says nothing about the endpoint
	}
	if bounded.Err() != nil {
		trouble = &Error{What: fmt.Sprintf("%s did not answer within %v", c.Endpoint, patience)}
	}
	c.breaker.report(trouble)
	return nil, trouble
}

func (c *Client) post(ctx context.Context, texts []string) ([]Vector, *Error) {
	body, err := json.Marshal(map[string]any{"model": c.Model, "input": texts})
	if err != nil {
		return nil, &Error{What: "the texts have no JSON form"}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Endpoint+"/embeddings", bytes.NewReader(body))
	if err != nil {
		return nil, &Error{What: c.Endpoint + " is no address"}
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
		// What it says beside that may quote the key, or the texts.
		return nil, &Error{Status: response.StatusCode, What: fmt.Sprintf("%s answers HTTP %d", c.Endpoint, response.StatusCode)}
	}
	vectors, err := read(response.Body, len(texts))
	if err != nil {
		return nil, &Error{Status: response.StatusCode, What: fmt.Sprintf("%s answers with %v", c.Endpoint, err)}
	}
	return vectors, nil
}
