package event

import calendarapi "google.golang.org/api/calendar/v3"

// Stamp puts the digest into the event.
func Stamp(e *calendarapi.Event, digest string) {
	properties := calendarapi.EventExtendedProperties{}
	if e.ExtendedProperties != nil {
		properties = *e.ExtendedProperties
	}
	private := map[string]string{DigestKey: digest}
	for name, value := range properties.Private {
		if name != DigestKey {
			private[name] = value
		}
	}
	properties.Private = private
	e.ExtendedProperties = &properties
}

// DigestIn returns the digest that an event carries, "" when it has none.
func DigestIn(e *calendarapi.Event) string {
	if e.ExtendedProperties == nil {
		return ""
	}
	return e.ExtendedProperties.Private[DigestKey]
}

// DigestKey is the private extended property in which an event that KOTA made
// carries the digest of what was asked for.
const DigestKey = "kota"

// IsMixed reports whether KOTA wrote the event after strangers were read.
func IsMixed(e *calendarapi.Event) bool {
	return e.ExtendedProperties != nil && e.ExtendedProperties.Private[MixedKey] != ""
}

// IsUnapproved reports whether the user has not agreed yet to send the words of an
// event that is mixed.
func IsUnapproved(e *calendarapi.Event) bool {
	return IsMixed(e) && e.ExtendedProperties.Private[MixedKey] != Agreed
}

// MixedKey is the private extended property, which guests do not see, of an event
// that KOTA wrote after strangers were read. It stays when the event is changed,
// moved, copied or brought back, in every session.
const (
	MixedKey = "kotaWords"
	Mixed    = "mixed"
	Agreed   = "agreed" // the same, and the user has agreed to send its words since
)
