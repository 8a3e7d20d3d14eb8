package move

import (
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// auditTable is the table of the audit log.
const auditTable = "audit"

// auditRow returns a row of the table of the audit log.
func auditRow(row []any) store.AuditRow {
	texts, numbers := [13]string{}, [13]int64{}
	for i, value := range row {
		switch v := value.(type) {
		case string:
			texts[i] = v
		case int64:
			numbers[i] = v
		case []byte:
			texts[i] = string(v)
		}
	}
	r := store.AuditRow{
		Seq: numbers[0], Owner: texts[1], At: time.UnixMilli(numbers[2]), Call: texts[3], Phase: store.Phase(texts[4]), Tool: texts[5], Effect: texts[6],
		Channel: texts[7], Args: texts[8], Approval: texts[9], Code: texts[10],
	}
	copy(r.Prev[:], texts[11])
	copy(r.Hash[:], texts[12])
	return r
}

// checkerOfFile returns a checker for the audit log of a file. The log must contain the row that the
// file beside the database names.
func checkerOfFile(path string) (*store.AuditChecker, error) {
	end, err := sqlite.ReadCheckpoint(path)
	if err != nil || end.Seq == 0 {
		return store.NewAuditChecker(), err
	}
	return store.NewAuditChecker(store.NotedRow{Seq: end.Seq, HashPrefix: end.Hash.String()}), nil
}
