package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/cmd/bench/internal/report"
	"kota/entrypoint/pipeline"
	"kota/store/sqlite"
)

const (
	calendarRounds = 7
	calendarZone   = "Europe/Amsterdam"
	calendarCount  = 10
	colleagueCount = 8
)

// measureCalendar measures calls that send many requests to Calendar. The unit
// is the round-trip time, as in measureMail. It also measures how long the
// conflict check of a daily rule over ten years takes.
func measureCalendar(ctx context.Context, b *bench) ([]report.Row, error) {
	google, calendars, people, err := calendarServer()
	if err != nil {
		return nil, err
	}
	defer google.Close()
	google.SetLatency(mailLatency)
	client := google.HTTPClient(mailAddress)
	db, err := sqlite.Open(ctx, filepath.Join(b.scratch, "calendar.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	start := time.Now()
	week := object{"calendars": calendars, "from": start.Format(time.DateOnly), "to": start.AddDate(0, 0, 6).Format(time.DateOnly), "limit": 100}
	slots := object{"people": people, "duration": "45m", "from": start.Format(time.DateOnly), "to": start.AddDate(0, 0, 27).Format(time.DateOnly)}
	// Each call uses a bundle with empty caches, as after a start.
	cold := func(tool string, args object, check func([]byte) error) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			r, err := newCalendar(google, client, db)
			if err != nil {
				return 0, err
			}
			start := time.Now()
			answer, err := r.call(ctx, tool, args)
			took := time.Since(start)
			if err != nil {
				return 0, err
			}
			return took, check(answer)
		}
	}
	took, err := report.InTurns(calendarRounds, []report.Contender{
		{Name: "one request", Measure: func() (time.Duration, error) { return roundTrip(ctx, client, google.URL()) }},
		{Name: "a week", Measure: cold("calendar_list_events", week, checkWeek)},
		{Name: "slots", Measure: cold("calendar_find_slots", slots, checkSlots)},
	})
	if err != nil {
		return nil, err
	}
	rtt := report.Median(took[0])
	say := func(i int, figure string, most float64) report.Row {
		times := report.Ratio(report.Median(took[i]), rtt)
		return report.AtMost(figure, fmt.Sprintf("≤ %.0f round-trip times", most), times, most, "%.2f × (%.0f ms against %.0f ms)", times, report.Ms(report.Median(took[i])), report.Ms(rtt))
	}
	const tenYears = "BenchmarkConflictsOfTenYearsDaily"
	expanded, err := goBenchmark(ctx, "./bundles/calendar/internal/availability", tenYears)
	if err != nil {
		return nil, err
	}
	return []report.Row{
		say(1, fmt.Sprintf("calendar_list_events of a week over %d calendars, p50", calendarCount), 3),
		say(2, fmt.Sprintf("calendar_find_slots for %d people over 4 weeks, p50", colleagueCount), 4),
		report.AtMost("ten years of a daily rule, expanded and compared with as many events", "≤ 20 ms", expanded, 20*time.Millisecond, "%.1f ms", report.Ms(expanded)),
	}, nil
}

// calendarServer starts a fake Google with Ann's ten calendars and eight people
// who share theirs.
func calendarServer() (google *bundletest.Google, calendars, people []string, err error) {
	google, err = bundletest.StartGoogle("127.0.0.1:0", func(violation string) { panic("violation: " + violation) })
	if err != nil {
		return nil, nil, nil, err
	}
	ann := google.User(mailAddress)
	ann.SetZone(calendarZone)
	for i := range calendarCount {
		id := "primary"
		if i > 0 {
			id = ann.AddCalendar(bundletest.GoogleCalendar{Summary: fmt.Sprintf("Calendar %d", i)})
		}
		calendars = append(calendars, id)
		for day := range 7 {
			ann.AddEvent(id, meeting(fmt.Sprintf("Meeting %d of day %d", i, day), day, 8+i))
		}
	}
	for i := range colleagueCount {
		address := fmt.Sprintf("colleague%d@example.com", i)
		colleague := google.User(address)
		colleague.SetZone(calendarZone)
		for day := range 28 {
			colleague.AddEvent("primary", meeting("Busy", day, 9+(i+day)%5))
		}
		colleague.ShareCalendar(address, mailAddress, "freeBusyReader")
		people = append(people, address)
	}
	return google, calendars, people, nil
}

// meeting returns an event of one hour that begins at hour. days is the number of
// days from today to the event.
func meeting(title string, days, hour int) object {
	date := time.Now().AddDate(0, 0, days)
	at := func(hour int) object {
		return object{"dateTime": fmt.Sprintf("%sT%02d:00:00", date.Format(time.DateOnly), hour), "timeZone": calendarZone}
	}
	return object{"summary": title, "start": at(hour), "end": at(hour + 1)}
}

// newCalendar returns the calendar bundle over the fake Google.
func newCalendar(google *bundletest.Google, client *http.Client, db *sqlite.DB) (localRouter, error) {
	zone, err := time.LoadLocation(calendarZone)
	if err != nil {
		return localRouter{}, err
	}
	bundle := calendar.New(calendar.Deps{
		Accounts: func() ([]calendar.Account, error) {
			return []calendar.Account{{Name: "ann", Address: mailAddress}}, nil
		},
		Client:   func(context.Context, string) (*http.Client, error) { return client, nil },
		Endpoint: google.URL,
		Stores:   calendarStores(db),
		Now:      time.Now,
		Zone:     func() *time.Location { return zone },
	})
	bundle.Enabled = true
	r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{bundle}})
	return localRouter{r}, err
}

// checkWeek returns an error unless the answer has exactly the events of the
// week, and no errors.
func checkWeek(answer []byte) error {
	var got struct {
		Events []json.RawMessage
		Errors []json.RawMessage `json:"calendar_errors"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return err
	}
	if len(got.Events) != 7*calendarCount || len(got.Errors) > 0 {
		return fmt.Errorf("the week has %d events and %d errors, want %d and none", len(got.Events), len(got.Errors), 7*calendarCount)
	}
	return nil
}

// checkSlots returns an error if an answer has no slots or an unknown person.
func checkSlots(answer []byte) error {
	var got struct {
		Slots   []json.RawMessage
		Unknown []json.RawMessage
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return err
	}
	if len(got.Slots) == 0 || len(got.Unknown) > 0 {
		return fmt.Errorf("%d slots were found, and %d people are unknown", len(got.Slots), len(got.Unknown))
	}
	return nil
}

var nsPerOp = regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+([0-9.]+) ns/op`)

// goBenchmark runs a Go benchmark of a package. It measures code that cannot be
// measured separately by running a command. It returns the median time per
// operation of five runs.
func goBenchmark(ctx context.Context, pkg, name string) (time.Duration, error) {
	out, err := exec.CommandContext(ctx, "go", "test", pkg, "-run", "^$", "-bench", "^"+name+"$", "-count", "5").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s of %s: %w\n%s", name, pkg, err, out)
	}
	var took []time.Duration
	for _, found := range nsPerOp.FindAllSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return 0, fmt.Errorf("%s of %s: %w", name, pkg, err)
		}
		took = append(took, time.Duration(ns))
	}
	if len(took) != 5 {
		return 0, fmt.Errorf("%s of %s ran %d times, want 5:\n%s", name, pkg, len(took), out)
	}
	return report.Median(took), nil
}
