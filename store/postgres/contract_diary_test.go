package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kota/store/storetest"
	"kota/store/storetest/diarytest"
	"kota/store/tables/diary"
)

func TestDiaryContract(t *testing.T) {
	url := newDatabase(t).role(t, "CREATEROLE", true)
	tests := atomic.Int64{}
	diarytest.Run(t, func(tb testing.TB) storetest.Opener {
		prefix := fmt.Sprintf("%d-", tests.Add(1))
		return func(now func() time.Time) storetest.Database {
			tb.Helper()
			s, err := Open(tb.Context(), url, Options{Now: now, Version: "test", Sealer: storetest.Sealer{}})
			if err != nil {
				tb.Fatal(err)
			}
			tb.Cleanup(func() { s.Close() })
			return diaryDatabase{&contractDatabase{Server: s, tb: tb, prefix: prefix}}
		}
	})
}

// A diaryDatabase adds the part of storetest.Database that diarytest.Run uses.
type diaryDatabase struct{ *contractDatabase }

func (d diaryDatabase) Properties() storetest.Properties { return storetest.Properties{} }

func (d diaryDatabase) Diary(tenant string) storetest.Diary {
	d.tb.Helper()
	db, err := d.Server.Tenant(context.Background(), d.prefix+hex.EncodeToString([]byte(tenant)))
	if err != nil {
		d.tb.Fatal(err)
	}
	return diary.New(db, tenant)
}
