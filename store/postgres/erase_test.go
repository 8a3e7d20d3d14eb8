package postgres

import (
	"errors"
	"testing"

	"kota/store"
	"kota/store/engine"
)

func TestErasingIsNeverComplete(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	ann := h.people[0]
	if err := ann.Write(t.Context(), ann.put("a", 1).run); err != nil {
		t.Fatal(err)
	}
	erased, err := ann.Erase(t.Context(), func(tx engine.Tx) ([]string, error) {
		return []string{"a"}, errors.Join(tx.Exec("DELETE FROM mail_state WHERE owner = ?", ann.tenant), tx.MarkErased())
	})
	if err != nil || erased.Complete || erased.Reason == "" || len(erased.Keys) != 1 {
		t.Errorf("got %+v, %v", erased, err)
	}
	if got := h.stored(t, ann); got != "" {
		t.Errorf("%s is still stored", got)
	}
	missing := &store.NotFoundError{Key: "b"}
	erased, err = ann.Erase(t.Context(), func(engine.Tx) ([]string, error) { return nil, missing })
	if !errors.Is(err, store.ErrNotFound) || len(erased.Keys) != 0 {
		t.Errorf("a missing key gave %+v, %v", erased, err)
	}
	if due, err := ann.CleaningDue(t.Context(), missing); due || !errors.Is(err, store.ErrNotFound) {
		t.Errorf("cleaning is due: %v, %v", due, err)
	}
}
