//go:build unix

package move

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/sqlite"
	"kota/store/storetest"
)

// The environment of a process that moves and kills itself at a point.
const killVariable = "KOTA_TEST_MOVE"

// killPoints are the steps, and numbers of progress reports.
var killPoints = []string{"1", "2", "9", "15", "copied", "marked", "committed", "index"}

func TestAKilledMoveToTheServerStartsAgain(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	want := dump(t, newHome(t, 5))
	for _, point := range killPoints {
		t.Run(point, func(t *testing.T) {
			path := newHome(t, 5)
			runKilled(t, "to", point, url, path, "person "+point)
			committed := point == "committed" || point == "index"
			p := must[*person](t)(openPerson(t.Context(), server, "person "+point))
			r := must[Report](t)(countAll(t.Context(), p))
			p.close(t.Context())
			if (r.Rows > 0) != committed {
				t.Errorf("%d rows are at the target", r.Rows)
			}
			db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil {
				mustDo(t, db.Close())
			}
			if marked := committed || point == "marked"; errors.Is(err, store.ErrMoved) != marked {
				t.Errorf("the file opens with %v", err)
			}
			again := must[Report](t)(ToServer(t.Context(), path, server, "person "+point, options()))
			if again.Present != committed {
				t.Errorf("present: %t", again.Present)
			}
			checkSound(t, must[*postgres.DB](t)(server.Tenant(t.Context(), "person "+point)))
			if dump(t, path) != want {
				t.Error("the source has changed")
			}
			back := filepath.Join(t.TempDir(), "kota.db")
			must[Report](t)(ToFile(t.Context(), server, "person "+point, back, options()))
			if dump(t, back) != want {
				t.Error("the rows differ")
			}
		})
	}
}

func TestAKilledMoveToAFileStartsAgain(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	home := newHome(t, 5)
	want := dump(t, home)
	for _, point := range []string{"created", "1", "9", "20", "copied", "index", "indexed", "noted", "left"} {
		t.Run(point, func(t *testing.T) {
			home, path := newHome(t, 5), filepath.Join(t.TempDir(), "kota.db")
			must[Report](t)(ToServer(t.Context(), home, server, point, options()))
			runKilled(t, "from", point, url, path, point)
			if !isMissing(path) {
				t.Error("the incomplete file has its name")
			}
			if _, err := newProcess(t, url).Tenant(t.Context(), point); errors.Is(err, store.ErrMoved) != (point == "left") {
				t.Errorf("the server says %v", err)
			}
			must[Report](t)(ToFile(t.Context(), server, point, path, options()))
			if dump(t, path) != want {
				t.Error("the rows differ")
			}
			if left := must[[]string](t)(filepath.Glob(path + ".moving*")); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
			db := openFileDB(t, path)
			defer db.Close()
			checkSound(t, db)
		})
	}
}

// runKilled runs a move in a process that kills itself at a point.
func runKilled(t *testing.T, direction, point, url, path, name string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), killVariable+"="+strings.Join([]string{direction, point, url, path, name}, "\n"))
	out, err := cmd.CombinedOutput()
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process ended with %v: %s", err, out)
	}
}

// TestKilledProcess is the process of runKilled.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	given := strings.Split(os.Getenv(killVariable), "\n")
	if len(given) != 5 {
		t.Skip("for other tests")
	}
	direction, point, url, path, name := given[0], given[1], given[2], given[3], given[4]
	opts, reports := options(), 0
	die := func(reached string) {
		if reached == point {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	opts.step = die
	opts.Progress = func(string, int64, int64) {
		reports++
		die(fmt.Sprint(reports))
	}
	all := indexes
	opts.Index = func(ctx context.Context, db engine.DB) error {
		indexes = all[:1] // the process ends before the other indexes
		err := indexAll(ctx, db)
		die("index")
		indexes = all
		return errors.Join(err, indexAll(ctx, db))
	}
	server := must[*postgres.Server](t)(postgres.Open(t.Context(), url, postgres.Options{Version: "test", Now: clock, Sealer: storetest.Sealer{}}))
	if direction == "to" {
		must[Report](t)(ToServer(t.Context(), path, server, name, opts))
	} else {
		must[Report](t)(ToFile(t.Context(), server, name, path, opts))
	}
}
