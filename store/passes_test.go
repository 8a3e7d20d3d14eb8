package store_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"kota/store"
)

func limited(t *testing.T, err error) *store.LimitedError {
	t.Helper()
	limit := (*store.LimitedError)(nil)
	if !errors.As(err, &limit) {
		t.Fatalf("got %v, want a limit", err)
	}
	return limit
}

var twoAnHour = []store.Limit{{Most: 2, While: time.Hour}}

func TestWhatIsLetThroughIsCountedAcrossRestarts(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "kota.db")
	for i := range 2 {
		db := openAt(t, path, store.Options{Now: c.now})
		if err := db.Pass(t.Context(), "ann", store.PassSend, twoAnHour); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		c.Time = c.Add(time.Duration(20+i) * time.Minute)
	}
	db := openAt(t, path, store.Options{Now: c.now})
	full := limited(t, db.Pass(t.Context(), "ann", store.PassSend, twoAnHour))
	if want := newClock().Add(time.Hour); !full.Until.Equal(want) || full.Most != 2 {
		t.Errorf("there is room at %v, want %v", full.Until, want)
	}
	for what, err := range map[string]error{
		"another kind":    db.Pass(t.Context(), "ann", store.PassDestroy, twoAnHour),
		"somebody else":   db.Pass(t.Context(), "bob", store.PassSend, twoAnHour),
		"no limit at all": db.Pass(t.Context(), "ann", store.PassSend, nil),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	c.Time = full.Until.Add(-time.Millisecond)
	limited(t, db.Pass(t.Context(), "ann", store.PassSend, twoAnHour))
	c.Time = full.Until
	if err := db.Pass(t.Context(), "ann", store.PassSend, twoAnHour); err != nil {
		t.Errorf("at the time that was said: %v", err)
	}
}

// Of two limits that are reached the one counts that lasts longer, and what was
// refused does not count itself.
func TestTheLimitThatLastsLongestIsNamed(t *testing.T) {
	c := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), store.Options{Now: c.now})
	limits := []store.Limit{{Most: 2, While: time.Hour}, {Most: 3, While: 24 * time.Hour}}
	for range 3 {
		if err := db.Pass(t.Context(), "ann", store.PassSend, limits); err != nil {
			t.Fatal(err)
		}
		c.Time = c.Add(40 * time.Minute)
	}
	for range 3 {
		if full := limited(t, db.Pass(t.Context(), "ann", store.PassSend, limits)); full.While != 24*time.Hour || !full.Until.Equal(newClock().Add(24*time.Hour)) {
			t.Errorf("%+v", full)
		}
	}
	c.Time = newClock().Add(24 * time.Hour)
	if err := db.Pass(t.Context(), "ann", store.PassSend, limits); err != nil {
		t.Error(err)
	}
}

// An hour over which clocks are put back is an hour.
func TestLimitsDoNotGoByTheClockOnTheWall(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)} // 02:30, the first of two times that are shown so
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), store.Options{Now: c.now})
	limits := []store.Limit{{Most: 1, While: time.Hour}}
	if err := db.Pass(t.Context(), "ann", store.PassSend, limits); err != nil {
		t.Fatal(err)
	}
	c.Time = c.Add(59 * time.Minute)
	full := limited(t, db.Pass(t.Context(), "ann", store.PassSend, limits))
	if got := full.Until.In(zone).Format(time.RFC3339); got != "2026-10-25T02:30:00+01:00" {
		t.Errorf("there is room at %s", got)
	}
}

// A clock that was a year ahead for a while locks nobody out.
func TestWhatWasLetThroughInTheFutureDoesNotCount(t *testing.T) {
	c := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), store.Options{Now: c.now})
	c.Time = c.AddDate(1, 0, 0)
	for range 2 {
		if err := db.Pass(t.Context(), "ann", store.PassSend, twoAnHour); err != nil {
			t.Fatal(err)
		}
	}
	c.Time = newClock().Time
	if err := db.Pass(t.Context(), "ann", store.PassSend, twoAnHour); err != nil {
		t.Error(err)
	}
}

// runPasser asks to be let through as another process, and prints a line for
// each time that it was.
func runPasser(path, _, count string) error {
	times, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	db, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		return err
	}
	for range times {
		err := db.Pass(context.Background(), "ann", store.PassSend, []store.Limit{{Most: 25, While: time.Hour}})
		switch full := (*store.LimitedError)(nil); {
		case errors.As(err, &full):
		case err != nil:
			return err
		default:
			os.Stdout.WriteString("through\n")
		}
	}
	return db.Close()
}

func TestTwoProcessesShareALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	openAt(t, path, store.Options{})
	counts := make(chan int)
	for range 2 {
		command, stdout := child(t, path, "passer", 20)
		go func() {
			n := 0
			for lines := bufio.NewScanner(stdout); lines.Scan(); {
				n++
			}
			if err := command.Wait(); err != nil {
				t.Error(err)
			}
			counts <- n
		}()
	}
	if through := <-counts + <-counts; through != 25 {
		t.Errorf("%d were let through, want 25", through)
	}
}
