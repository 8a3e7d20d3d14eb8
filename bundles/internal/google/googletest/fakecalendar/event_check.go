package fakecalendar

import (
	"net/url"
	"slices"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// check refuses an event that Google would not store, and normalises a valid
// one.
func (e *edit) check(body fakeapi.Object) error {
	for _, check := range []func(fakeapi.Object) error{
		e.setType, e.setGuests, e.setConference, e.setAttachments, e.setProperties,
	} {
		if err := check(body); err != nil {
			return err
		}
	}
	if err := e.calendar.setTimes(e.next); err != nil {
		return err
	}
	for _, check := range []func(fakeapi.Object) error{
		e.calendar.checkRecurrence, checkStatus, checkReminders, checkColor, checkSource,
	} {
		if err := check(e.next); err != nil {
			return err
		}
	}
	return nil
}

// allowedValues are the values that the reference lists but the document's schema does
// not.
var allowedValues = map[string][]string{
	"status":       {"confirmed", "tentative", "cancelled"},
	"transparency": {"opaque", "transparent"},
	"visibility":   {"default", "public", "private", "confidential"},
}

func checkStatus(event fakeapi.Object) error {
	for field, known := range allowedValues {
		if value := str(event[field]); value != "" && !slices.Contains(known, value) {
			return invalidValue("Invalid value for: %s is not a valid value", value)
		}
	}
	return nil
}

// maxReminders and maxMinutes are limits from the reference, Events, reminders.
const (
	maxReminders = 5
	maxMinutes   = 40320
)

// checkReminders refuses invalid overrides, too many overrides, and overrides
// together with the default reminders.
func checkReminders(event fakeapi.Object) error {
	reminders, _ := event["reminders"].(fakeapi.Object)
	overrides, _ := reminders["overrides"].([]any)
	if reminders["useDefault"] == true && len(overrides) > 0 {
		return calendarProblem(400, "calendar", "cannotUseDefaultRemindersAndSpecifyOverride",
			"Cannot specify both default reminders and overrides at the same time.")
	}
	if len(overrides) > maxReminders {
		return invalidValue("Too many override reminders.")
	}
	for _, override := range overrides {
		reminder := override.(fakeapi.Object)
		if method := str(reminder["method"]); method != "email" && method != "popup" {
			return invalidValue("Invalid reminder method.")
		}
		if minutes, given := reminder["minutes"].(float64); !given || minutes < 0 || minutes > maxMinutes {
			return invalidValue("Invalid reminder minutes.")
		}
	}
	return nil
}

func checkColor(event fakeapi.Object) error {
	if id := str(event["colorId"]); id != "" && eventPalette()[id] == "" {
		return invalidValue("Invalid color id.")
	}
	return nil
}

func checkSource(event fakeapi.Object) error {
	source, given := event["source"].(fakeapi.Object)
	if !given {
		return nil
	}
	if at, err := url.Parse(str(source["url"])); err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return invalidValue("Invalid source url.")
	}
	return nil
}

// maxAttachments is the limit from the reference, Events, attachments.
const maxAttachments = 25

// setAttachments changes the attachments only for a client that supports them.
func (e *edit) setAttachments(fakeapi.Object) error {
	if e.call.Query.Get("supportsAttachments") != "true" {
		e.restore("attachments")
		return nil
	}
	files, _ := e.next["attachments"].([]any)
	if len(files) > maxAttachments {
		return invalidValue("Too many attachments.")
	}
	for _, file := range files {
		if str(file.(fakeapi.Object)["fileUrl"]) == "" {
			return requiredMissing("Missing attachment file url.")
		}
	}
	return nil
}

// restore restores the previous value of the field.
func (e *edit) restore(name string) {
	delete(e.next, name)
	if value, found := e.before[name]; found {
		e.next[name] = value
	}
}

// Limits of extended properties (developers.google.com/workspace/calendar/api/guides/extended-properties).
const (
	maxPropertyName  = 44
	maxPropertyValue = 1024
	maxProperties    = 300
	maxPropertyBytes = 32 << 10
)

// setProperties drops properties whose name is too long and cuts values that
// are too long, without an error, as Google does. It refuses too many
// properties, and too many bytes in total.
func (e *edit) setProperties(fakeapi.Object) error {
	extended, _ := e.next["extendedProperties"].(fakeapi.Object)
	for _, kind := range []string{"private", "shared"} {
		properties, _ := extended[kind].(fakeapi.Object)
		size := 0
		for name, value := range properties {
			if len(name) > maxPropertyName {
				delete(properties, name)
				continue
			}
			properties[name] = str(value)[:min(len(str(value)), maxPropertyValue)]
			size += len(name) + len(str(properties[name]))
		}
		if len(properties) > maxProperties || size > maxPropertyBytes {
			return invalidValue("Too many extended properties.")
		}
	}
	return nil
}
