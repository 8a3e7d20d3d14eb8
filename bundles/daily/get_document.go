package daily

import (
	"context"
	"encoding/json"

	"kota/store"
)

// documentLetter is what the ids of documents begin with.
const documentLetter = "d"

// taskLetter is what the ids of tasks begin with.
const taskLetter = "t"

// A docOut is a plan, a review or another document, whole.
type docOut struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Period  string          `json:"period,omitempty"`
	Title   string          `json:"title"`
	Body    string          `json:"body"` // Markdown
	Answers json.RawMessage `json:"answers"`
	Version int64           `json:"version"`
}

// getDocument answers with one document.
func getDocument(ctx context.Context, diary *store.Diary, id string) (getOut, error) {
	doc, err := diary.Document(ctx, id)
	if err != nil {
		return getOut{}, unknown(id, err)
	}
	return getOut{Days: []dayOut{}, Document: &docOut{
		ID: doc.ID, Type: doc.Type, Period: doc.Period, Title: doc.Title, Body: doc.Body, Answers: doc.Fields, Version: doc.Version,
	}}, nil
}
