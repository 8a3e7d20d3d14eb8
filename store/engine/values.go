package engine

import (
	"database/sql"
	"errors"
	"time"

	"kota/store"
)

// Millis returns the stored form of a time: Unix milliseconds, or NULL for the zero time.
func Millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// TimeOf returns the time of stored milliseconds, in UTC. NULL is the zero time.
func TimeOf(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}

// JSONArray returns the JSON of a slice. A nil slice becomes an empty array.
func JSONArray[T any](slice []T) string {
	if len(slice) == 0 {
		return "[]"
	}
	return string(store.EncodeJSON(slice))
}

// Strings returns the values of a query with one column.
func Strings(from Querier, query string, args ...any) ([]string, error) {
	rows, err := from.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []string{}
	for rows.Next() {
		value := ""
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		found = append(found, value)
	}
	return found, rows.Err()
}

// Ignore returns err, or nil if err matches target.
func Ignore(err, target error) error {
	if errors.Is(err, target) {
		return nil
	}
	return err
}
