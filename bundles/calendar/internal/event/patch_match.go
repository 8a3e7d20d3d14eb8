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
	var actual, requested any
	if json.Unmarshal(text, &actual) != nil || json.Unmarshal(patch, &requested) != nil {
		return false
	}
	if fields, ok := requested.(map[string]any); ok && fields["attendeesOmitted"] == true {
		requested = withOtherAttendees(actual, fields)
	}
	return containsValue(actual, requested)
}

// withOtherAttendees adds to the patch the attendees of the event that the patch does not
// name. A patch with attendeesOmitted leaves those attendees as they are.
func withOtherAttendees(actual any, requested map[string]any) map[string]any {
	rest := maps.Clone(requested)
	delete(rest, "attendeesOmitted")
	fields, _ := actual.(map[string]any)
	now, _ := fields["attendees"].([]any)
	wanted, _ := requested["attendees"].([]any)
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

// containsValue reports whether actual contains every value in requested.
func containsValue(actual, requested any) bool {
	switch requested := requested.(type) {
	case map[string]any:
		fields, _ := actual.(map[string]any)
		for name, value := range requested {
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
		return matchesList(actual, requested)
	case string:
		text, _ := actual.(string)
		return text == requested || sameMoment(text, requested) || sameRule(text, requested)
	case nil, bool, float64: // an absent value equals false and zero
		return actual == requested || actual == nil && (requested == nil || reflect.ValueOf(requested).IsZero())
	}
	return false
}

// lowerCase returns a text in lower case, as Google writes addresses. It returns any other
// value unchanged.
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
// list, so a stored guest must not have a field of guestFields that the patch leaves out.
func containsElement(actual, requested any) bool {
	guest, _ := actual.(map[string]any)
	wanted, ok := requested.(map[string]any)
	return containsValue(actual, requested) && !(ok && slices.ContainsFunc(guestFields, func(name string) bool { return wanted[name] == nil && guest[name] != nil }))
}

// matchesList reports whether the list has exactly the requested elements, in any order.
func matchesList(actual any, requested []any) bool {
	list, _ := actual.([]any)
	if len(list) != len(requested) {
		return false
	}
	used := make([]bool, len(list))
	for _, want := range requested {
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

// DifferingFields returns the fields that Google stored differently from the request, with
// names for the user. It does not compare the video call and the rights of guests. It
// returns nil if it cannot compare the two events.
func DifferingFields(actual, requested *calendarapi.Event) []string {
	stored, err := json.Marshal(actual)
	if err != nil {
		return nil
	}
	wanted, err := json.Marshal(requested)
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
	if slices.ContainsFunc(requested.Attendees, func(a *calendarapi.EventAttendee) bool { return FindGuest(actual.Attendees, a.Email) == nil }) {
		differing = append(differing, "list of guests")
	}
	for _, name := range slices.Sorted(maps.Keys(argumentNames)) {
		if value, given := was[name]; given && !containsValue(is[name], value) {
			differing = append(differing, argumentNames[name])
		}
	}
	return differing
}
