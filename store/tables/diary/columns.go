package diary

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// asMillis stores a time as Unix milliseconds, and the zero time as NULL.
type asMillis struct{ *time.Time }

func (m asMillis) Scan(stored any) error {
	ms := sql.NullInt64{}
	err := ms.Scan(stored)
	*m.Time = engine.TimeOf(ms)
	return err
}

func (m asMillis) Value() (driver.Value, error) { return engine.Millis(*m.Time), nil }

// orNull stores a number, and 0 as NULL.
type orNull struct{ *int }

func (n orNull) Scan(stored any) error {
	number := sql.NullInt64{}
	err := number.Scan(stored)
	*n.int = int(number.Int64)
	return err
}

func (n orNull) Value() (driver.Value, error) {
	if *n.int == 0 {
		return nil, nil
	}
	return int64(*n.int), nil
}

// asJSON stores a value as JSON.
type asJSON[T any] struct{ value *T }

func (j asJSON[T]) Scan(stored any) error {
	text, is := stored.(string)
	if !is {
		return fmt.Errorf("%w: a column contains %T instead of JSON", store.ErrCorrupt, stored)
	}
	if err := json.Unmarshal([]byte(text), j.value); err != nil {
		return fmt.Errorf("%w: %q: %w", store.ErrCorrupt, text, err)
	}
	return nil
}

func (j asJSON[T]) Value() (driver.Value, error) { return string(store.EncodeJSON(*j.value)), nil }
