package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
	"kota/store"
)

// These are the formats of Export.
const (
	JSON     = "json"  // {"kota": "memories", "format": 1, "memories": […]}
	JSONL    = "jsonl" // one memory per line
	Markdown = "md"    // for people; it cannot be imported
)

// Formats lists the formats that Export writes.
var Formats = []string{JSON, JSONL, Markdown}

// An exportedMemory is a memory in a file.
type exportedMemory struct {
	Key        string          `json:"key"`
	Value      json.RawMessage `json:"value"`
	Category   string          `json:"category,omitempty"`
	Tags       []string        `json:"tags,omitempty"`
	Source     string          `json:"source,omitempty"`
	Importance int             `json:"importance,omitempty"`
	Pinned     bool            `json:"pinned,omitempty"`
	Created    string          `json:"created,omitempty"` // RFC 3339 in UTC, like the other times
	Updated    string          `json:"updated,omitempty"`
	ExpiresAt  string          `json:"expires_at,omitempty"`
	Version    int64           `json:"version,omitempty"`
}

// An ExportCounts counts what Export wrote and left out.
type ExportCounts struct {
	Written int
	Secrets int // left out, because a file would contain them in plain text
}

// Export writes every memory that is neither deleted nor expired, except secrets. It
// orders them by key. It escapes invisible characters in JSON, and removes them from
// Markdown. It calls step after each part with the number of written memories. A memory
// whose value changes during the export is written once, before or after its change.
func Export(ctx context.Context, memories Reader, w io.Writer, format string, step func(done int)) (ExportCounts, error) {
	out := &exporter{w: w, format: format}
	out.begin()
	for cursor := ""; ; {
		part, next, err := memories.List(ctx, store.Filter{}, store.Page{Order: store.ByKey, Limit: 500, Cursor: cursor})
		if err != nil {
			return out.done, fmt.Errorf("export memories: %w", err)
		}
		for _, m := range part {
			out.memory(m)
		}
		if out.err != nil {
			return out.done, fmt.Errorf("export memories: %w", out.err)
		}
		step(out.done.Written)
		if cursor = next; cursor == "" {
			break
		}
	}
	out.end()
	return out.done, out.err
}

// An exporter writes nothing after an error and keeps the error in err, so that
// callers check it only once.
type exporter struct {
	w      io.Writer
	format string
	done   ExportCounts
	err    error
}

func (e *exporter) write(text string) {
	if e.err == nil {
		_, e.err = io.WriteString(e.w, text)
	}
}

func (e *exporter) begin() {
	switch e.format {
	case JSON:
		e.write(`{"kota": "memories", "format": 1, "memories": [`)
	case Markdown:
		e.write("# Memories\n")
	}
}

func (e *exporter) end() {
	if e.format == JSON {
		e.write("\n]}\n")
	}
}

func (e *exporter) memory(m *store.Memory) {
	if m.Secret {
		e.done.Secrets++
		return
	}
	if e.format == Markdown {
		e.write(bundles.Clean(markdown(m)))
		e.done.Written++
		return
	}
	line, err := metadata.Plain(exportMemory(m))
	if err != nil {
		e.err = err
		return
	}
	line = htmltext.EscapeJSON(line)
	if e.format == JSON {
		separator := ",\n"
		if e.done.Written == 0 {
			separator = "\n"
		}
		e.write(separator + string(line))
	} else {
		e.write(string(line) + "\n")
	}
	e.done.Written++
}

func exportMemory(m *store.Memory) exportedMemory {
	return exportedMemory{
		Key: m.Key, Value: m.Value, Category: m.Category, Tags: m.Tags, Source: m.Source, Importance: m.Importance, Pinned: m.Pinned,
		Created: formatUTC(m.Created), Updated: formatUTC(m.Updated), ExpiresAt: formatUTC(m.Expires), Version: m.Version,
	}
}

func formatUTC(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.999Z07:00")
}

// markdown returns a memory as a section: text as a quote, other values as JSON.
func markdown(m *store.Memory) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", m.Key)
	var text string
	if json.Unmarshal(m.Value, &text) == nil {
		b.WriteString("> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n")
	} else {
		var pretty bytes.Buffer
		if json.Indent(&pretty, m.Value, "", "  ") != nil {
			pretty.Reset()
			pretty.Write(m.Value)
		}
		fmt.Fprintf(&b, "```json\n%s\n```\n\n", pretty.String())
	}
	facts := []string{"updated " + formatUTC(m.Updated)}
	if m.Category != "" {
		facts = append(facts, "category "+m.Category)
	}
	if len(m.Tags) > 0 {
		facts = append(facts, "tags "+strings.Join(m.Tags, ", "))
	}
	if !m.Expires.IsZero() {
		facts = append(facts, "expires "+formatUTC(m.Expires))
	}
	if m.Source != "" {
		facts = append(facts, "from "+m.Source)
	}
	b.WriteString(strings.Join(facts, " · ") + "\n")
	return b.String()
}
