package fakecalendar

import (
	"fmt"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// Calendar's errors, as in its guide
// (developers.google.com/workspace/calendar/api/guides/errors).

// calendarProblem returns an error in Calendar's envelope, which names the
// error's domain.
func calendarProblem(status int, domain, reason, format string, args ...any) *fakeapi.Problem {
	return &fakeapi.Problem{Status: status, Domain: domain, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func invalidValue(format string, args ...any) *fakeapi.Problem {
	return calendarProblem(400, "global", "invalid", format, args...)
}

func requiredMissing(format string, args ...any) *fakeapi.Problem {
	return calendarProblem(400, "global", "required", format, args...)
}

func notFound() *fakeapi.Problem { return calendarProblem(404, "global", "notFound", "Not Found") }

func duplicate() *fakeapi.Problem {
	return calendarProblem(409, "global", "duplicate", "The requested identifier already exists.")
}

func timeRangeEmpty() *fakeapi.Problem {
	p := calendarProblem(400, "calendar", "timeRangeEmpty", "The specified time range is empty.")
	p.Location, p.Kind = "timeMax", "parameter"
	return p
}

func needsAccess(role string) *fakeapi.Problem {
	return calendarProblem(403, "calendar", "requiredAccessLevel", "You need to have %s access to this calendar.",
		strings.TrimSuffix(role, "WithoutPrivateAccess"))
}

func onlyOrganizer() *fakeapi.Problem {
	return calendarProblem(403, "calendar", "forbiddenForNonOrganizer", "Shared properties can only be changed by the organizer of the event.")
}

func conditionNotMet() *fakeapi.Problem {
	p := calendarProblem(412, "global", "conditionNotMet", "Precondition Failed")
	p.Location, p.Kind = "If-Match", "header"
	return p
}

// checkConditions compares the request's conditions with the etag of its resource.
func checkConditions(c *fakeapi.Call, number uint64) error {
	if want := c.Header.Get("If-Match"); want != "" && want != "*" && want != etag(number) {
		return conditionNotMet()
	}
	if has := c.Header.Get("If-None-Match"); has == etag(number) {
		if c.Method.Verb == "GET" {
			return &fakeapi.Problem{Status: 304, Domain: "global"}
		}
		return conditionNotMet()
	}
	return nil
}
