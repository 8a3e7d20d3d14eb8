package memorytest

import (
	"errors"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

func set(t testing.TB, m storetest.Memories, e store.Entry) store.WriteResult {
	t.Helper()
	w, err := m.Set(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func keys(memories []*store.Memory) []string {
	keys := []string{}
	for _, m := range memories {
		keys = append(keys, m.Key)
	}
	return keys
}

func memoriesSurviveClosing(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	set(t, db.Memories("ann"), store.Entry{Key: "city", Value: jsonText("Bern")})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := open(time.Now).Memories("ann").Get(t.Context(), "city")
	if err != nil || string(got.Value) != `"Bern"` {
		t.Fatalf("got %v, %v", got, err)
	}
}

func tenantsDoNotSeeEachOther(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	set(t, db.Memories("ann"), store.Entry{Key: "city", Value: jsonText("Bern")})
	if _, err := db.Memories("bob").Get(t.Context(), "city"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("bob gets %v", err)
	}
	list, _, err := db.Memories("bob").List(t.Context(), store.Filter{}, store.Page{Limit: 9})
	if err != nil || len(list) != 0 {
		t.Fatalf("bob lists %v, %v", keys(list), err)
	}
}
