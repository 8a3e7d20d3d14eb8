package googletest

import (
	"fmt"
	"strings"
)

// The errors of Calendar, as its guide has them
// (developers.google.com/workspace/calendar/api/guides/errors).

// calendarProblem is an error in Calendar's envelope: every one names its
// domain, and none has a canonical status.
func calendarProblem(status int, domain, reason, format string, args ...any) *problem {
	return &problem{status: status, domain: domain, reason: reason, message: fmt.Sprintf(format, args...)}
}

func wrong(format string, args ...any) *problem {
	return calendarProblem(400, "global", "invalid", format, args...)
}

func missing(format string, args ...any) *problem {
	return calendarProblem(400, "global", "required", format, args...)
}

func noSuch() *problem { return calendarProblem(404, "global", "notFound", "Not Found") }

func deleted() *problem {
	return calendarProblem(410, "global", "deleted", "Resource has been deleted")
}

func duplicate() *problem {
	return calendarProblem(409, "global", "duplicate", "The requested identifier already exists.")
}

func notAllowed(format string, args ...any) *problem {
	return calendarProblem(403, "calendar", "forbidden", format, args...)
}

func timeRangeEmpty() *problem {
	p := calendarProblem(400, "calendar", "timeRangeEmpty", "The specified time range is empty.")
	p.location, p.kind = "timeMax", "parameter"
	return p
}

func needsAccess(role string) *problem {
	return calendarProblem(403, "calendar", "requiredAccessLevel", "You need to have %s access to this calendar.",
		strings.TrimSuffix(role, "WithoutPrivateAccess"))
}

func onlyOrganizer() *problem {
	return calendarProblem(403, "calendar", "forbiddenForNonOrganizer", "Shared properties can only be changed by the organizer of the event.")
}

func conditionNotMet() *problem {
	p := calendarProblem(412, "global", "conditionNotMet", "Precondition Failed")
	p.location, p.kind = "If-Match", "header"
	return p
}

// unchanged answers a read of what the client has: no error, but no body either.
func unchanged() *problem { return &problem{status: 304, domain: "global"} }

// meets compares the request's conditions with the etag of what it is about.
func meets(c *call, number uint64) error {
	if want := c.header.Get("If-Match"); want != "" && want != "*" && want != etag(number) {
		return conditionNotMet()
	}
	if has := c.header.Get("If-None-Match"); has == etag(number) {
		if c.method.Verb == "GET" {
			return unchanged()
		}
		return conditionNotMet()
	}
	return nil
}
