package sqlite_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kota/store/sqlite"
	"kota/store/sqlite/approvals"
	"kota/store/sqlite/diary"
	"kota/store/sqlite/mailcache"
	"kota/store/sqlite/memory"
	"kota/store/sqlite/stages"
	"kota/store/sqlite/undo"
	"kota/store/sqlite/usage"
	"kota/store/storetest"
	"kota/store/storetest/diarytest"
	"kota/store/storetest/memorytest"
)

var update = flag.Bool("update-ranking", false, "write the rankings of memorytest anew")

func TestContract(t *testing.T) {
	if *update {
		for _, set := range memorytest.RankingSets {
			err := os.WriteFile("../storetest/memorytest/testdata/recall/"+set+"/ranking.txt", []byte(memorytest.Ranking(t, newOpener(t), set)), 0o644)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	storetest.Run(t, newOpener)
	memorytest.Run(t, newOpener)
	diarytest.Run(t, newOpener)
}

func newOpener(tb testing.TB) storetest.Opener {
	path := filepath.Join(tb.TempDir(), "kota.db")
	return func(now func() time.Time) storetest.Database {
		return database{openAt(tb, path, sqlite.Options{Now: now, Sealer: storetest.Sealer{}})}
	}
}

// A database implements storetest.Database with one file.
type database struct{ *sqlite.DB }

func (d database) Stages(tenant string) storetest.Stages { return stages.New(d.DB, tenant) }
func (d database) Usage(tenant string) storetest.Usage   { return usage.New(d.DB, tenant) }
func (d database) Undos(tenant, bundle string) storetest.UndoRecords {
	return undo.New(d.DB, tenant, bundle)
}
func (d database) Limits(tenant string) storetest.Limits { return approvals.NewLimits(d.DB, tenant) }
func (d database) Approvals(tenant string) storetest.Approvals {
	return approvals.New(d.DB, tenant)
}
func (d database) Mail(tenant, account string) storetest.Mail {
	return mailcache.New(d.DB, tenant, account)
}
func (d database) Memories(tenant string) storetest.Memories { return memory.New(d.DB, tenant) }
func (d database) Diary(tenant string) storetest.Diary       { return diary.New(d.DB, tenant) }
