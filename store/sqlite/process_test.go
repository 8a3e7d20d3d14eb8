package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// runTaker is a process that takes a letter and the undoing of a change, and holds
// both until it is killed.
func runTaker(path, _, undo string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, held, err := db.Outbox("ann", "gmail").Take(ctx, letter("k", "d"), time.Time{}, time.Hour); err != nil || !held {
		return fmt.Errorf("held %v, %w", held, err)
	}
	if _, err := db.Undos("ann", "gmail").Claim(ctx, undo); err != nil {
		return err
	}
	fmt.Println("taken")
	select {}
}

func TestWhatAKilledProcessHeldIsFreeAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there a process cannot be told from a later one of its number")
	}
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	box, undos := db.Outbox("ann", "gmail"), db.Undos("ann", "gmail")
	undo, err := undos.Save(t.Context(), store.Undo{Account: "a", Kind: "k", Title: "t", Before: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), childCommand+"="+path+" taker "+undo)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "taken\n" {
		t.Fatalf("it says %q, %v", line, err)
	}
	if got, held := take(t, box, letter("k", "d"), minute); held || got.Abandoned() {
		t.Fatalf("of a process that lives: %+v, held %v", got, held)
	}
	if _, err := undos.Claim(t.Context(), undo); !errors.Is(err, store.ErrClaimed) {
		t.Fatalf("of a process that lives: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	got, held := take(t, box, letter("k", "d"), minute)
	if !held || !got.Orphaned || got.New {
		t.Errorf("of a process that was killed: %+v, held %v", got, held)
	}
	if _, err := undos.Claim(t.Context(), undo); err != nil {
		t.Errorf("of a process that was killed: %v", err)
	}
}

func TestAProcessIsGoneOnlyWhereThatIsCertain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there it never is")
	}
	own := strings.Split(sqlite.NewHolder(), " ")
	for name, c := range map[string]struct {
		change func(parts []string) []string
		gone   bool
	}{
		"itself":                       {func(p []string) []string { return p }, false},
		"an earlier one of its number": {func(p []string) []string { p[2] = "1"; return p }, true},
		"on another machine":           {func(p []string) []string { p[2], p[3] = "1", "elsewhere"; return p }, false},
		"whose start is not known":     {func(p []string) []string { p[2] = ""; return p }, false},
		"of an older KOTA":             {func(p []string) []string { return p[:2] }, false},
		"of no number":                 {func(p []string) []string { p[0] = "x"; return p }, false},
		"of nobody":                    {func([]string) []string { return nil }, false},
	} {
		holder := strings.Join(c.change(append([]string{}, own...)), " ")
		if got := sqlite.HolderGone(holder); got != c.gone {
			t.Errorf("%s: gone is %v of %q", name, got, holder)
		}
	}
}
