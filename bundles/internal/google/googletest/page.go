package googletest

import (
	"encoding/base64"
	"slices"
	"strconv"
)

// maxPage is the largest page Gmail gives, whatever is asked for.
const maxPage = 500

// paginate cuts the page that is asked for out of the items, which are in the
// order of their keys: size of them where the query does not say, and most at
// the most. A page token names the key after which the page starts,
// so that pages neither repeat nor lose items when others come or go.
func paginate[T any](c *call, items []T, size, most int, key func(T) string) (page []T, next string, err error) {
	if c.query.Has("maxResults") {
		size, _ = strconv.Atoi(c.query.Get("maxResults")) // fits the document
	}
	size = max(1, min(size, most))
	if token := c.query.Get("pageToken"); token != "" {
		last, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			return nil, "", invalid("Invalid pageToken")
		}
		items = slices.DeleteFunc(slices.Clone(items), func(item T) bool { return key(item) <= string(last) })
	}
	if len(items) <= size {
		return items, "", nil
	}
	return items[:size], base64.RawURLEncoding.EncodeToString([]byte(key(items[size-1]))), nil
}

// estimate is the resultSizeEstimate: exact when all is on one page, a rough
// guess otherwise, as Gmail's is.
func estimate(shown int, more bool) int {
	if more {
		return 201
	}
	return shown
}
