package convert

import "testing"

func TestParametersAreNumberedAsInSQLite(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT 1":                                 "SELECT 1",
		"WHERE a = ? AND b = ?":                    "WHERE a = $1 AND b = $2",
		"WHERE a = ?2 AND b = ?1 OR c = ?2":        "WHERE a = $2 AND b = $1 OR c = $2",
		"VALUES (?3, ?, ?1, ?)":                    "VALUES ($3, $4, $1, $5)",
		"VALUES (?12,?)":                           "VALUES ($12,$13)",
		"SELECT '?', \"a?\", ?":                    "SELECT '?', \"a?\", $1",
		"SELECT 'it''s ?', ?":                      "SELECT 'it''s ?', $1",
		"SELECT ? -- why?\n, ?":                    "SELECT $1 -- why?\n, $2",
		"SELECT ? /* a ? 'b */ , ?":                "SELECT $1 /* a ? 'b */ , $2",
		"SELECT ? -- the end?":                     "SELECT $1 -- the end?",
		"SELECT 'never closed ?":                   "SELECT 'never closed ?",
		"SELECT a - ?, b / ?":                      "SELECT a - $1, b / $2",
		"SELECT x::bigint WHERE y = ANY (?::text)": "SELECT x::bigint WHERE y = ANY ($1::text)",
	} {
		for range 2 { // the second is from memory
			if got := Statement(query); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
			}
		}
	}
}
