package daily

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// documentPrefix is the first letter of every document id.
const documentPrefix = "d"

// taskPrefix is the first letter of every task id.
const taskPrefix = "t"

// A docOut is a plan, a review or another document in full.
type docOut struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Period  string          `json:"period,omitempty"`
	Title   string          `json:"title"`
	Body    string          `json:"body"` // Markdown
	Answers json.RawMessage `json:"answers"`
	Version int64           `json:"version"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote it, or may have
}

// getDocument returns one document and its versions. For a deleted document it returns
// only the versions.
func (d *daily) getDocument(ctx context.Context, diary Diary, id string) (getOut, error) {
	versions, err := d.versions(ctx, diary, id)
	if err != nil {
		return getOut{}, err
	}
	doc, err := diary.Document(ctx, id)
	if err != nil && len(versions) == 0 {
		return getOut{}, unknownID(id, err)
	}
	out := getOut{Days: []dayOut{}, Versions: versions}
	if err == nil {
		provenance := untrusted.MarkDiary(ctx, doc.Source)
		out.Document = &docOut{
			ID: doc.ID, Type: doc.Type, Period: doc.Period, Title: doc.Title, Body: rows.Fence(doc.Body, provenance), Answers: doc.Fields, Version: doc.Version,
			Provenance: provenance,
		}
	}
	return out, nil
}

// documentVersion returns an earlier version of a document with its answers shortened.
func documentVersion(ctx context.Context, change store.Revision) (version, error) {
	before := store.Document{}
	if err := json.Unmarshal(change.Before, &before); err != nil {
		return version{}, fmt.Errorf("read a version of %s: %w", change.ID, err)
	}
	return version{
		Version: before.Version, Date: before.Period, Text: htmltext.Short(string(before.Fields), rows.Brief), Provenance: untrusted.MarkDiary(ctx, before.Source),
	}, nil
}

// isDocument reports whether the id is a document id.
func isDocument(id string) bool { return strings.HasPrefix(id, documentPrefix) }
