package walltest

import (
	"errors"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

func bundlesOfUndoRecordsAreSeparate(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	record := store.UndoRecord{Kind: "labels", Before: storetest.JSONText("x")}
	id := must[string](t)(db.Undos("ann", "calendar").Save(t.Context(), record))
	if bundle, err := db.BundleOf(t.Context(), "ann", id); err != nil || bundle != "calendar" {
		t.Errorf("got %q, %v", bundle, err)
	}
	mustDo(t, db.Undos("ann", "calendar").Done(t.Context(), id))
	if bundle, err := db.BundleOf(t.Context(), "ann", id); err != nil || bundle != "calendar" {
		t.Errorf("of an undone change: %q, %v", bundle, err)
	}
	for _, tenant := range []string{"bob", "ann"} {
		if bundle, err := db.BundleOf(t.Context(), tenant, map[string]string{"bob": id, "ann": "u_none"}[tenant]); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s gets %q, %v", tenant, bundle, err)
		}
	}
}

func secretsAreCountedByTenant(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	if n, err := db.CheckSecrets(t.Context(), "ann"); n != 0 || err != nil {
		t.Errorf("at first there are %d, %v", n, err)
	}
	for i, key := range []string{"pin", "code"} {
		must[store.WriteResult](t)(db.Memories("ann").Set(t.Context(), store.Entry{Key: key, Value: storetest.JSONText("1234"), Secret: new(true)}))
		if n, err := db.CheckSecrets(t.Context(), "bob"); n != 0 || err != nil {
			t.Errorf("bob has %d, %v", n, err)
		}
		if n, err := db.CheckSecrets(t.Context(), "ann"); n != i+1 || err != nil {
			t.Errorf("there are %d, %v", n, err)
		}
	}
}
