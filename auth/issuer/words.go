package issuer

import (
	"encoding/json"
	"strings"
)

// A wordList is a list of words in JSON, or one string with words: issuers write scp in
// both forms.
type wordList []string

// UnmarshalJSON accepts both forms.
func (l *wordList) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*l = strings.Fields(text)
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(l))
}
