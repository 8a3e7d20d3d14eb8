package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
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
		db := openAt(t, path, sqlite.Options{Now: c.now})
		if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		c.set(c.now().Add(time.Duration(20+i) * time.Minute))
	}
	db := openAt(t, path, sqlite.Options{Now: c.now})
	full := limited(t, db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour))
	if want := newClock().now().Add(time.Hour); !full.Until.Equal(want) || full.Most != 2 {
		t.Errorf("there is room at %v, want %v", full.Until, want)
	}
	for what, err := range map[string]error{
		"another kind":    db.Limits("ann").Allow(t.Context(), store.PassDestroy, 1, twoAnHour),
		"somebody else":   db.Limits("bob").Allow(t.Context(), store.PassSend, 1, twoAnHour),
		"no limit at all": db.Limits("ann").Allow(t.Context(), store.PassSend, 1, nil),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	c.set(full.Until.Add(-time.Millisecond))
	limited(t, db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour))
	c.set(full.Until)
	if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour); err != nil {
		t.Errorf("at the time that was said: %v", err)
	}
}

// Of two limits that are reached the one counts that lasts longer, and what was
// refused does not count itself.
func TestTheLimitThatLastsLongestIsNamed(t *testing.T) {
	c := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: c.now})
	limits := []store.Limit{{Most: 2, While: time.Hour}, {Most: 3, While: 24 * time.Hour}}
	for range 3 {
		if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, limits); err != nil {
			t.Fatal(err)
		}
		c.set(c.now().Add(40 * time.Minute))
	}
	for range 3 {
		if full := limited(t, db.Limits("ann").Allow(t.Context(), store.PassSend, 1, limits)); full.While != 24*time.Hour || !full.Until.Equal(newClock().now().Add(24*time.Hour)) {
			t.Errorf("%+v", full)
		}
	}
	c.set(newClock().now().Add(24 * time.Hour))
	if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, limits); err != nil {
		t.Error(err)
	}
}

// An hour over which clocks are put back is an hour.
func TestLimitsDoNotGoByTheClockOnTheWall(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	c := clockAt(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)) // 02:30, the first of two times that are shown so
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: c.now})
	limits := []store.Limit{{Most: 1, While: time.Hour}}
	if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, limits); err != nil {
		t.Fatal(err)
	}
	c.set(c.now().Add(59 * time.Minute))
	full := limited(t, db.Limits("ann").Allow(t.Context(), store.PassSend, 1, limits))
	if got := full.Until.In(zone).Format(time.RFC3339); got != "2026-10-25T02:30:00+01:00" {
		t.Errorf("there is room at %s", got)
	}
}

// A clock that was a year ahead for a while locks nobody out.
func TestWhatWasLetThroughInTheFutureDoesNotCount(t *testing.T) {
	c := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: c.now})
	c.set(c.now().AddDate(1, 0, 0))
	for range 2 {
		if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour); err != nil {
			t.Fatal(err)
		}
	}
	c.set(newClock().now())
	if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour); err != nil {
		t.Error(err)
	}
}

// runPasser asks to be let through as another process, and prints a line for
// each time that it was. It says that it is ready first, and begins when it is
// told to.
func runPasser(path, _, count string) error {
	times, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	os.Stdout.WriteString("ready\n")
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		return err
	}
	for range times {
		err := db.Limits("ann").Allow(context.Background(), store.PassSend, 1, []store.Limit{{Most: 25, While: time.Hour}})
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
	openAt(t, path, sqlite.Options{})
	counts, ready, begin := make(chan int), make(chan bool), make(chan struct{})
	for range 2 {
		command, stdin, stdout := talkingChild(t, path, "passer", 20)
		go func() {
			lines := bufio.NewScanner(stdout)
			ready <- lines.Scan()
			<-begin
			if _, err := io.WriteString(stdin, "\n"); err != nil {
				t.Error(err)
			}
			n := 0
			for lines.Scan() {
				n++
			}
			if err := command.Wait(); err != nil {
				t.Error(err)
			}
			counts <- n
		}()
	}
	for range 2 {
		if !<-ready {
			t.Fatal("a process has not begun")
		}
	}
	close(begin) // both at once
	if through := <-counts + <-counts; through != 25 {
		t.Errorf("%d were let through, want 25", through)
	}
}

// What is changed many at once counts as many.
func TestItemsCountEach(t *testing.T) {
	c := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: c.now})
	pass := func(n int) error {
		return db.Limits("ann").Allow(t.Context(), store.PassChange, n, []store.Limit{{Most: 10, While: time.Hour}})
	}
	if err := pass(6); err != nil {
		t.Fatal(err)
	}
	c.set(c.now().Add(time.Minute))
	if err := errors.Join(pass(3), pass(0)); err != nil {
		t.Fatal(err)
	}
	if full := limited(t, pass(2)); !full.Until.Equal(newClock().now().Add(time.Hour)) {
		t.Errorf("there is room for two at %v", full.Until)
	}
	if full := limited(t, pass(8)); !full.Until.Equal(newClock().now().Add(time.Hour + time.Minute)) {
		t.Errorf("there is room for eight at %v", full.Until)
	}
	if err := pass(1); err != nil {
		t.Errorf("one more: %v", err)
	}
	limited(t, pass(11))
}

func TestARefundMakesRoomForOneMoreOfItsKind(t *testing.T) {
	c := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: c.now})
	for _, kind := range []string{store.PassSend, store.PassDestroy, store.PassSend, store.PassDestroy} {
		if err := db.Limits("ann").Allow(t.Context(), kind, 1, twoAnHour); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Limits("ann").Refund(t.Context(), store.PassSend); err != nil {
		t.Fatal(err)
	}
	if err := db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour); err != nil {
		t.Errorf("after a refund: %v", err)
	}
	limited(t, db.Limits("ann").Allow(t.Context(), store.PassSend, 1, twoAnHour))
	limited(t, db.Limits("ann").Allow(t.Context(), store.PassDestroy, 1, twoAnHour))
}
