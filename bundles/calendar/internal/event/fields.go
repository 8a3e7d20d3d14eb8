package event

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"
)

// Fields holds some of an event's fields as decoded JSON. Changes compare and send these
// fields, and store them for undo.
type Fields map[string]any

// FieldsOf returns the fields of an event, without the empty ones.
func FieldsOf(e *calendarapi.Event) (Fields, error) {
	raw, err := json.Marshal(WithZeroValues(e))
	if err != nil {
		return nil, fmt.Errorf("write event: %w", err)
	}
	fields := Fields{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("write event: %w", err)
	}
	return fields, nil
}

// Event returns the event that has these fields.
func (f Fields) Event() (*calendarapi.Event, error) {
	e := &calendarapi.Event{}
	raw, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(raw, e)
	}
	if err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	return e, nil
}

// Names returns the sorted names of the fields.
func (f Fields) Names() []string { return slices.Sorted(maps.Keys(f)) }

// PatchTo returns the merge patch (RFC 7396) that turns these fields into the wanted ones.
// Google's patch method uses the same rules. A removed field is nil in the patch, and a
// removed list is empty. If start or end changes, the patch has both in full. Otherwise a
// remaining part of the old value could change the meaning of the new value. Changed
// reminders are in full too.
func (f Fields) PatchTo(wanted Fields) Fields {
	patch := MergePatch(f, wanted)
	_, start := patch["start"]
	_, end := patch["end"]
	if start || end {
		patch["start"], patch["end"] = completeTime(wanted["start"]), completeTime(wanted["end"])
	}
	if _, given := patch["reminders"]; given {
		patch["reminders"] = completeReminders(wanted["reminders"])
	}
	for _, list := range []string{"attendees", "recurrence", "attachments"} {
		if value, given := patch[list]; given && value == nil {
			patch[list] = []any{}
		}
	}
	return patch
}

// MergePatch returns the merge patch (RFC 7396) that turns the object from into the object
// to. It leaves out values that are equal by SameValue.
func MergePatch(from, to map[string]any) Fields {
	patch := Fields{}
	for name, was := range from {
		is, kept := to[name]
		inner, nested := is.(map[string]any)
		old, wasNested := was.(map[string]any)
		switch {
		case !kept:
			patch[name] = nil
		case SameValue(was, is):
		case nested && wasNested:
			patch[name] = map[string]any(MergePatch(old, inner))
		default:
			patch[name] = is
		}
	}
	for name, is := range to {
		if _, known := from[name]; !known {
			patch[name] = is
		}
	}
	return patch
}

// SameValue reports whether two values of a field mean the same. For example, the same
// moment may have different offsets.
func SameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, SameValue)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, SameValue)
	case string:
		b, ok := b.(string)
		return ok && (a == b || sameMoment(a, b))
	}
	return a == b
}

// completeTime returns a start or an end for a merge patch. It sets every part, so that no
// part of the previous value stays.
func completeTime(value any) any {
	given, _ := value.(map[string]any)
	complete := map[string]any{"date": nil, "dateTime": nil, "timeZone": nil}
	maps.Copy(complete, given)
	return complete
}

// completeReminders returns reminders for a merge patch. It sets every part, so that no
// part of the previous reminders stays.
func completeReminders(value any) any {
	given, _ := value.(map[string]any)
	complete := map[string]any{"useDefault": false, "overrides": []any{}}
	maps.Copy(complete, given)
	return complete
}

// IsPersonal reports whether all fields belong to the user's own copy of an event. Other
// people do not see a change of such fields.
func (f Fields) IsPersonal() bool {
	own := []string{"reminders", "colorId", "transparency", "visibility", "eventLabelId"}
	return !slices.ContainsFunc(f.Names(), func(name string) bool { return !slices.Contains(own, name) })
}

// ArgumentNames returns the sorted names of the arguments that set the fields, without
// duplicates.
func (f Fields) ArgumentNames() []string {
	names := []string{}
	for _, name := range f.Names() {
		argument, known := FieldArguments[name]
		if !known {
			argument = name
		}
		names = append(names, argument)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// FieldArguments maps a field of an event to the argument that sets it, if their names
// differ. "when" stands for the arguments start, end and duration.
var FieldArguments = map[string]string{
	"start": "when", "end": "when", "summary": "title", "conferenceData": "meet", "transparency": "show_as", "colorId": "color",
	"guestsCanModify": "guests_can", "guestsCanInviteOthers": "guests_can", "guestsCanSeeOtherGuests": "guests_can",
}

// Only returns the fields with these names.
func (f Fields) Only(names []string) Fields {
	selected := maps.Clone(f)
	maps.DeleteFunc(selected, func(name string, _ any) bool { return !slices.Contains(names, name) })
	return selected
}

// ChangedFields returns the argument names of the fields that differ between two versions
// of an event. It ignores guests' answers and fields that Google maintains.
func ChangedFields(was, now *calendarapi.Event) ([]string, error) {
	old, err := FieldsOf(was)
	if err != nil {
		return nil, err
	}
	is, err := FieldsOf(now)
	if err != nil {
		return nil, err
	}
	patch := MergePatch(old, is)
	maps.DeleteFunc(patch, func(name string, _ any) bool {
		return slices.Contains([]string{"etag", "updated", "sequence", "conferenceData", "hangoutLink", "htmlLink"}, name)
	})
	if _, listed := patch["attendees"]; listed && sameGuests(was, now) {
		delete(patch, "attendees")
	}
	return patch.ArgumentNames(), nil
}

// FieldsSetByGoogle lists the fields that Google sets, and those that stay as they were
// when the event was made. A patch cannot restore them.
var FieldsSetByGoogle = []string{
	"kind", "id", "etag", "htmlLink", "hangoutLink", "conferenceData", "created", "updated", "creator", "organizer", "sequence", "iCalUID",
	"recurringEventId", "originalStartTime", "locked", "privateCopy", "eventType",
}
