package auth

import "slices"

const (
	api = "https://www.googleapis.com/auth/"
	// fullMail allows everything in a mailbox except its settings.
	fullMail = "https://mail.google.com/"
)

// includes lists the narrower scopes that each wider scope of Google contains: an API method
// that accepts a narrower scope also accepts the wider scope. A test compares the lists with
// Google's discovery documents for each method of Gmail v1 and Calendar v3. Each list also has
// the scopes that its scopes include.
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
	api + "contacts":                 {api + "contacts.readonly"},
	api + "calendar.acls":            {api + "calendar.acls.readonly"},
	api + "calendar.calendarlist":    {api + "calendar.calendarlist.readonly"},
	api + "calendar.calendars":       {api + "calendar.calendars.readonly"},
	api + "calendar.events":          {api + "calendar.events.readonly"},
	api + "calendar.events.freebusy": {api + "calendar.freebusy"},
	api + "calendar.events.owned":    {api + "calendar.events.owned.readonly"},
	api + "calendar.settings":        {api + "calendar.settings.readonly"},
}

// Covers reports whether the granted scopes contain the scope or a wider scope that includes it.
func Covers(granted []string, scope string) bool {
	return slices.ContainsFunc(granted, func(wide string) bool {
		return wide == scope || slices.Contains(includes[wide], scope)
	})
}

// Narrow returns the scopes, sorted, without those that another of them covers. The sign-in
// requests the result, which is never nil.
func Narrow(scopes []string) []string {
	requested := normalizeScopes(scopes)
	return slices.DeleteFunc(append([]string{}, requested...), func(scope string) bool {
		return slices.ContainsFunc(requested, func(wide string) bool {
			return wide != scope && Covers([]string{wide}, scope)
		})
	})
}
