package eventwrite

import (
	"context"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
)

// writtenIn returns the request with its Mixed and Agreed fields set. A request is mixed if
// it writes text in a tainted session. It is agreed if the user approved all of that text.
func (r Request) writtenIn(ctx context.Context) Request {
	r.Mixed = r.Mixed || bundles.HasUntrusted(ctx) && r.writes()
	r.Agreed = r.Agreed || bundles.Agreed(ctx) && !r.Partly
	return r
}

// writes reports whether the request writes text into an event.
func (r Request) writes() bool {
	switch {
	case r.inserts():
		return true
	case r.same, r.Again != nil:
		return false
	}
	var fields map[string]any
	if r.Method != "PATCH" || json.Unmarshal(r.Body, &fields) != nil {
		return false
	}
	return slices.ContainsFunc([]string{"summary", "description", "location", "attachments"}, func(name string) bool { return fields[name] != nil })
}

// body returns the body to send: the requested event, marked if its text is mixed. The mark
// does not count when two requests are compared.
func (r Request) body() ([]byte, error) {
	if !r.Mixed {
		return r.Body, nil
	}
	fields := event.Fields{}
	if err := json.Unmarshal(r.Body, &fields); err != nil {
		return nil, err
	}
	properties, _ := fields["extendedProperties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	private, _ := properties["private"].(map[string]any)
	if private == nil {
		private = map[string]any{}
	}
	private[event.MixedKey], properties["private"], fields["extendedProperties"] = event.Mixed, private, properties
	if r.Agreed {
		private[event.MixedKey] = event.Agreed
	}
	return json.Marshal(fields)
}
