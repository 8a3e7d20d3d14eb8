package view

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
)

// day returns the address of a day, or of a document, of the diary.
func (p Page) day(name string) templ.SafeURL {
	return templ.SafeURL(p.Base + "diary/" + url.PathEscape(name))
}

// page returns the address of a page.
func (p Page) page(path string) templ.SafeURL { return templ.SafeURL(p.Base + path) }

// dayText returns a date as people write it, and other text unchanged.
func dayText(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return day.Format("Monday 2 January 2006")
}

// number returns a number with at most two decimals.
func number(value float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(value, 'f', 2, 64), "0"), ".")
}

// words returns the name of a type or a metric as words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

func join(texts []string) string { return strings.Join(texts, " ") }

// metricList returns metrics as people write them: "sleep_hours=7.5".
func metricList(metrics map[string]any) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		list = append(list, fmt.Sprint(name, "=", metrics[name]))
	}
	return list
}

// query returns the query of an address. It leaves out what is "".
func query(set ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(set); i += 2 {
		if set[i+1] != "" {
			values.Set(set[i], set[i+1])
		}
	}
	return values.Encode()
}

// escape makes an element of a path of text.
func escape(text string) string { return url.PathEscape(text) }

// toYou addresses a sentence for an assistant to the user: "You can switch it on".
func toYou(text string) string { return strings.ReplaceAll(text, "The user can ", "You can ") }
