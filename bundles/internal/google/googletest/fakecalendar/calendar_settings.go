package fakecalendar

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"maps"
	"slices"
)

func (d *diary) setting(id string) fakeapi.Object {
	return fakeapi.Object{"kind": "calendar#setting", "etag": etag(1), "id": id, "value": d.settings[id]}
}

func getSetting(c *fakeapi.Call) (any, error) {
	id := c.Vars["setting"]
	if _, known := diaryOf(c.Account).settings[id]; !known {
		return nil, noSuch()
	}
	return diaryOf(c.Account).setting(id), nil
}

func listCalendarSettings(c *fakeapi.Call) (any, error) {
	d := diaryOf(c.Account)
	ids, next, err := fakeapi.Paginate(c, slices.Sorted(maps.Keys(d.settings)), 100, 250, func(id string) string { return id })
	if err != nil {
		return nil, err
	}
	items := []fakeapi.Object{}
	for _, id := range ids {
		items = append(items, d.setting(id))
	}
	return pageOf(fakeapi.Object{"kind": "calendar#settings", "etag": etag(1), "items": items}, next), nil
}

// pageOf completes a page of a list: with the token of the next one, if there
// is one.
func pageOf(list fakeapi.Object, next string) fakeapi.Object {
	if next != "" {
		list["nextPageToken"] = next
	}
	return list
}
