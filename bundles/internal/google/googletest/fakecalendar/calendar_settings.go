package fakecalendar

import (
	"strconv"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// pageOf completes a page of a list: with the token of the next one, if there
// is one.
func pageOf(list fakeapi.Object, next string) fakeapi.Object {
	if next != "" {
		list["nextPageToken"] = next
	}
	return list
}

// calendarPalette are the colours of calendars by colorId, and eventPalette
// those of events: 24 and 11, as colors.get answers them.
func calendarPalette() map[string]string {
	return numbered("#ac725e", "#d06b64", "#f83a22", "#fa573c", "#ff7537", "#ffad46", "#42d692", "#16a765",
		"#7bd148", "#b3dc6c", "#fbe983", "#fad165", "#92e1c0", "#9fe1e7", "#9fc6e7", "#4986e7",
		"#9a9cff", "#b99aff", "#c2c2c2", "#cabdbf", "#cca6ac", "#f691b2", "#cd74e6", "#a47ae2")
}

func eventPalette() map[string]string {
	return numbered("#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1",
		"#5484ed", "#51b749", "#dc2127")
}

func numbered(colors ...string) map[string]string {
	all := map[string]string{}
	for i, color := range colors {
		all[strconv.Itoa(i+1)] = color
	}
	return all
}
