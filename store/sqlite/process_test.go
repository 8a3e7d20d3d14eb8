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
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/outbox"
	"kota/store/tables/undo"
)

// runHolder is a process that claims an outbox item and a change to undo, and holds both until it
// is killed.
func runHolder(path, _, change string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, held, err := outbox.New(db, "ann", "gmail").ClaimOrCreate(ctx, newItem("k", "d"), time.Time{}, time.Hour); err != nil || !held {
		return fmt.Errorf("held %v, %w", held, err)
	}
	if _, err := undo.New(db, "ann", "gmail").Claim(ctx, change); err != nil {
		return err
	}
	fmt.Println("taken")
	select {}
}

func TestAKilledProcessFreesItsLeasesAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot distinguish a process from a later one with its id")
	}
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	box, undos := outbox.New(db, "ann", "gmail"), undo.New(db, "ann", "gmail")
	change, err := undos.Save(t.Context(), store.UndoRecord{Account: "a", Kind: "k", Title: "t", Before: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), childCommand+"="+path+" taker "+change)
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
	if got, held := claim(t, box, newItem("k", "d"), time.Minute); held || got.Interrupted() {
		t.Fatalf("while the process runs: %+v, held %v", got, held)
	}
	if _, err := undos.Claim(t.Context(), change); !errors.Is(err, store.ErrClaimed) {
		t.Fatalf("while the process runs: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	got, held := claim(t, box, newItem("k", "d"), time.Minute)
	if !held || !got.Orphaned || got.New {
		t.Errorf("after the process was killed: %+v, held %v", got, held)
	}
	if _, err := undos.Claim(t.Context(), change); err != nil {
		t.Errorf("after the process was killed: %v", err)
	}
}
