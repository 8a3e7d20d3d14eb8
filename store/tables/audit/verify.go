package audit

import (
	"context"
	"fmt"
	"slices"

	"kota/store"
	"kota/store/engine"
)

// Verify checks the whole audit log. It also checks that the log contains the checkpoint beside
// the file, and the rows that the user has noted. It cannot detect rows that someone with write
// access to the file added in the correct form. If the checkpoint beside the file is missing or
// damaged, Verify still checks the rows, and sets CheckpointProblem. PostgreSQL has no such file.
// Verify then checks the end that the database itself records, and sets CheckpointProblem too,
// because someone with all rights in the database can change both.
func (a *Log) Verify(ctx context.Context, noted ...store.NotedRow) (store.AuditReport, error) {
	checkpoint, problem, err := a.recordedEnd(ctx) // first, because the log may grow meanwhile
	if err != nil {
		return store.AuditReport{}, fmt.Errorf("read the end of the audit log: %w", err)
	}
	if checkpoint.Seq > 0 {
		noted = append(noted, store.NotedRow{Seq: checkpoint.Seq, HashPrefix: checkpoint.Hash.String()})
	}
	c := store.NewAuditChecker(noted...)
	if err := a.checkTriggers(ctx, c); err != nil {
		return store.AuditReport{}, fmt.Errorf("check the audit log: %w", err)
	}
	for row, err := range a.Rows(ctx, store.AuditFilter{}) {
		if err != nil {
			return store.AuditReport{}, err
		}
		c.Add(row)
	}
	v := c.Result()
	switch {
	case problem != nil:
		v.CheckpointProblem = fmt.Sprintf("%s cannot be read (%v)", a.file.CheckpointName(), problem)
	case a.file == nil && v.Rows > 0:
		v.CheckpointProblem = "only the database itself records the last row, and someone with all rights in it can change both"
	case a.file != nil && checkpoint.Seq == 0 && v.Rows > 0 && !a.file.HasCheckpoint():
		v.CheckpointProblem = a.file.CheckpointName() + " is missing"
	}
	return v, nil
}

// Two triggers prevent changes and removals of rows. checkTriggers reports to c which of them
// are missing.
func (a *Log) checkTriggers(ctx context.Context, c *store.AuditChecker) error {
	present, err := engine.Strings(a.db.Read(ctx), selectTriggers.For(a.db))
	for _, trigger := range []string{"audit_keeps", "audit_stays"} {
		if err == nil && !slices.Contains(present, trigger) {
			c.Report(0, "the trigger %s, which protects the rows, is missing", trigger)
		}
	}
	return err
}
