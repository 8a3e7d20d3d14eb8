package app

import (
	"context"
	"strings"
	"time"

	"kota/bundles/daily/sources"
)

// dayEvents returns up to 100 events of a day in all accounts, from every
// calendar that Google Calendar shows.
func (a *App) dayEvents(ctx context.Context, date, zone string) (sources.Found[sources.Event], error) {
	var answer struct {
		Events []struct {
			Title, When, Location, Calendar, Type string
			MyAnswer                              string `json:"my_answer"`
			ShowAs                                string `json:"show_as"`
			Provenance                            *untrustedMark
		}
		Next      string           `json:"next_cursor"`
		Calendars []partialFailure `json:"calendar_errors"`
		Accounts  []partialFailure `json:"account_errors"`
	}
	found := sources.Found[sources.Event]{}
	err := a.callBundle(ctx, "calendar", "calendar_list_events", callArgs{
		"from": date, "to": date, "timezone": zone, "calendars": []string{"all"}, "account": "*", "limit": 100,
	}, &answer)
	if err != nil {
		return found, err
	}
	for _, e := range answer.Events {
		when, ends := shortEventTime(e.When, date)
		found.Items = append(found.Items, sources.Event{
			When: when, Ends: ends, Title: e.Title, Location: e.Location, Calendar: e.Calendar, MyAnswer: e.MyAnswer,
			Untrusted:   e.Provenance != nil,
			TakesNoTime: e.ShowAs == "free" || e.Type == "birthday" || e.Type == "working_location",
		})
	}
	if answer.Next != "" {
		found.More = 1
	}
	found.Unread = failureTexts(answer.Calendars, answer.Accounts)
	return found, nil
}

// shortEventTime shortens the time of an event for a reader who knows the date and the
// zone. It also returns the end, which is zero for whole days and for a time in an
// unknown form.
func shortEventTime(when, date string) (short string, ends time.Time) {
	var day, clock, offset string
	for _, word := range strings.Fields(strings.NewReplacer("–", " ", ",", " ").Replace(when)) {
		switch {
		case matchesLayout(time.DateOnly, word):
			day = word
		case matchesLayout("15:04", word):
			clock = word
		case matchesLayout("-07:00", word):
			offset = word
		}
	}
	if at, err := time.Parse("2006-01-02 15:04 -07:00", day+" "+clock+" "+offset); err == nil {
		ends = at
	}
	if day != date || strings.Contains(when, " – ") {
		return when, ends // it lasts several days, or has an unknown form
	}
	_, short, _ = strings.Cut(when, date)
	return strings.TrimLeft(strings.TrimSuffix(short, " "+offset), ", "), ends
}

func matchesLayout(layout, word string) bool {
	_, err := time.Parse(layout, word)
	return err == nil
}
