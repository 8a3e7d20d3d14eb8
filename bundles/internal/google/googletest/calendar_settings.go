package googletest

import (
	"maps"
	"slices"
)

func (d *diary) setting(id string) object {
	return object{"kind": "calendar#setting", "etag": etag(1), "id": id, "value": d.settings[id]}
}

func getSetting(c *call) (any, error) {
	id := c.vars["setting"]
	if _, known := diaryOf(c.user).settings[id]; !known {
		return nil, noSuch()
	}
	return diaryOf(c.user).setting(id), nil
}

func listCalendarSettings(c *call) (any, error) {
	d := diaryOf(c.user)
	ids, next, err := paginate(c, slices.Sorted(maps.Keys(d.settings)), 100, 250, func(id string) string { return id })
	if err != nil {
		return nil, err
	}
	items := []object{}
	for _, id := range ids {
		items = append(items, d.setting(id))
	}
	return pageOf(object{"kind": "calendar#settings", "etag": etag(1), "items": items}, next), nil
}

// pageOf completes a page of a list: with the token of the next one, if there
// is one.
func pageOf(list object, next string) object {
	if next != "" {
		list["nextPageToken"] = next
	}
	return list
}
