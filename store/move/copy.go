package move

import (
	"context"
	"fmt"
	"slices"

	"kota/store"
)

// A database is a side of a move.
type database interface {
	count(ctx context.Context, t table) (int64, error)
	each(ctx context.Context, t table, do func(row []any) error) error
	add(ctx context.Context, t table, rows [][]any) error
}

// A batch is written in one statement. It limits the memory that a move needs. One row may be larger.
const (
	batchRows  = 500
	batchBytes = 1 << 20
)

// copyTable copies the rows of a table and returns their digest.
func copyTable(ctx context.Context, from, to database, t table, copied func(rows int)) (*digest, error) {
	read, batch, size := &digest{}, [][]any{}, 0
	write := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := to.add(ctx, t, batch); err != nil {
			return fmt.Errorf("write rows of %s: %w", t.name, err)
		}
		copied(len(batch))
		batch, size = batch[:0], 0
		return nil
	}
	err := from.each(ctx, t, func(row []any) error {
		if err := read.add(row); err != nil {
			return err
		}
		batch, size = append(batch, slices.Clone(row)), size+sizeOf(row)
		if len(batch) < batchRows && size < batchBytes {
			return nil
		}
		return write()
	})
	if err == nil {
		err = write()
	}
	if err != nil {
		return nil, fmt.Errorf("copy %s: %w", t.name, err)
	}
	return read, nil
}

func sizeOf(row []any) int {
	size := 0
	for _, value := range row {
		switch v := value.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		default:
			size += 8
		}
	}
	return size
}

// digestOf reads a table. It also gives the rows to the checker of the audit log, if it is given.
func digestOf(ctx context.Context, from database, t table, checker *store.AuditChecker) (*digest, error) {
	read := &digest{}
	err := from.each(ctx, t, func(row []any) error {
		if checker != nil {
			checker.Add(auditRow(row))
		}
		return read.add(row)
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", t.name, err)
	}
	return read, nil
}
