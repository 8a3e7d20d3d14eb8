package metadata_test

import (
	"encoding/json"
	"testing"

	"kota/metadata"
)

func TestRedactCountsFreeValues(t *testing.T) {
	schema, err := metadata.Infer[struct {
		Metrics map[string]any    `json:"metrics"`
		Names   map[string]string `json:"names"`
		Nothing struct{}          `json:"nothing"`
	}]()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"metrics":{"chars":15},"names":{"chars":9},"nothing":{}}`
	if got := string(schema.Redact(json.RawMessage(`{"metrics":{"weight":70.5},"names":{"a":"b"},"nothing":{}}`))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
