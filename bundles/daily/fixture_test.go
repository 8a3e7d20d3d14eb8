package daily_test

import (
	"context"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/metadata"
	"kota/store/enginetest"
	"kota/store/tables/diary"
	"kota/store/tables/stages"
)

// A fixture is the bundle with a real database, at a time and in a zone that the test sets.
type fixture struct {
	bundle    bundles.Bundle
	deps      daily.Deps
	db        func(context.Context) (enginetest.Database, error)
	now       time.Time
	zone      *time.Location
	dayStarts time.Duration
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{zone: location(t, "Europe/Amsterdam"), dayStarts: 4 * time.Hour}
	d.now = time.Date(2026, 11, 21, 12, 0, 0, 0, d.zone)
	d.db = enginetest.Lazy(t, func() time.Time { return d.now })
	d.deps = daily.Deps{
		Diary:     enginetest.Part(d.db, func(db enginetest.Database) daily.Diary { return diary.New(db, "local") }),
		Stages:    enginetest.Part(d.db, func(db enginetest.Database) daily.StageStore { return stages.New(db, "local") }),
		Now:       func() time.Time { return d.now },
		Zone:      func() *time.Location { return d.zone },
		DayStarts: func() time.Duration { return d.dayStarts },
	}
	d.bundle = daily.New(d.deps)
	return d
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// callFails calls a tool, requires an error with that code and returns it.
func (d *fixture) callFails(t *testing.T, tool string, in args, code metadata.Code) *metadata.Error {
	t.Helper()
	_, err := bundletest.Call(t, d.bundle, tool, in)
	e := bundletest.AsError(t, err)
	if e.Code != code {
		t.Errorf("%s %v: got %v, want %s", tool, in, e, code)
	}
	return e
}

// args are the arguments of a call.
type args = map[string]any
