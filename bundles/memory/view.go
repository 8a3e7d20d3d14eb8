package memory

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A view is a memory in the form of answers. Empty fields are left out.
type view struct {
	Key        string          `json:"key"`
	Value      json.RawMessage `json:"value,omitempty"`  // for a secret only if the call asked for its key
	Secret     bool            `json:"secret,omitempty"` // the value is stored encrypted
	Category   string          `json:"category,omitempty"`
	Tags       []string        `json:"tags,omitempty"`
	Version    int64           `json:"version"`
	Updated    string          `json:"updated"` // RFC 3339, in the user's zone
	ExpiresAt  string          `json:"expires_at,omitempty"`
	Importance int             `json:"importance,omitempty"`
	Pinned     bool            `json:"pinned,omitempty"`
	Source     string          `json:"source,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // set if the memory is, or may be, the words of others
}

func (m *memory) view(ctx context.Context, s *store.Memory) view {
	value := s.Value
	if s.Secret {
		value = nil
	}
	return view{
		Key: s.Key, Value: value, Secret: s.Secret, Category: s.Category, Tags: s.Tags, Version: s.Version,
		Updated: m.formatTime(s.Updated), ExpiresAt: m.formatTime(s.Expires), Importance: s.Importance, Pinned: s.Pinned, Source: s.Source,
		Provenance: untrusted.MarkMemory(ctx, s.Source),
	}
}

// formatTime returns a time in the user's zone, to the second, or "" for the zero time.
func (m *memory) formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(m.Zone()).Format(time.RFC3339)
}

// preview returns the value of a memory like shorten, and hides the value of a secret.
func preview(s *store.Memory, n int) string {
	if s.Secret {
		return "(secret)"
	}
	return shorten(s.Value, n)
}

// shorten returns a value on one line. After n characters it cuts the value and
// adds an ellipsis.
func shorten(value json.RawMessage, n int) string {
	clean := htmltext.CleanJSON(value)
	text, s := string(clean), ""
	if json.Unmarshal(clean, &s) == nil {
		text = s
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n]) + "…"
}

// commonProvenance returns one provenance for all these sources: that of the last source that is
// not the user's, or nil if all are the user's. If it is not nil, the session is tainted.
func commonProvenance(ctx context.Context, sources []string) (common *untrusted.Provenance) {
	for _, source := range sources {
		if one := untrusted.MarkMemory(ctx, source); one != nil {
			common = one
		}
	}
	return common
}

// keysProvenance returns one provenance for keys that an answer shows without their
// memories, such as the nearest ones. It ignores keys that it cannot read.
func keysProvenance(ctx context.Context, memories Memories, keys []string) *untrusted.Provenance {
	sources := []string{}
	for _, key := range keys {
		if found, err := memories.Get(ctx, key); err == nil {
			sources = append(sources, found.Source)
		}
	}
	return commonProvenance(ctx, sources)
}
