package move

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres"
	"kota/store/postgres/convert"
	"kota/store/postgres/failure"
)

// A person is the part of a PostgreSQL database that belongs to one person, in one transaction. The
// transaction is the unit of a move: an interrupted move leaves nothing behind.
type person struct {
	conn   *pgx.Conn
	tx     pgx.Tx
	number int64
	moved  string // the file to which the data has moved; "" if it is here
}

// openPerson begins a transaction for a person. Other writes for the person wait until it ends.
// Unless it is committed, not even a new person stays.
func openPerson(ctx context.Context, s *postgres.Server, name string) (*person, error) {
	stored, err := postgres.StoredName(name)
	if err != nil {
		return nil, err
	}
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	p := &person{conn: conn}
	if err := p.begin(ctx, stored); err != nil {
		p.close(ctx)
		return nil, failure.Classify(err)
	}
	return p, nil
}

// begin begins the transaction. Its time limits are off, because it copies everything. It reads all
// tables as of one moment, after it got the lock.
func (p *person) begin(ctx context.Context, stored string) (err error) {
	if p.tx, err = p.conn.Begin(ctx); err != nil {
		return err
	}
	for _, setting := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
		if _, err := p.tx.Exec(ctx, "SET LOCAL "+setting+" = 0"); err != nil {
			return err
		}
	}
	if p.number, _, err = postgres.FindTenant(ctx, p.tx, stored); err != nil {
		return err
	}
	if _, err := p.tx.Exec(ctx, "SELECT set_config('app.tenant', $1, true)", fmt.Sprint(p.number)); err != nil {
		return err
	}
	return p.tx.QueryRow(ctx, "SELECT moved FROM heads WHERE owner = $1 FOR UPDATE", p.number).Scan(&p.moved)
}

// setMoved notes to which file the data has moved, so that no KOTA writes here any more. "" means that
// the data is here.
func (p *person) setMoved(ctx context.Context, file string) error {
	_, err := p.tx.Exec(ctx, "UPDATE heads SET moved = $2, changes = changes + 1 WHERE owner = $1", p.number, file)
	return failure.Classify(err)
}

// commit makes the changes permanent.
func (p *person) commit(ctx context.Context) error { return failure.Classify(p.tx.Commit(ctx)) }

// close ends the transaction without its changes, unless they are committed.
func (p *person) close(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if p.tx != nil {
		_ = p.tx.Rollback(ctx) // closing the connection does the same
	}
	_ = p.conn.Close(ctx)
}

func (p *person) count(ctx context.Context, t table) (n int64, err error) {
	err = p.tx.QueryRow(ctx, `SELECT count(*) FROM "`+t.name+`" WHERE owner = $1`, p.number).Scan(&n)
	return n, failure.Classify(err)
}

// each calls do with each row of a table. The row is valid until do returns.
func (p *person) each(ctx context.Context, t table, do func(row []any) error) error {
	rows, err := p.tx.Query(ctx, `SELECT `+list(t.inPostgres())+` FROM "`+t.name+`" WHERE owner = $1`+t.order, p.number)
	if err != nil {
		return failure.Classify(err)
	}
	defer rows.Close()
	row, dest := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i, c := range t.columns {
		dest[i] = map[kind]any{text: new(*string), number: new(*int64), blob: new([]byte)}[c.kind]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for i, d := range dest {
			row[i] = original(d)
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return failure.Classify(rows.Err())
}

// original returns a scanned value in the form that SQLite has.
func original(dest any) any {
	switch d := dest.(type) {
	case **string:
		if *d != nil {
			return convert.UnescapeText(**d)
		}
	case **int64:
		if *d != nil {
			return **d
		}
	case *[]byte:
		if *d != nil {
			return *d
		}
	}
	return nil
}

// add adds rows to a table. If the database refuses one, the error names it: the longest key of
// SQLite is too long for an index of PostgreSQL.
func (p *person) add(ctx context.Context, t table, rows [][]any) error {
	savepoint, err := p.tx.Begin(ctx)
	if err != nil {
		return failure.Classify(err)
	}
	if err = p.insert(ctx, t, rows); err == nil {
		return failure.Classify(savepoint.Commit(ctx))
	}
	if savepoint.Rollback(ctx) != nil {
		return err
	}
	for _, row := range rows {
		if refused := p.insert(ctx, t, [][]any{row}); refused != nil {
			return fmt.Errorf("the row with %s: %w", describe(t, row), refused)
		}
	}
	return err
}

// describe names a row by its first two columns, such as the id and the key.
func describe(t table, row []any) string {
	words := []string{}
	for i, c := range t.columns[:2] {
		value := fmt.Sprintf("%v", row[i])
		if c.kind == text {
			value = fmt.Sprintf("%.60q", value)
		}
		words = append(words, c.name+" "+value)
	}
	return strings.Join(words, ", ")
}

// insert adds rows to a table in one statement.
func (p *person) insert(ctx context.Context, t table, rows [][]any) error {
	args, arrays := []any{p.number}, []string{}
	for i, c := range t.columns {
		args = append(args, array(c.kind, i, rows))
		arrays = append(arrays, fmt.Sprintf("$%d::%s", i+2, postgresType[c.kind]))
	}
	names, stale := t.inPostgres(), ""
	if t.indexed {
		names, stale = append(names, "stale"), ", 1"
	}
	_, err := p.tx.Exec(ctx, `INSERT INTO "`+t.name+`" (owner, `+list(names)+`) SELECT $1::bigint, u.*`+stale+` FROM unnest(`+strings.Join(arrays, ", ")+`) AS u`, args...)
	return failure.Classify(err)
}

// array returns the values of a column as an argument.
func array(k kind, column int, rows [][]any) any {
	texts, numbers, blobs := make([]*string, len(rows)), make([]*int64, len(rows)), make([][]byte, len(rows))
	for i, row := range rows {
		switch v := row[column].(type) {
		case string:
			texts[i] = new(convert.EscapeText(v))
		case int64:
			numbers[i] = &v
		case []byte:
			blobs[i] = append([]byte{}, v...)
		}
	}
	switch k {
	case number:
		return numbers
	case blob:
		return blobs
	}
	return texts
}

// numbers returns the last numbers of the rows.
func (p *person) numbers(ctx context.Context) (map[string]int64, error) {
	last := map[string]int64{}
	for _, c := range counters {
		n := int64(0)
		if err := p.tx.QueryRow(ctx, `SELECT "`+c.name+`" FROM heads WHERE owner = $1`, p.number).Scan(&n); err != nil {
			return nil, failure.Classify(err)
		}
		last[c.name] = n
	}
	return last, nil
}

// setHead stores the last numbers of the rows and the end of the audit log.
func (p *person) setHead(ctx context.Context, last map[string]int64, end store.AuditCheckpoint) error {
	args := []any{p.number, end.Seq, end.Hash[:]}
	set := "seq = $2, hash = $3, changes = changes + 1, moved = ''"
	for _, c := range counters {
		args = append(args, last[c.name])
		set += fmt.Sprintf(`, "%s" = greatest("%[1]s", $%d)`, c.name, len(args))
	}
	_, err := p.tx.Exec(ctx, "UPDATE heads SET "+set+" WHERE owner = $1", args...)
	return failure.Classify(err)
}

// checkColumns returns an error if a newer KOTA has added columns to a table, which a move would
// lose.
func (p *person) checkColumns(ctx context.Context) error {
	for _, t := range tables {
		rows, err := p.tx.Query(ctx, "SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass('kota.' || quote_ident($1)) AND attnum > 0 AND NOT attisdropped", t.name)
		if err != nil {
			return failure.Classify(err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return failure.Classify(err)
		}
		for _, name := range found {
			if name != "owner" && !(name == "stale" && t.indexed) && !slices.Contains(t.inPostgres(), name) {
				return fmt.Errorf("%w: the table %s has the column %s; update KOTA", store.ErrNewer, t.name, name)
			}
		}
	}
	return nil
}
