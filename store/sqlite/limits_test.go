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
	"kota/store/tables/approvals"
)

// runLimited is a process that first prints that it is ready, and waits for a byte. Then it
// calls Allow count times, and prints a line for each allowed call.
func runLimited(path, _, count string) error {
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
		err := approvals.NewLimits(db, "ann").Allow(context.Background(), store.KindSend, 1, []store.Limit{{Max: 25, Window: time.Hour}})
		switch full := (*store.LimitError)(nil); {
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
		command, stdin, stdout := childWithStdin(t, path, "passer", 20)
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
			t.Fatal("a process did not start")
		}
	}
	close(begin) // both at the same time
	if allowed := <-counts + <-counts; allowed != 25 {
		t.Errorf("%d calls were allowed, want 25", allowed)
	}
}
