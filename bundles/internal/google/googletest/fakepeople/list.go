package fakepeople

import (
	"net/url"
	"strconv"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// tokenLifetime is how long a sync token lives after the full sync.
const tokenLifetime = 7 * 24 * time.Hour

// issued is what a sync token stands for.
type issued struct {
	after      uint64 // the last change that the client knows
	full       time.Time
	parameters string
}

// page is what a page token stands for.
type page struct {
	after, until uint64 // changes
	sync         issued
	isSync       bool // the list returns changes, with deleted persons
	parameters   string
}

// sizes are the default and the maximum number of persons on a page.
type sizes struct{ usual, most int }

func listConnections(c *fakeapi.Call) (any, error) {
	if c.Vars["peopleId"] != "me" {
		return nil, fakeapi.Invalid("Only people/me is supported as resource name.")
	}
	return list(c, bookOf(c.Account).contacts, "personFields", "connections", "totalItems", sizes{100, 1000})
}

func listOtherContacts(c *fakeapi.Call) (any, error) {
	return list(c, bookOf(c.Account).others, "readMask", "otherContacts", "totalSize", sizes{100, 1000})
}

func listDirectory(c *fakeapi.Call) (any, error) {
	if bookOf(c.Account).directory == nil {
		return nil, fakeapi.FailedPrecondition("Must be a G Suite domain user.")
	}
	if len(c.Query["sources"]) == 0 {
		return nil, fakeapi.Invalid("sources is required.")
	}
	return list(c, bookOf(c.Account).directory, "readMask", "people", "", sizes{100, 1000})
}

// list answers a list of persons, with the tokens of pages and of synchronization. All parameters of
// later requests must be those of the first one.
func list(c *fakeapi.Call, from *people, maskName, into, total string, limit sizes) (any, error) {
	mask, err := maskOf(c, maskName)
	if err != nil {
		return nil, err
	}
	size, _ := strconv.Atoi(c.Query.Get("pageSize")) // checked against the document
	if size < 0 || size > limit.most {
		return nil, fakeapi.Invalid("pageSize must be between 1 and %d.", limit.most)
	}
	if size == 0 {
		size = limit.usual
	}
	now, parameters := c.Server.Now(), parametersOf(c.Query)
	p := page{until: from.change, sync: issued{full: now, parameters: parameters}, parameters: parameters}
	if token := c.Query.Get("syncToken"); token != "" {
		known, ok := from.tokens[token]
		switch {
		case !ok:
			return nil, fakeapi.Invalid("Invalid sync token.")
		case now.Sub(known.full) >= tokenLifetime:
			return nil, fakeapi.ExpiredSyncToken()
		case known.parameters != parameters:
			return nil, fakeapi.Invalid("Request parameters must match the parameters of the request that issued the sync token.")
		}
		p.after, p.sync, p.isSync = known.after, known, true
	}
	if token := c.Query.Get("pageToken"); token != "" {
		known, ok := from.pages[token]
		if !ok || known.parameters != parameters {
			return nil, fakeapi.Invalid("Request parameters must match the parameters of the request that issued the page token.")
		}
		p = known
	}
	return p.answer(c, from, mask, into, total, size), nil
}

func (p page) answer(c *fakeapi.Call, from *people, mask []string, into, total string, size int) fakeapi.Object {
	shown, rest, live := []any{}, false, 0
	for _, one := range from.sorted() {
		if !one.deleted {
			live++
		}
		if one.change <= p.after || one.deleted && !p.isSync {
			continue
		}
		if len(shown) == size {
			rest = true
			break
		}
		shown = append(shown, from.show(one, mask, sourcesOf(c)...))
		p.after = one.change
	}
	answer := fakeapi.Object{into: shown}
	if total != "" && live > 0 {
		answer[total] = live
	}
	switch {
	case rest:
		token := fakeapi.NewSecret("p")
		from.pages[token] = p
		answer["nextPageToken"] = token
	case c.Query.Get("requestSyncToken") == "true":
		token := fakeapi.NewSecret("s")
		from.tokens[token] = issued{after: p.until, full: p.sync.full, parameters: p.parameters}
		answer["nextSyncToken"] = token
	}
	return answer
}

// sourcesOf returns the sources that a request for contacts names.
func sourcesOf(c *fakeapi.Call) []string { return c.Query["sources"] }

// parametersOf returns the parameters of a request that may not change between pages and syncs.
func parametersOf(query url.Values) string {
	same := url.Values{}
	for name, values := range query {
		switch name {
		case "pageToken", "syncToken", "alt", "prettyPrint", "fields":
		default:
			same[name] = values
		}
	}
	return same.Encode()
}
