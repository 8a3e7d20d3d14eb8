package fakepeople

import (
	"slices"
	"strconv"

	"kota/bundles/internal/google/googletest/fakeapi"
)

func (b *book) group(id string) *group {
	i := slices.IndexFunc(b.groups, func(g *group) bool { return g.id == id })
	if i < 0 {
		return nil
	}
	return b.groups[i]
}

func (b *book) members(id string) []string {
	found := []string{}
	for _, one := range b.contacts.sorted() {
		if !one.deleted && isMember(one, id) {
			found = append(found, one.id)
		}
	}
	return found
}

func isMember(one *person, group string) bool {
	items, _ := one.data["memberships"].([]any)
	return slices.ContainsFunc(items, func(item any) bool { return groupOf(item) == group })
}

func groupOf(item any) string {
	of, _ := item.(fakeapi.Object)["contactGroupMembership"].(fakeapi.Object)
	name, _ := of["contactGroupResourceName"].(string)
	return name
}

func (b *book) showGroup(g *group) fakeapi.Object {
	kind := "USER_CONTACT_GROUP"
	if g.system {
		kind = "SYSTEM_CONTACT_GROUP"
	}
	shown := fakeapi.Object{"resourceName": g.id, "name": g.name, "formattedName": g.name, "groupType": kind, "etag": etag(g.etag)}
	if n := len(b.members(g.id)); n > 0 {
		shown["memberCount"] = n
	}
	return shown
}

func listGroups(c *fakeapi.Call) (any, error) {
	b, shown := bookOf(c.Account), []any{}
	for _, g := range b.groups {
		shown = append(shown, b.showGroup(g))
	}
	return fakeapi.Object{"contactGroups": shown, "totalItems": len(shown)}, nil
}

// sentGroup is the body of a request about a group.
type sentGroup struct {
	ContactGroup struct{ Name, Etag string }
}

func createGroup(c *fakeapi.Call) (any, error) {
	b, sent := bookOf(c.Account), sentGroup{}
	if err := c.Decode(&sent); err != nil {
		return nil, err
	}
	if err := b.checkGroupName(sent.ContactGroup.Name); err != nil {
		return nil, err
	}
	g := &group{id: "contactGroups/" + strconv.FormatUint(c.Server.NextID(), 16), name: sent.ContactGroup.Name, etag: c.Server.NextID()}
	b.groups = append(b.groups, g)
	return b.showGroup(g), nil
}

func (b *book) checkGroupName(name string) error {
	switch {
	case name == "":
		return fakeapi.Invalid("Contact group name must not be empty.")
	case slices.ContainsFunc(b.groups, func(g *group) bool { return g.name == name }):
		return &fakeapi.Problem{Status: 409, Reason: "alreadyExists", Message: "Contact group name already exists."}
	}
	return nil
}

// ownGroup returns the group of a call, if the user may change it.
func ownGroup(c *fakeapi.Call) (*group, error) {
	g := bookOf(c.Account).group("contactGroups/" + c.Vars["contactGroupsId"])
	switch {
	case g == nil:
		return nil, fakeapi.NotFound()
	case g.system:
		return nil, fakeapi.Invalid("Cannot modify a system contact group.")
	}
	return g, nil
}

func updateGroup(c *fakeapi.Call) (any, error) {
	g, err := ownGroup(c)
	if err != nil {
		return nil, err
	}
	b, sent := bookOf(c.Account), sentGroup{}
	if err := c.Decode(&sent); err != nil {
		return nil, err
	}
	if err := b.checkGroupName(sent.ContactGroup.Name); err != nil {
		return nil, err
	}
	g.name, g.etag = sent.ContactGroup.Name, c.Server.NextID()
	return b.showGroup(g), nil
}

func deleteGroup(c *fakeapi.Call) (any, error) {
	g, err := ownGroup(c)
	if err != nil {
		return nil, err
	}
	b := bookOf(c.Account)
	for _, id := range b.members(g.id) {
		b.setMember(c.Server, b.contacts.byID[id], g.id, false)
	}
	b.groups = slices.DeleteFunc(b.groups, func(one *group) bool { return one == g })
	return fakeapi.Object{}, nil
}

func modifyMembers(c *fakeapi.Call) (any, error) {
	b, id := bookOf(c.Account), "contactGroups/"+c.Vars["contactGroupsId"]
	if b.group(id) == nil {
		return nil, fakeapi.NotFound()
	}
	sent := struct{ ResourceNamesToAdd, ResourceNamesToRemove []string }{}
	if err := c.Decode(&sent); err != nil {
		return nil, err
	}
	missing := []string{}
	for _, change := range []struct {
		names []string
		add   bool
	}{{sent.ResourceNamesToAdd, true}, {sent.ResourceNamesToRemove, false}} {
		for _, name := range change.names {
			one := b.contacts.byID[name]
			if one == nil || one.deleted {
				missing = append(missing, name)
				continue
			}
			b.setMember(c.Server, one, id, change.add)
		}
	}
	answer := fakeapi.Object{}
	if len(missing) > 0 {
		answer["notFoundResourceNames"] = missing
	}
	return answer, nil
}

func (b *book) setMember(s *fakeapi.Server, one *person, group string, member bool) {
	items, _ := one.data["memberships"].([]any)
	items = slices.DeleteFunc(slices.Clone(items), func(item any) bool { return groupOf(item) == group })
	if member {
		items = append(items, membership(group))
	}
	one.data["memberships"] = items
	b.contacts.put(s, one)
}
