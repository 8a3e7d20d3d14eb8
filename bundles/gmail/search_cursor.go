package gmail

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"kota/metadata"
)

// A searchCursor is a search and how far it has come. It is handed out so that
// the next page is of the same search, whatever "7d" means by then.
type searchCursor struct {
	Q       string            `json:"q"`
	Account string            `json:"a,omitempty"`
	Tokens  map[string]string `json:"t"` // Gmail's, by account; nil at the beginning

	label string // that Q asks for, at the beginning
}

// cursor returns where the search that was asked for begins, or goes on.
func (g *gmail) cursor(in searchIn) (searchCursor, error) {
	if in.Cursor == "" {
		c := conditions{
			From: in.From, To: in.To, Subject: in.Subject, Label: in.Label,
			After: in.After, Before: in.Before, Unread: in.Unread, HasAttachment: in.HasAttachment,
		}
		q, err := c.q(in.Query, g.Now())
		return searchCursor{Q: q, Account: in.Account, label: in.Label}, err
	}
	at := searchCursor{}
	raw, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	if err == nil {
		err = json.Unmarshal(raw, &at)
	}
	if err != nil || len(at.Tokens) == 0 {
		return at, badCursor("gmail_search_messages", in.Cursor)
	}
	return at, nil
}

// badCursor is the error of a cursor that the tool has not given.
func badCursor(tool, cursor string) error {
	e := metadata.Errorf(metadata.ValidationError, "the cursor is none of %s", tool).
		WithHint("Give the cursor as the answer before had it, or leave it out to begin anew.")
	e.Problems = []metadata.Problem{{Path: "cursor", Expected: "the cursor of an answer", Got: strconv.Quote(brief(cursor))}}
	return e
}

// String is the form in which the cursor is handed out.
func (c searchCursor) String() string {
	raw, _ := json.Marshal(c) // of strings alone: it cannot fail
	return base64.RawURLEncoding.EncodeToString(raw)
}
