package googletest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// public is the rule of everybody, signed in or not.
const public = "default"

// ruleOf is the id of the rule of that person, group ("group:…"), domain
// ("domain:…") or everybody ("default").
func ruleOf(scope string) string {
	scope = strings.ToLower(scope)
	if scope == public || strings.Contains(scope, ":") {
		return scope
	}
	return "user:" + scope
}

// roleOf returns what somebody may do: the most that a rule of their own, of
// their domain or of everybody lets them. Members of groups are not modelled.
func (c *fakeCalendar) roleOf(address string) string {
	_, domain, _ := strings.Cut(address, "@")
	role := ""
	for _, rule := range []string{ruleOf(address), ruleOf("domain:" + domain), public} {
		if ranks[c.rules[rule]] > ranks[role] {
			role = c.rules[rule]
		}
	}
	return role
}

// acl are the rules of the calendar as acl.list answers them, in the order of
// their ids. A secondary calendar is itself among its owners.
func (c *fakeCalendar) acl() []object {
	rules := maps.Clone(c.rules)
	if !c.primary {
		rules[ruleOf(c.id)] = "owner"
	}
	list := []object{}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		kind, value, _ := strings.Cut(id, ":")
		scope := object{"type": kind}
		if value != "" {
			scope["value"] = value
		}
		list = append(list, object{"kind": "calendar#aclRule", "etag": etag(c.etag), "id": id, "scope": scope, "role": rules[id]})
	}
	return list
}

// listRules answers the rules of the calendar. The role of a writer is
// the least that "provides read access to the calendar's ACLs"
// (developers.google.com/workspace/calendar/api/v3/reference/acl).
func listRules(c *call) (any, error) {
	of, _, err := askedCalendar(c, "writer")
	if err != nil {
		return nil, err
	}
	if c.query.Has("syncToken") {
		panic("googletest: acl.list with a sync token is not modelled")
	}
	rules, next, err := paginate(c, of.acl(), 100, 250, func(rule object) string { return str(rule["id"]) })
	if err != nil {
		return nil, err
	}
	answer := object{"kind": "calendar#acl", "etag": etag(of.etag), "items": rules}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

// OpenCalendar gives all of a domain ("domain:example.com"), a group
// ("group:team@example.com") or everybody ("default") a role in a calendar of
// the user. It is put on no list.
func (u calendarUser) OpenCalendar(id, to, role string) {
	if ranks[role] == 0 {
		panic(fmt.Sprintf("googletest: there is no role %q", role))
	}
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	u.mustCalendar(id).rules[ruleOf(to)] = role
}
