package fakecalendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// everybody is the id of the rule for everybody, signed in or not.
const everybody = "default"

// ruleID returns the id of the rule for a scope: a person, "group:…",
// "domain:…", or "default" for everybody.
func ruleID(scope string) string {
	scope = strings.ToLower(scope)
	if scope == everybody || strings.Contains(scope, ":") {
		return scope
	}
	return "user:" + scope
}

// roleOf returns the highest role that a rule gives the person, their domain or
// everybody. Members of groups are not modelled.
func (c *fakeCalendar) roleOf(address string) string {
	_, domain, _ := strings.Cut(address, "@")
	role := ""
	for _, rule := range []string{ruleID(address), ruleID("domain:" + domain), everybody} {
		if ranks[c.rules[rule]] > ranks[role] {
			role = c.rules[rule]
		}
	}
	return role
}

// acl returns the rules of the calendar as acl.list returns them, sorted by id.
// Google lists a secondary calendar's own id among its owners.
func (c *fakeCalendar) acl() []fakeapi.Object {
	rules := maps.Clone(c.rules)
	if !c.primary {
		rules[ruleID(c.id)] = "owner"
	}
	list := []fakeapi.Object{}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		kind, value, _ := strings.Cut(id, ":")
		scope := fakeapi.Object{"type": kind}
		if value != "" {
			scope["value"] = value
		}
		list = append(list, fakeapi.Object{"kind": "calendar#aclRule", "etag": etag(c.etag), "id": id, "scope": scope, "role": rules[id]})
	}
	return list
}

// listRules serves the rules of the calendar. Writer is the lowest role that
// "provides read access to the calendar's ACLs"
// (developers.google.com/workspace/calendar/api/v3/reference/acl).
func listRules(c *fakeapi.Call) (any, error) {
	calendar, _, err := requestedCalendar(c, "writer")
	if err != nil {
		return nil, err
	}
	if c.Query.Has("syncToken") {
		panic("googletest: acl.list with a sync token is not modelled")
	}
	rules, next, err := fakeapi.Paginate(c, calendar.acl(), 100, 250, func(rule fakeapi.Object) string { return str(rule["id"]) })
	if err != nil {
		return nil, err
	}
	answer := fakeapi.Object{"kind": "calendar#acl", "etag": etag(calendar.etag), "items": rules}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

// GrantRole gives a domain ("domain:example.com"), a group
// ("group:team@example.com") or everybody ("default") a role in a calendar of
// the user. It does not add the calendar to anybody's calendar list.
func (u CalendarUser) GrantRole(id, to, role string) {
	if ranks[role] == 0 {
		panic(fmt.Sprintf("googletest: there is no role %q", role))
	}
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	u.mustCalendar(id).rules[ruleID(to)] = role
}
