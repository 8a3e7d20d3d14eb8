package sqlite

import "context"

// OpenPart returns a function that opens the database and returns one of its stores, such as the
// memories of one tenant.
func OpenPart[T any](open func(context.Context) (*DB, error), part func(*DB) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (found T, err error) {
		db, err := open(ctx)
		if err != nil {
			return found, err
		}
		return part(db), nil
	}
}
