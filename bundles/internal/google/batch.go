package google

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// BatchAnswer is the answer to one GET of a batch.
type BatchAnswer struct {
	Path string
	Body []byte // one JSON object; nil if Err is set
	Err  error  // a *metadata.Error, as the client gives for a single GET
}

// maxParts is the maximum number of parts of one request. Google runs them
// concurrently, and answers 429 to too many concurrent reads of one user.
// Clients met that limit at about twenty-five reads
// (taylorwilsdon/google_workspace_mcp, pull request 1017). Two concurrent
// requests of 13 fetch a list of 50 in two round trips. Once a part is
// RATE_LIMITED, the maximum for the account is maxPartsReduced.
const (
	maxParts        = 13
	maxPartsReduced = 5
)

// partsPerBatch returns how many parts go into a request.
func (t *transport) partsPerBatch() int {
	if t.smallBatches.Load() {
		return maxPartsReduced
	}
	return maxParts
}

// Batch sends GETs of paths, such as
// "/gmail/v1/users/me/messages/ID?format=metadata", to a batch endpoint of
// Google (GmailBatch) and returns their answers in the order of paths:
// https://developers.google.com/workspace/gmail/api/guides/batch. A request has
// at most 13 parts and takes one round trip; two run concurrently. A part that
// failed because of its rate or a server fault is repeated like a single read.
// Without a batch endpoint, each path is fetched in a request of its own, eight
// concurrently. client must come from Client.
//
// It returns a *metadata.Error if a request as a whole failed.
func Batch(ctx context.Context, client *http.Client, url string, paths []string) ([]BatchAnswer, error) {
	t, ok := client.Transport.(*transport)
	if !ok {
		return nil, metadata.Errorf(metadata.Internal, "batch: the HTTP client was not created by google.Client")
	}
	b := &batch{ctx: ctx, client: client, transport: t, url: url, answers: make([]BatchAnswer, len(paths))}
	b.base, _, _ = strings.Cut(url, "/batch/")
	pending := make([]int, len(paths))
	for i, path := range paths {
		if !isPath(path) {
			return nil, metadata.Errorf(metadata.Internal, "batch: part %d is not a path", i)
		}
		b.answers[i].Path, pending[i] = path, i
	}
	if err := b.run(pending); err != nil {
		return nil, err
	}
	return b.answers, nil
}

// isPath reports whether path begins with "/" and consists of visible ASCII
// characters. A space or line break would end the request line of a part.
func isPath(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// batch is one call of Batch.
type batch struct {
	ctx          context.Context
	client       *http.Client
	transport    *transport
	url, base    string // the URL of the batch endpoint, and the URL before the paths
	answers      []BatchAnswer
	renewalTried bool // a single GET has tried to renew the authorization
}

// run fetches the pending parts, and repeats those that may be repeated.
func (b *batch) run(pending []int) error {
	until := b.transport.o.Now().Add(callTimeout)
	for attempt := 0; len(pending) > 0; attempt++ {
		if b.transport.noBatch.Load() {
			return b.fetchEach(pending, maxConcurrent)
		}
		err := b.sendChunks(pending)
		switch {
		case b.transport.noBatch.Load():
			continue
		case !b.renewalTried && b.unauthorized(err, pending):
			// The base transport renews an authorization after a refused GET,
			// but not after a refused POST. It does not look into the parts of
			// an answer.
			b.renewalTried = true
			if err == nil {
				pending = slices.DeleteFunc(pending, func(i int) bool { return b.answers[i].Err == nil })
			}
			if err := b.fetch(pending[0]); isUnauthorized(err) {
				return err
			}
			pending = pending[1:]
			continue
		case err != nil:
			return err
		}
		var pause time.Duration
		if pending, pause = b.retryable(pending, attempt, until); len(pending) == 0 {
			return nil
		}
		if b.transport.o.Sleep(b.ctx, pause) != nil {
			return b.call(pending[0]).cancelled(b.ctx, false)
		}
	}
	return nil
}

// retryable returns the parts to be repeated and how long to wait first.
func (b *batch) retryable(pending []int, attempt int, until time.Time) (parts []int, wait time.Duration) {
	for _, i := range pending {
		c := b.call(i)
		c.until = until
		pause, again := c.pause(b.answers[i].Err, attempt, b.transport.timeLeft(b.ctx, c))
		if !again {
			continue
		}
		parts, wait = append(parts, i), max(wait, pause)
	}
	return parts, wait
}

// unauthorized reports whether the authorization of the batch or of a part was
// refused.
func (b *batch) unauthorized(err error, pending []int) bool {
	return isUnauthorized(err) || err == nil && slices.ContainsFunc(pending, func(i int) bool { return isUnauthorized(b.answers[i].Err) })
}

// isUnauthorized reports whether Google refused the authorization, or err has
// no Failure. The base transport returns such an error if it has no
// authorization to send.
func isUnauthorized(err error) bool {
	return err != nil && (metadata.CodeOf(err) == metadata.SignInRequired || failureOf(err) == nil)
}

// sendChunks sends the parts in requests of at most partsPerBatch parts.
func (b *batch) sendChunks(parts []int) error {
	group, ctx := panicsafe.WithContext(b.ctx, maxConcurrentBatches)
	for chunk := range slices.Chunk(parts, b.transport.partsPerBatch()) {
		group.Go(func() error {
			select {
			case <-ctx.Done():
				return b.call(chunk[0]).cancelled(ctx, false)
			case b.transport.batchSlots <- struct{}{}:
			}
			defer func() { <-b.transport.batchSlots }()
			return b.send(ctx, chunk)
		})
	}
	return group.Wait()
}

// send sends the parts as one request and keeps their answers. Without a batch
// endpoint it sets noBatch and returns nil.
func (b *batch) send(ctx context.Context, parts []int) error {
	units := 0
	paths := make([]string, len(parts))
	for i, part := range parts {
		paths[i] = b.answers[part].Path
		units += b.call(part).units
	}
	kind, body, err := encodeBatch(paths)
	if err != nil {
		return fmt.Errorf("compose batch: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, bytes.NewReader(body))
	if err != nil {
		return metadata.Errorf(metadata.Internal, "batch: %q is not a URL", b.url)
	}
	req.Header.Set("Content-Type", kind)
	t := *b.transport
	t.batch = units
	resp, err := t.client().Do(req)
	if f := failureOf(err); f != nil && isNoBatch(f.Status) {
		b.transport.noBatch.Store(true)
		return nil
	}
	if metadata.CodeOf(err) == metadata.TooLarge && len(parts) > 1 {
		return b.fetchEach(parts, maxConcurrentBatches) // one part may be too large: the others need not fail with it
	}
	if err != nil {
		return metadataError(err)
	}
	defer resp.Body.Close()
	answers, ok := parseBatch(resp.Header.Get("Content-Type"), resp.Body, len(parts))
	if !ok {
		b.transport.noBatch.Store(true)
		return nil
	}
	for i, part := range parts {
		b.answers[part].Body, b.answers[part].Err = b.call(part).checkPart(answers[i], b.transport.o.Now())
		if metadata.CodeOf(b.answers[part].Err) == metadata.RateLimited {
			b.transport.smallBatches.Store(true)
		}
	}
	return nil
}

// isNoBatch reports whether the status means that there is no batch endpoint.
func isNoBatch(status int) bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented}, status)
}

// checkPart returns the body of a part's answer, or its error.
func (c call) checkPart(resp *http.Response, now time.Time) ([]byte, error) {
	if resp == nil {
		return nil, c.noUsableAnswer(&Failure{what: "the answer was cut off", transient: true}, true)
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return nil, c.noUsableAnswer(&Failure{Status: resp.StatusCode, what: "the answer is a redirect"}, true)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, c.noUsableAnswer(&Failure{Status: resp.StatusCode, what: "the answer was cut off", transient: true}, true)
	}
	if err := c.checkAnswer(resp, body, now); err != nil {
		return nil, err
	}
	return withoutNulls(body), nil
}

// fetchEach fetches each part in a request of its own. concurrent is the maximum
// number of requests at a time.
func (b *batch) fetchEach(parts []int, concurrent int) error {
	group := panicsafe.New(concurrent)
	for _, part := range parts {
		group.Go(func() error {
			b.fetch(part)
			return nil
		})
	}
	return group.Wait()
}

// fetch fetches one part alone. It keeps the answer and returns its error.
func (b *batch) fetch(part int) error {
	a := &b.answers[part]
	a.Body, a.Err = b.get(a.Path)
	return a.Err
}

func (b *batch) get(path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(b.ctx, http.MethodGet, b.base+path, nil)
	if err != nil {
		return nil, metadata.Errorf(metadata.Internal, "batch: the path is not a URL")
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, metadataError(err)
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// call returns the call for a part.
func (b *batch) call(part int) call {
	path, _, _ := strings.Cut(b.answers[part].Path, "?")
	c := call{read: true, service: gmailService, account: b.transport.o.Account}
	var calendar bool
	if c.units, calendar = cost(http.MethodGet, path); calendar {
		c.service = calendarService
	}
	return c
}

// metadataError returns the *metadata.Error in err's chain. The HTTP client's error
// around it quotes the URL, which may contain search words.
func metadataError(err error) error {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e
	}
	return err
}
