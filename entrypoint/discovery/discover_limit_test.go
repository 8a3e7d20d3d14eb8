package discovery_test

import (
	"strings"
	"testing"

	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestQueryMustNotBeTooLong(t *testing.T) {
	r := routertest.New(t, pipeline.Options{})
	for query, wants := range map[string]metadata.Code{
		strings.Repeat("ä", 2000):                      "",
		strings.Repeat("ä", 2001):                      metadata.ValidationError,
		"select:" + strings.Repeat("memory_set,", 900): metadata.ValidationError,
	} {
		_, err := routertest.Call(t, r, "kota_discover_bundles", `{"query": "`+query+`"}`)
		got := metadata.Code("")
		if err != nil {
			got = metadata.CodeOf(err)
		}
		if got != wants {
			t.Errorf("a query of %d bytes: the code is %q, want %q (%v)", len(query), got, wants, err)
		}
	}
}
