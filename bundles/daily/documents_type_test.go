package daily_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/daily"
	"kota/bundles/staged"
	"kota/metadata"
	"kota/store"
)

// allTypes are the types that come with KOTA.
var allTypes = []string{"day_plan", "week_plan", "day_review", "week_review", "month_review", "meeting_notes", "decision_record"}

func TestPlanAndReviewListOwnTypesFirst(t *testing.T) {
	d := newFixture(t)
	for tool, first := range map[string]string{"daily_plan": "day_plan", "daily_review": "day_review"} {
		got, listed := d.writeDocument(t, tool, args{}), []string{}
		for _, line := range got.Types {
			listed = append(listed, line.Type)
			if line.Line == "" {
				t.Errorf("%s: %s has no line", tool, line.Type)
			}
		}
		if listed[0] != first || len(listed) != len(allTypes) || got.Stage != "discovery" || got.Next.Call == nil {
			t.Errorf("%s lists %q", tool, listed)
		}
		for _, name := range allTypes {
			if !slices.Contains(listed, name) {
				t.Errorf("%s does not list %s", tool, name)
			}
		}
	}
	if got := daily.TypeNames(); !slices.Equal(got, allTypes) {
		t.Errorf("the names are %q", got)
	}
}

func TestPeriodInWordsChoosesType(t *testing.T) {
	d := newFixture(t)
	noon := d.now
	for name, c := range map[string]struct {
		tool       string
		args       args
		at         string // in 2026, in Amsterdam, where the day starts at 04:00
		kind, want string
	}{
		"a day":                          {"daily_review", args{"date": "2026-11-20"}, "", "day_review", "2026-11-20"},
		"a week":                         {"daily_review", args{"week": "2026-W47"}, "", "week_review", "2026-W47"},
		"a week in small letters":        {"daily_review", args{"week": "2026w7"}, "", "week_review", "2026-W07"},
		"a month":                        {"daily_review", args{"month": "2026-11"}, "", "month_review", "2026-11"},
		"yesterday":                      {"daily_review", args{"period": "Yesterday"}, "", "day_review", "2026-11-20"},
		"today, before it starts":        {"daily_review", args{"period": "today"}, "11-22T02:10:00", "day_review", "2026-11-21"},
		"tomorrow, before it starts":     {"daily_plan", args{"period": "tomorrow"}, "11-22T02:10:00", "day_plan", "2026-11-22"},
		"last week":                      {"daily_review", args{"period": "last  week"}, "", "week_review", "2026-W46"},
		"this week, in Sunday's night":   {"daily_review", args{"period": "this week"}, "11-23T03:59:00", "week_review", "2026-W47"},
		"this week, on Monday":           {"daily_review", args{"period": "this week"}, "11-23T04:00:00", "week_review", "2026-W48"},
		"next week":                      {"daily_plan", args{"period": "next week"}, "", "week_plan", "2026-W48"},
		"last month in March":            {"daily_review", args{"period": "last month"}, "03-31T12:00:00", "month_review", "2026-02"},
		"the past Friday":                {"daily_review", args{"type": "day_review", "period": "friday"}, "", "day_review", "2026-11-20"},
		"Monday, without a type":         {"daily_review", args{"date": "monday"}, "11-18T12:00:00", "day_review", "2026-11-16"},
		"Monday, to plan":                {"daily_plan", args{"date": "monday"}, "11-18T12:00:00", "day_plan", "2026-11-23"},
		"today, of a weekday's name":     {"daily_review", args{"date": "wednesday"}, "11-18T12:00:00", "day_review", "2026-11-18"},
		"the next Friday":                {"daily_plan", args{"period": "friday"}, "", "day_plan", "2026-11-27"},
		"the week of a day":              {"daily_review", args{"type": "week_review", "date": "2026-01-01"}, "", "week_review", "2026-W01"},
		"the week of a day of last year": {"daily_review", args{"type": "week_review", "date": "2021-01-01"}, "", "week_review", "2020-W53"},
		"the month of a day":             {"daily_review", args{"type": "month review", "date": "yesterday"}, "", "month_review", "2026-11"},
		"last, of a type":                {"daily_review", args{"type": "week_review", "week": "last"}, "", "week_review", "2026-W46"},
		"none, of a type":                {"daily_review", args{"type": "week_review"}, "", "week_review", "2026-W47"},
		"a moment in another zone":       {"daily_review", args{"period": "2026-11-20T20:30:00-05:00"}, "", "day_review", "2026-11-20"},
		"a day of 25 hours":              {"daily_review", args{"period": "today"}, "10-25T23:30:00", "day_review", "2026-10-25"},
		"a day of 23 hours":              {"daily_review", args{"period": "today"}, "03-29T03:30:00", "day_review", "2026-03-28"},
		"29 February":                    {"daily_review", args{"period": "2024-02-29"}, "", "day_review", "2024-02-29"},
	} {
		t.Run(name, func(t *testing.T) {
			d.now = noon
			if c.at != "" {
				at, err := time.ParseInLocation("2006-01-02T15:04:05", "2026-"+c.at, d.zone)
				if err != nil {
					t.Fatal(err)
				}
				d.now = at
			}
			got := d.writeDocument(t, c.tool, c.args)
			if got.Stage != "instructions" || got.Type != c.kind || got.Period != c.want {
				t.Errorf("got %s of %s (%s), want %s of %s", got.Type, got.Period, got.Stage, c.kind, c.want)
			}
		})
	}
}

func TestPeriodWithoutPlanTypeListsTypes(t *testing.T) {
	d := newFixture(t)
	got := d.writeDocument(t, "daily_plan", args{"month": "2026-11", "answers": args{"highlights": "It snowed"}})
	if got.Stage != "discovery" || got.Next.Call.Period != "2026-11" {
		t.Errorf("got %+v", got)
	}
	var call args
	raw, err := json.Marshal(got.Next.Call)
	if err := errors.Join(err, json.Unmarshal(raw, &call)); err != nil {
		t.Fatal(err)
	}
	if made := d.writeDocument(t, "daily_plan", call); made.Stage != "created" || made.Type != "month_review" {
		t.Errorf("following %s: got %+v", raw, made)
	}
}

func TestUserTypeWorksLikeBuiltInTypes(t *testing.T) {
	fields, err := staged.FieldList([]staged.Field{{Name: "best_moments", Type: "list", Required: true}, {Name: "cost", Type: "number"}})
	if err != nil {
		t.Fatal(err)
	}
	d := newFixture(t).withDeps(func(deps *daily.Deps) {
		deps.Templates = func() []staged.DocumentType {
			return []staged.DocumentType{
				{Name: "trip_report", Line: "where we went", Instructions: "Ask.", Fields: fields},
				{Name: "mood_sheet", Line: "the numbers", Instructions: "Ask.", Template: "# {{.title}}\n\n{{.numbers}}"},
			}
		}
	})
	d.addEntry(t, "2026-11-20", store.DayEntry{Mood: 4})
	made := d.writeDocument(t, "daily_plan", args{"type": "trip report", "about": "The Alps", "answers": args{"best_moments": []string{"Snow"}}})
	kept, err := d.diary(t).Document(t.Context(), made.ID)
	if err != nil || kept.Body != "# The Alps\n\n## Best moments\n\n- Snow" || kept.Type != "trip_report" {
		t.Errorf("got %+v, %v", kept, err)
	}
	if got := d.writeDocument(t, "daily_review", args{"type": "mood_sheet", "week": "2026-W47"}); got.Starter != "# Mood sheet, week 47, 16 – 22 November 2026\n\n- mood: 4" {
		t.Errorf("got %q", got.Starter)
	}
}

func TestInvalidDocumentArgumentsAreRefused(t *testing.T) {
	d := newFixture(t)
	for name, c := range map[string]struct {
		tool string
		args args
		code metadata.Code
	}{
		"30 February":                   {"daily_plan", args{"type": "day_plan", "date": "2026-02-30"}, metadata.ValidationError},
		"30 February, without a type":   {"daily_review", args{"date": "2026-02-30"}, metadata.ValidationError},
		"29 February of no leap year":   {"daily_review", args{"date": "2027-02-29"}, metadata.ValidationError},
		"week 54":                       {"daily_review", args{"week": "2026-W54"}, metadata.ValidationError},
		"week 53 of a year with 52":     {"daily_review", args{"week": "2027-W53"}, metadata.ValidationError},
		"month 13":                      {"daily_review", args{"month": "2026-13"}, metadata.ValidationError},
		"the year 9999":                 {"daily_review", args{"date": "9999-12-31"}, metadata.ValidationError},
		"a review of tomorrow":          {"daily_review", args{"period": "tomorrow"}, metadata.ValidationError},
		"a review of next week":         {"daily_plan", args{"type": "week_review", "period": "next week", "answers": args{"highlights": "a"}}, metadata.ValidationError},
		"a week for a day":              {"daily_plan", args{"type": "day_plan", "week": "2026-W47"}, metadata.ValidationError},
		"words that are no time":        {"daily_plan", args{"type": "day_plan", "period": "soon"}, metadata.ValidationError},
		"a type there is not":           {"daily_plan", args{"type": "dayplans"}, metadata.ValidationError},
		"an answer that is no field":    {"daily_plan", args{"type": "day_plan", "answers": args{"mood": 9}}, metadata.ValidationError},
		"an answer of 100,000 letters":  {"daily_plan", args{"type": "day_plan", "answers": args{"focus": strings.Repeat("a", 100_000)}}, metadata.ValidationError},
		"a title of 500 letters":        {"daily_plan", args{"type": "day_plan", "title": strings.Repeat("a", 500), "answers": args{"focus": "a"}}, metadata.ValidationError},
		"a body of more than a quarter": {"daily_review", args{"week": "2026-W47", "answers": args{"highlights": slices.Repeat([]string{strings.Repeat("a", 10_000)}, 30)}}, metadata.TooLarge},
	} {
		t.Run(name, func(t *testing.T) { d.callFails(t, c.tool, c.args, c.code) })
	}
	found, err := d.diary(t).Documents(t.Context(), store.DocumentFilter{}, 1)
	if err != nil || len(found) > 0 {
		t.Errorf("kept were %+v, %v", found, err)
	}
}
