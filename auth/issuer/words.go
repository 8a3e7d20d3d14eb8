package issuer

import (
	"encoding/json"
	"strings"
)

// A wordList accepts words in one string or in a list: issuers write scp either way.
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
