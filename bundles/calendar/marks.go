package calendar

import calendarapi "google.golang.org/api/calendar/v3"

// stamp puts the digest into the event.
func stamp(e *calendarapi.Event, digest string) {
	properties := calendarapi.EventExtendedProperties{}
	if e.ExtendedProperties != nil {
		properties = *e.ExtendedProperties
	}
	private := map[string]string{digestKey: digest}
	for name, value := range properties.Private {
		if name != digestKey {
			private[name] = value
		}
	}
	properties.Private = private
	e.ExtendedProperties = &properties
}

// digestIn returns the digest that an event carries, "" when it has none.
func digestIn(e *calendarapi.Event) string {
	if e.ExtendedProperties == nil {
		return ""
	}
	return e.ExtendedProperties.Private[digestKey]
}

// digestKey is the private extended property in which an event that KOTA made
// carries the digest of what was asked for.
const digestKey = "kota"

func isMixed(e *calendarapi.Event) bool {
	return e.ExtendedProperties != nil && e.ExtendedProperties.Private[mixedKey] != ""
}

// isUnapproved reports whether the user has not agreed yet to send the words of an
// event that is mixed.
func isUnapproved(e *calendarapi.Event) bool {
	return isMixed(e) && e.ExtendedProperties.Private[mixedKey] != agreed
}

// mixedKey is the private extended property, which guests do not see, of an event
// that KOTA wrote after strangers were read. It stays when the event is changed,
// moved, copied or brought back, in every session.
const (
	mixedKey = "kotaWords"
	mixed    = "mixed"
	agreed   = "agreed" // the same, and the user has agreed to send its words since
)
