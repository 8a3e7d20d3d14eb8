package event

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
)

// MatchesPatch reports whether the event has every value of a patch in JSON, in any form
// in which Google writes that value. It shows whether a change with a lost answer was
// made.
func MatchesPatch(now *calendarapi.Event, patch json.RawMessage) bool {
	text, err := json.Marshal(now)
	if err != nil {
		return false
	}
	var has, asked any
	if json.Unmarshal(text, &has) != nil || json.Unmarshal(patch, &asked) != nil {
		return false
	}
	if fields, ok := asked.(map[string]any); ok && fields["attendeesOmitted"] == true {
		asked = withOtherAttendees(has, fields)
	}
	return containsValue(has, asked)
}

// withOtherAttendees returns the patch with all attendees of the event added that it does
// not name. The patch changes only the attendees that it names.
func withOtherAttendees(has any, asked map[string]any) map[string]any {
	rest := maps.Clone(asked)
	delete(rest, "attendeesOmitted")
	fields, _ := has.(map[string]any)
	now, _ := fields["attendees"].([]any)
	wanted, _ := asked["attendees"].([]any)
	others := slices.DeleteFunc(slices.Clone(now), func(one any) bool {
		return slices.ContainsFunc(wanted, func(want any) bool { return sameAttendee(one, want) })
	})
	rest["attendees"] = append(slices.Clone(wanted), others...)
	return rest
}

func sameAttendee(a, b any) bool {
	one, _ := a.(map[string]any)
	other, _ := b.(map[string]any)
	email, _ := one["email"].(string)
	otherEmail, _ := other["email"].(string)
	return strings.EqualFold(email, otherEmail)
}

// containsValue reports whether has contains every value in asked.
func containsValue(has, asked any) bool {
	switch asked := asked.(type) {
	case map[string]any:
		fields, _ := has.(map[string]any)
		for name, value := range asked {
			kept := fields[name]
			if kept == nil && value != nil {
				kept = defaultValues[name]
			}
			if name == "email" {
				kept, value = lowerCase(kept), lowerCase(value)
			}
			if !containsValue(kept, value) {
				return false
			}
		}
		return true
	case []any:
		return matchesList(has, asked)
	case string:
		text, _ := has.(string)
		return text == asked || sameMoment(text, asked) || sameRule(text, asked)
	case nil, bool, float64: // an absent value equals false and zero
		return has == asked || has == nil && (asked == nil || reflect.ValueOf(asked).IsZero())
	}
	return false
}

// lowerCase returns a text in lower case, as Google writes addresses.
func lowerCase(value any) any {
	if text, ok := value.(string); ok {
		return strings.ToLower(text)
	}
	return value
}

// defaultValues holds the values that Google leaves out of an event because they are the
// default.
var defaultValues = map[string]any{
	"visibility": "default", "transparency": "opaque", "guestsCanInviteOthers": true, "guestsCanSeeOtherGuests": true,
}

// guestFields are the fields of a guest that an update sets and that Google never fills in.
var guestFields = []string{"optional", "comment", "additionalGuests"}

// containsElement is containsValue for an element of a list. An update replaces the whole
// list, so a guest may not have a field of guestFields that the patch leaves out.
func containsElement(has, asked any) bool {
	guest, _ := has.(map[string]any)
	wanted, ok := asked.(map[string]any)
	return containsValue(has, asked) && !(ok && slices.ContainsFunc(guestFields, func(name string) bool { return wanted[name] == nil && guest[name] != nil }))
}

// matchesList reports whether the list has exactly the requested elements, in any order.
func matchesList(has any, asked []any) bool {
	list, _ := has.([]any)
	if len(list) != len(asked) {
		return false
	}
	used := make([]bool, len(list))
	for _, want := range asked {
		at := -1
		for i, one := range list {
			if !used[i] && containsElement(one, want) {
				at = i
				break
			}
		}
		if at < 0 {
			return false
		}
		used[at] = true
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

// sameRule reports whether two texts are the same RRULE, with its parts in any order.
func sameRule(a, b string) bool {
	const name = "RRULE:"
	if !strings.HasPrefix(a, name) || !strings.HasPrefix(b, name) {
		return false
	}
	parts := func(rule string) []string {
		return slices.Sorted(strings.SplitSeq(strings.ToUpper(rule[len(name):]), ";"))
	}
	return slices.Equal(parts(a), parts(b))
}

// DifferingFields returns the fields that Google stored differently from the request,
// with names for the user.
func DifferingFields(has, asked *calendarapi.Event) []string {
	stored, err := json.Marshal(has)
	if err != nil {
		return nil
	}
	wanted, err := json.Marshal(asked)
	if err != nil {
		return nil
	}
	var is, was map[string]any
	if json.Unmarshal(stored, &is) != nil || json.Unmarshal(wanted, &was) != nil {
		return nil
	}
	argumentNames := map[string]string{
		"summary": "title", "start": "start", "end": "end", "recurrence": "recurrence", "location": "location", "description": "description",
		"reminders": "list of reminders", "colorId": "color", "visibility": "visibility", "transparency": "show_as",
		"eventType": "type",
	}
	differing := []string{}
	if slices.ContainsFunc(asked.Attendees, func(a *calendarapi.EventAttendee) bool { return FindGuest(has.Attendees, a.Email) == nil }) {
		differing = append(differing, "list of guests")
	}
	for _, name := range slices.Sorted(maps.Keys(argumentNames)) {
		if value, given := was[name]; given && !containsValue(is[name], value) {
			differing = append(differing, argumentNames[name])
		}
	}
	return differing
}
