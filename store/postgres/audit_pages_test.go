package postgres

import (
	"errors"
	"testing"
	"time"

	"kota/store"
)

// The log is read in pages of 1,000 rows.
func TestALongAuditLogIsReadInPages(t *testing.T) {
	t.Parallel()
	db := contractOpener(t)(t)(time.Now)
	log := db.Audit("ann").(contractLog)
	rows := []store.AuditRow{}
	for n := range int64(2500) {
		rows = append(rows, store.AuditRow{Seq: n + 1, Owner: "ann", At: time.UnixMilli(n), Tool: []string{"even", "odd"}[(n+1)%2]})
	}
	log.Replace(t, rows)
	db.Audit("bob").Replace(t, rows[:1])
	for tool, step := range map[string]int64{"": 1, "even": 2} {
		last := int64(0)
		for row, err := range log.Rows(t.Context(), store.AuditFilter{Tool: tool}) {
			if err != nil || row.Seq != last+step {
				t.Fatalf("tool %q: after row %d comes %d, %v", tool, last, row.Seq, err)
			}
			last = row.Seq
		}
		if last != 2500 {
			t.Errorf("tool %q: the last row is %d", tool, last)
		}
	}
	read := int64(0)
	for row, err := range log.Rows(t.Context(), store.AuditFilter{}) {
		if row.Seq == 500 {
			log.Replace(t, rows[1500:])
		}
		if err != nil {
			if !errors.Is(err, store.ErrBusy) {
				t.Error(err)
			}
			return
		}
		read = row.Seq
	}
	t.Errorf("rows were removed meanwhile, and the reader stopped without an error at row %d", read)
}
