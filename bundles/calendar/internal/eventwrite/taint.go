package eventwrite

import (
	"context"
	"encoding/json"
	"slices"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
)

// withTaint returns the request with its Tainted and Approved fields set. A session is
// tainted once it has read untrusted content. A request is tainted if it writes text in a
// tainted session. It is approved if the user approved all of that text.
func (r Request) withTaint(ctx context.Context) Request {
	r.Tainted = r.Tainted || bundles.HasUntrusted(ctx) && r.writesText()
	r.Approved = r.Approved || bundles.UserApproved(ctx) && !r.PartlyApproved
	return r
}

// writesText reports whether the request writes text into an event.
func (r Request) writesText() bool {
	switch {
	case r.isInsert():
		return true
	case r.textUnchanged, r.MarkPatch != nil:
		return false
	}
	var fields map[string]any
	if r.Method != "PATCH" || json.Unmarshal(r.Body, &fields) != nil {
		return false
	}
	return slices.ContainsFunc([]string{"summary", "description", "location", "attachments"}, func(name string) bool { return fields[name] != nil })
}

// body returns the JSON to send: Body, with a mark if its text is tainted. The mark is not
// part of the digest of a request.
func (r Request) body() ([]byte, error) {
	if !r.Tainted {
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
	private[event.TaintKey], properties["private"], fields["extendedProperties"] = event.Tainted, private, properties
	if r.Approved {
		private[event.TaintKey] = event.TaintApproved
	}
	return json.Marshal(fields)
}
