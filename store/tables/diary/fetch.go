package diary

import (
	"kota/store"
	"kota/store/engine"
)

// A rowKey names a row of the owner.
type rowKey struct {
	table  string
	number int64
}

// fetch reads the rows of ids, so that get needs no query for each of them. In PostgreSQL each query
// is a trip to the server, for which the writes of others wait.
func (r *changeSet) fetch(ids []string) error {
	for _, table := range tables() {
		if err := table.fetch(r, ids); err != nil {
			return err
		}
	}
	return nil
}

func (s table[T]) fetch(r *changeSet, ids []string) error {
	numbers := engine.List[int64]{}
	for _, id := range ids {
		if number := store.DiaryNumber(s.prefix, id); number != 0 {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) < 2 {
		return nil
	}
	found, err := s.scanAll(r.Query("SELECT "+s.allColumns()+" FROM "+s.table+" WHERE "+r.Dialect().Among("id", "?")+" AND owner = ?", numbers, r.owner))
	if err != nil {
		return err
	}
	if r.fetched == nil {
		r.fetched = map[rowKey]any{}
	}
	for _, number := range numbers {
		r.fetched[rowKey{s.table, number}] = nil
	}
	for _, one := range found {
		r.fetched[rowKey{s.table, s.number(one)}] = one
	}
	return nil
}

// fetchedRow returns the row that fetch has read, or nil if there is none. known is false if fetch
// has not read it, or if it was changed since.
func (s table[T]) fetchedRow(q engine.Querier, number int64) (one *T, known bool) {
	r, is := q.(*changeSet)
	if !is {
		return nil, false
	}
	row, known := r.fetched[rowKey{s.table, number}]
	one, _ = row.(*T)
	return one, known
}
