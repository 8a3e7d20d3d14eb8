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
// key. The page has pageSize items if the query names no size, and at most
// maxSize. A page token names the key after which the page starts, so that
// pages neither repeat nor lose items if others are added or removed.
func Paginate[T any](c *Call, items []T, pageSize, maxSize int, key func(T) string) (page []T, next string, err error) {
	if c.Query.Has("maxResults") {
		pageSize, _ = strconv.Atoi(c.Query.Get("maxResults")) // checked against the document
	}
	pageSize = max(1, min(pageSize, maxSize))
	if token := c.Query.Get("pageToken"); token != "" {
		last, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			return nil, "", Invalid("Invalid pageToken")
		}
		items = slices.DeleteFunc(slices.Clone(items), func(item T) bool { return key(item) <= string(last) })
	}
	if len(items) <= pageSize {
		return items, "", nil
	}
	return items[:pageSize], base64.RawURLEncoding.EncodeToString([]byte(key(items[pageSize-1]))), nil
}

// Estimate returns the resultSizeEstimate: exact if everything is on one page,
// otherwise a rough guess, as in Gmail.
func Estimate(onPage int, more bool) int {
	if more {
		return 201
	}
	return onPage
}
