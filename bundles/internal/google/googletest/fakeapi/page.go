package fakeapi

import (
	"encoding/base64"
	"slices"
	"strconv"
)

// MaxPage is the largest page that Gmail returns, whatever the request asks
// for.
const MaxPage = 500

// Paginate returns the requested page of the items, which must be sorted by
// key. It has size items if the query does not say, and at most most. A page
// token names the key after which the page starts, so that pages neither repeat
// nor lose items if others are added or removed.
func Paginate[T any](c *Call, items []T, size, most int, key func(T) string) (page []T, next string, err error) {
	if c.Query.Has("maxResults") {
		size, _ = strconv.Atoi(c.Query.Get("maxResults")) // checked against the document
	}
	size = max(1, min(size, most))
	if token := c.Query.Get("pageToken"); token != "" {
		last, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			return nil, "", Invalid("Invalid pageToken")
		}
		items = slices.DeleteFunc(slices.Clone(items), func(item T) bool { return key(item) <= string(last) })
	}
	if len(items) <= size {
		return items, "", nil
	}
	return items[:size], base64.RawURLEncoding.EncodeToString([]byte(key(items[size-1]))), nil
}

// Estimate returns the resultSizeEstimate: exact if everything is on one page,
// otherwise a rough guess, as in Gmail.
func Estimate(shown int, more bool) int {
	if more {
		return 201
	}
	return shown
}
