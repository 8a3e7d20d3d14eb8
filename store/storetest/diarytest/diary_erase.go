package diarytest

import (
	"testing"
	"time"

	"kota/store/storetest"
)

func erasedIDIsNotReused(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	last := logOne(t, d, noteEntry("2026-11-20", "x")).ID
	if erased, err := d.Erase(t.Context(), []string{last}, false); err != nil || !erased.Complete {
		t.Fatal(erased, err)
	}
	if next := logOne(t, open(time.Now).Diary("ann"), noteEntry("2026-11-20", "y")).ID; next == last {
		t.Errorf("another entry has the id %s", next)
	}
}
