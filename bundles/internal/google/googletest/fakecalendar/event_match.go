package fakecalendar

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"slices"
	"strings"
)

// eventFilter reports of an event whether the query wants it for being
// cancelled or not. A list of series has their cancelled instances.
func eventFilter(c *fakeapi.Call, of *fakeCalendar) func(*fakeEvent) bool {
	deleted, single := c.Query.Get("showDeleted") == "true", c.Query.Get("singleEvents") == "true"
	return func(e *fakeEvent) bool {
		series := of.events[e.series()]
		return !e.cancelled() || deleted || !single && series != nil && !series.cancelled()
	}
}

func matchesEvent(c *fakeapi.Call, e *fakeEvent, v view) bool {
	if uid := c.Query.Get("iCalUID"); uid != "" && uid != e.text("iCalUID") {
		return false
	}
	if types := c.Query["eventTypes"]; len(types) > 0 && !slices.Contains(types, e.text("eventType")) {
		return false
	}
	for _, word := range strings.Fields(strings.ToLower(c.Query.Get("q"))) {
		if v.hides(e) || !strings.Contains(searchable(e), word) {
			return false
		}
	}
	return hasProperties(e, "private", c.Query["privateExtendedProperty"]) &&
		hasProperties(e, "shared", c.Query["sharedExtendedProperty"])
}

// searchable is the text that q is looked for in.
func searchable(e *fakeEvent) string {
	texts := []string{e.text("summary"), e.text("description"), e.text("location")}
	people, _ := e.data["attendees"].([]any)
	for _, person := range append(slices.Clone(people), e.data["organizer"]) {
		of, _ := person.(fakeapi.Object)
		texts = append(texts, str(of["displayName"]), str(of["email"]))
	}
	place, _ := e.data["workingLocationProperties"].(fakeapi.Object)
	office, _ := place["officeLocation"].(fakeapi.Object)
	custom, _ := place["customLocation"].(fakeapi.Object)
	texts = append(texts, str(office["buildingId"]), str(office["deskId"]), str(office["label"]), str(custom["label"]))
	return strings.ToLower(strings.Join(texts, "\n"))
}

// hasProperties reports whether the event has all the extended properties,
// which are written name=value.
func hasProperties(e *fakeEvent, kind string, wanted []string) bool {
	all, _ := e.data["extendedProperties"].(fakeapi.Object)
	of, _ := all[kind].(fakeapi.Object)
	return !slices.ContainsFunc(wanted, func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		return of[name] != value
	})
}
