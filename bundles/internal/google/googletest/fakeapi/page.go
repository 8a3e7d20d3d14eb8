package fakeapi

import (
	"encoding/base64"
	"slices"
	"strconv"
)

// MaxPage is the largest page Gmail gives, whatever is asked for.
const MaxPage = 500

// Paginate cuts the page that is asked for out of the items, which are in the
// order of their keys: size of them where the query does not say, and most at
// the most. A page token names the key after which the page starts,
// so that pages neither repeat nor lose items when others come or go.
func Paginate[T any](c *Call, items []T, size, most int, key func(T) string) (page []T, next string, err error) {
	if c.Query.Has("maxResults") {
		size, _ = strconv.Atoi(c.Query.Get("maxResults")) // fits the document
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

// Estimate is the resultSizeEstimate: exact when all is on one page, a rough
// guess otherwise, as Gmail's is.
func Estimate(shown int, more bool) int {
	if more {
		return 201
	}
	return shown
}
