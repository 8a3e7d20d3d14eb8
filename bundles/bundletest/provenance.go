package bundletest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// PathsWithoutProvenance returns the places in an answer that contain the given words and have
// no provenance, as paths such as "events[0].title". A provenance in the same object or a
// surrounding one counts. PathsWithoutProvenance also searches strings that are JSON objects.
func PathsWithoutProvenance(answer any, words string) []string {
	raw, err := json.Marshal(answer)
	if err != nil {
		return []string{err.Error()}
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return []string{err.Error()}
	}
	return addWithoutProvenance(nil, "", value, words)
}

func addWithoutProvenance(found []string, path string, value any, words string) []string {
	switch v := value.(type) {
	case string:
		var inner any
		if strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &inner) == nil {
			return addWithoutProvenance(found, path, inner, words)
		}
		if strings.Contains(v, words) {
			return append(found, path)
		}
	case []any:
		for i, one := range v {
			found = addWithoutProvenance(found, fmt.Sprintf("%s[%d]", path, i), one, words)
		}
	case map[string]any:
		if v["provenance"] != nil {
			return found
		}
		for name, one := range v {
			inner := strings.TrimPrefix(path+"."+name, ".")
			if strings.Contains(name, words) {
				found = append(found, inner)
			}
			found = addWithoutProvenance(found, inner, one, words)
		}
	}
	return found
}
