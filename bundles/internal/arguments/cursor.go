package arguments

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"kota/metadata"
)

// EncodeCursor is the form in which a cursor is handed out: letters, digits,
// "-" and "_". The cursor is of strings, numbers and what is made of them, so
// that it always has a form in JSON.
func EncodeCursor(cursor any) string {
	raw, _ := json.Marshal(cursor)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// DecodeCursor reads what EncodeCursor wrote into the cursor that is pointed
// to. It reports false when the text is none; whether a cursor makes sense its
// tool has to see for itself, since anybody can make one up.
func DecodeCursor(text string, cursor any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, cursor) == nil
}

// BadCursor is the VALIDATION_ERROR of a cursor that the tool has not given.
func BadCursor(tool, cursor string) *metadata.Error {
	return Invalid("cursor", "the cursor of an answer of "+tool, strconv.Quote(Brief(cursor))).
		WithHint("Give the cursor as the answer before had it, or leave it out to begin anew.")
}
