package memory

import (
	"context"
	"encoding/json"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type setIn struct {
	Key        string          `json:"key" doc:"short name: \"coffee order\""`
	Value      json.RawMessage `json:"value" doc:"any JSON"`
	Category   string          `json:"category,omitempty" doc:"\"preferences\", \"people\", \"projects\""`
	Tags       []string        `json:"tags,omitempty"`
	ExpiresAt  string          `json:"expires_at,omitempty" doc:"RFC 3339, or a date: its start in the user's zone; then it is forgotten"`
	TTL        string          `json:"ttl,omitempty" doc:"instead of expires_at: \"12h\", \"30d\""`
	Importance *int            `json:"importance,omitempty" min:"0" max:"3"`
	Pinned     *bool           `json:"pinned,omitempty" doc:"always in memory://context"`
	Secret     *bool           `json:"secret,omitempty" doc:"kept encrypted: a password, a PIN"`
	Source     string          `json:"source,omitempty" doc:"the source: \"mail of Bob\""`
	Mode       string          `json:"mode,omitempty" enum:"upsert,create,append,merge" default:"upsert"`
	IfVersion  *int64          `json:"if_version,omitempty" min:"0" doc:"only if it is at this version; 0: new"`
}

type setOut struct {
	Key      string   `json:"key"`
	Version  int64    `json:"version"`
	Status   string   `json:"status" enum:"created,updated,unchanged"`
	Previous string   `json:"previous,omitempty"`   // the previous value, shortened
	Expires  string   `json:"expires_at,omitempty"` // the time when it expires, in the user's zone
	UndoID   string   `json:"undo_id,omitempty"`
	Similar  []string `json:"similar,omitempty"` // for a new key: up to 3 similar keys
	Reason   string   `json:"reason,omitempty"`  // for a memory that became a secret: why its earlier plaintext is still in the file
	Copies   []string `json:"copies,omitempty"`  // other files next to the database that may still contain that plaintext

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of previous and similar
}

func (m *memory) setAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "set", Effect: metadata.Writes,
		Summary:     "Remember a value under a key.",
		Description: "Replaces the old value, unless mode says otherwise; old versions stay.",
		Tags:        []string{"save", "store", "remember"},
		Aliases:     metadata.Aliases{"set save store remember add create write put upsert: - memory fact"},
		Examples: []metadata.Example{
			{Title: "Store user preference", Args: setIn{Key: "theme", Value: json.RawMessage(`"dark"`), Category: "preferences"}},
			{Title: "A structured value that expires", Args: setIn{Key: "parking", Value: json.RawMessage(`{"level": 3, "spot": "B12"}`), TTL: "12h", Tags: []string{"car"}}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.Conflict, metadata.Refused, metadata.TooLarge},
		Notes: []string{
			"Replacing a value keeps its category, tags, importance and pin; expiry and source are removed unless given again.",
			"A source that names a mail, event or page marks the value as untrusted content when it is recalled; so does untrusted content read earlier in the session.",
			"mode create refuses a key that exists; append joins objects, arrays and texts; merge is RFC 7396.",
			"Only memory_get with the exact key returns a secret's value; no search, list, export or history does. A secret stays secret: secret false is refused, and only the user can store it in plain text, with `kota memory unseal`. Its key, category and tags are not encrypted.",
			"similar lists similar keys: correct a near-duplicate with memory_update {rename_to} or memory_delete.",
		},
	}, m.set)
}

func (m *memory) set(ctx context.Context, in setIn) (setOut, error) {
	var p problems
	p.key("key", in.Key)
	p.value("value", in.Value)
	p.tags("tags", in.Tags)
	p.line("category", in.Category, maxTag)
	p.line("source", in.Source, maxSource)
	expires := p.expiry(in.ExpiresAt, in.TTL, m.Now(), m.Zone())
	if err := p.err(); err != nil {
		return setOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return setOut{}, err
	}
	written, err := memories.Set(ctx, store.Entry{
		Key: in.Key, Value: in.Value, Category: nilIfEmpty(in.Category), Tags: in.Tags, Source: untrusted.SourceToStore(ctx, in.Source),
		Importance: in.Importance, Pinned: in.Pinned, Secret: in.Secret, Expires: expires, Mode: store.Mode(in.Mode), IfVersion: in.IfVersion,
		JoinSource: untrusted.JoinSources,
	})
	if err != nil {
		return setOut{}, explain(ctx, err, in.Key)
	}
	out := m.setAnswer(ctx, written)
	if len(written.Similar) > 0 {
		var sources []string
		for _, one := range written.Similar {
			out.Similar, sources = append(out.Similar, one.Key), append(sources, one.Source)
		}
		out.Provenance = commonProvenance(ctx, sources)
	}
	return out, nil
}

// nilIfEmpty returns nil for an empty text.
func nilIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
