package calendar

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// carries reports whether the event has all that a patch in JSON asks for, in
// whatever form Google writes it. It tells a change that was carried out, though
// its answer was lost, from one that was not.
func carries(now *event, patch json.RawMessage) bool {
	text, err := json.Marshal(now)
	if err != nil {
		return false
	}
	var has, asked any
	if json.Unmarshal(text, &has) != nil || json.Unmarshal(patch, &asked) != nil {
		return false
	}
	return holds(has, asked)
}

// holds reports whether has is what was asked for, or more.
func holds(has, asked any) bool {
	switch asked := asked.(type) {
	case map[string]any:
		fields, _ := has.(map[string]any)
		for name, value := range asked {
			if !holds(fields[name], value) {
				return false
			}
		}
		return true
	case []any:
		return holdsList(has, asked)
	case string:
		text, _ := has.(string)
		return strings.EqualFold(text, asked) || sameMoment(text, asked)
	case nil, bool, float64: // nothing stands for false and zero
		return has == asked || has == nil && (asked == nil || reflect.ValueOf(asked).IsZero())
	}
	return false
}

// holdsList reports whether each element that was asked for is there, in
// whatever order, and no other.
func holdsList(has any, asked []any) bool {
	list, _ := has.([]any)
	if len(list) != len(asked) {
		return false
	}
	taken := make([]bool, len(list))
	for _, want := range asked {
		at := -1
		for i, one := range list {
			if !taken[i] && holds(one, want) {
				at = i
				break
			}
		}
		if at < 0 {
			return false
		}
		taken[at] = true
	}
	return true
}

// sameMoment reports whether two texts are the same moment in RFC 3339.
func sameMoment(a, b string) bool {
	first, err := time.Parse(time.RFC3339, a)
	if err != nil {
		return false
	}
	second, err := time.Parse(time.RFC3339, b)
	return err == nil && first.Equal(second)
}
