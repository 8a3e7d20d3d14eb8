package auth

import "slices"

const (
	api = "https://www.googleapis.com/auth/"
	// fullMail is everything in a mailbox but its settings.
	fullMail = "https://mail.google.com/"
)

// includes says which narrower scopes each of Google's wider ones contains: an
// API method that accepts a narrower one accepts the wider one too. It follows
// the scopes that Google's discovery documents list for each method of Gmail v1
// and Calendar v3, which a test holds it to. A scope's own narrower ones are
// spelled out, so that nothing has to be followed.
var includes = map[string][]string{
	fullMail: {
		api + "gmail.modify", api + "gmail.compose", api + "gmail.insert", api + "gmail.labels",
		api + "gmail.metadata", api + "gmail.readonly", api + "gmail.send",
	},
	api + "gmail.modify": {
		api + "gmail.compose", api + "gmail.insert", api + "gmail.labels",
		api + "gmail.metadata", api + "gmail.readonly", api + "gmail.send",
	},
	api + "gmail.compose":  {api + "gmail.send"},
	api + "gmail.readonly": {api + "gmail.metadata"},
	api + "calendar": {
		api + "calendar.acls", api + "calendar.acls.readonly", api + "calendar.app.created",
		api + "calendar.calendarlist", api + "calendar.calendarlist.readonly",
		api + "calendar.calendars", api + "calendar.calendars.readonly",
		api + "calendar.events", api + "calendar.events.freebusy", api + "calendar.events.owned",
		api + "calendar.events.owned.readonly", api + "calendar.events.public.readonly", api + "calendar.events.readonly",
		api + "calendar.freebusy", api + "calendar.readonly", api + "calendar.settings", api + "calendar.settings.readonly",
	},
	api + "calendar.readonly": {
		api + "calendar.calendarlist.readonly", api + "calendar.calendars.readonly",
		api + "calendar.events.freebusy", api + "calendar.events.owned.readonly", api + "calendar.events.public.readonly",
		api + "calendar.events.readonly", api + "calendar.freebusy", api + "calendar.settings.readonly",
	},
	api + "calendar.acls":            {api + "calendar.acls.readonly"},
	api + "calendar.calendarlist":    {api + "calendar.calendarlist.readonly"},
	api + "calendar.calendars":       {api + "calendar.calendars.readonly"},
	api + "calendar.events":          {api + "calendar.events.readonly"},
	api + "calendar.events.freebusy": {api + "calendar.freebusy"},
	api + "calendar.events.owned":    {api + "calendar.events.owned.readonly"},
	api + "calendar.settings":        {api + "calendar.settings.readonly"},
}

// Covers reports whether one of the granted scopes is the scope, or a wider one
// of Google's that includes it.
func Covers(granted []string, scope string) bool {
	return slices.ContainsFunc(granted, func(wide string) bool {
		return wide == scope || slices.Contains(includes[wide], scope)
	})
}

// Narrow returns the smallest set of the scopes that covers all of them,
// sorted: what to ask the user for. It is never nil.
func Narrow(scopes []string) []string {
	asked := tidy(scopes)
	return slices.DeleteFunc(append([]string{}, asked...), func(scope string) bool {
		return slices.ContainsFunc(asked, func(wide string) bool {
			return wide != scope && Covers([]string{wide}, scope)
		})
	})
}
