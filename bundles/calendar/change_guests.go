package calendar

import (
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"
)

// editGuests returns the list with some guests more and some fewer. All others
// stay as they are, with what they answered.
func editGuests(list, add []*calendarapi.EventAttendee, remove []string) []*calendarapi.EventAttendee {
	edited := slices.DeleteFunc(slices.Clone(list), func(one *calendarapi.EventAttendee) bool {
		return isOneOf(one.Email, remove)
	})
	for _, one := range add {
		if guestNamed(edited, one.Email) == nil {
			edited = append(edited, one)
		}
	}
	return edited
}
