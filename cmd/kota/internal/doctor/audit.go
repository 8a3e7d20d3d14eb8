package doctor

import (
	"context"
	"fmt"

	"kota/cmd/kota/internal/app"
	"kota/metadata"
)

// examineAudit verifies the audit log as `kota audit verify` does. It reports
// nothing for an empty log.
func examineAudit(ctx context.Context, db app.Database) []Finding {
	f := Finding{Check: "audit log", Remedy: "Run `kota audit verify`, which explains the problem and what to do."}
	_, onServer := db.(app.ServerDatabase) // it never has a record of the end outside of the database
	verdict, err := app.AuditLog(db).Verify(ctx)
	switch {
	case err != nil:
		f.Saw = err.Error()
	case len(verdict.Tampering) > 0:
		f.Saw = verdict.Tampering[0].Finding
		if more := len(verdict.Tampering) - 1; more > 0 {
			f.Saw += fmt.Sprintf("; and %d more", more)
		}
	case verdict.CheckpointProblem != "" && !onServer:
		f.Saw = verdict.CheckpointProblem + ": rows removed from the end cannot be detected"
	case verdict.Rows == 0:
		return nil
	default:
		f.OK, f.Saw, f.Remedy = true, "intact: "+metadata.CountOf(int(verdict.Rows), "row"), ""
	}
	return []Finding{f}
}
