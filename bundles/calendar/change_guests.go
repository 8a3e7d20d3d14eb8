package calendar

import (
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"
)

// An attendee is a guest of an event, as Google's API has it.
type attendee = calendarapi.EventAttendee

// editGuests returns the list with some guests more and some fewer. All others
// stay as they are, with what they answered.
func editGuests(list, add []*attendee, remove []string) []*attendee {
	edited := slices.DeleteFunc(slices.Clone(list), func(one *attendee) bool {
		return isOneOf(one.Email, remove)
	})
	for _, one := range add {
		if guestNamed(edited, one.Email) == nil {
			edited = append(edited, one)
		}
	}
	return edited
}
