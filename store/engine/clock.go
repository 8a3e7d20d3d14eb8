package engine

// NowMillis returns the SQL for the time of the database's clock, in milliseconds. All processes
// that use the database share this clock. It cannot be fixed, unlike Tx.Now.
func (d Dialect) NowMillis() string {
	if d == Postgres {
		return "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
	}
	return "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"
}
