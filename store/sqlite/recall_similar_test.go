package sqlite_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"kota/store"
	"kota/store/semantic"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

func TestVectorLeavesTheFileWithItsText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	m := memory.New(db, "ann")
	vectors, keys := map[string][]byte{}, []string{"garage", "doctor", "bread"}
	for _, key := range keys {
		set(t, m, store.Entry{Key: key, Value: jsonText(key)})
	}
	items, err := m.Vectors().Missing(t.Context(), "m", 4, 0, 9)
	if err != nil || len(items) != len(keys) {
		t.Fatal(items, err)
	}
	made := []semantic.Vector{{1.5, 2.5, 3.5, 4.5}, {5.5, 6.5, 7.5, 8.5}, {9.5, 10.5, 11.5, 12.5}}
	if err := m.Vectors().Keep(t.Context(), "m", items, made); err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		vectors[key] = made[i].Bytes()
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for key, vector := range vectors {
		if !bytes.Contains(read(t, path), vector) {
			t.Fatalf("the vector of %s is not in the file", key)
		}
	}
	db = openAt(t, path, sqlite.Options{})
	m = memory.New(db, "ann")
	if _, err := m.Delete(t.Context(), store.Target{Key: "garage"}, false); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "doctor", Value: jsonText("none")})
	if _, err := m.Erase(t.Context(), store.Target{Key: "bread"}, false); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left := slices.DeleteFunc(keys, func(key string) bool { return !bytes.Contains(read(t, path), vectors[key]) })
	if len(left) > 0 {
		t.Errorf("the vectors of %q are still in the file", left)
	}
}
