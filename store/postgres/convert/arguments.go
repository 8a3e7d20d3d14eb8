package convert

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"

	"kota/store/engine"
)

// A flag is a bool argument. The columns of flags are smallint, as SQLite has no bool; a parameter
// with a cast may also be a bool.
type flag bool

// Int64Value returns 1 or 0, for integer parameters.
func (f flag) Int64Value() (pgtype.Int8, error) {
	if f {
		return pgtype.Int8{Int64: 1, Valid: true}, nil
	}
	return pgtype.Int8{Valid: true}, nil
}

// BoolValue returns the value for bool parameters.
func (f flag) BoolValue() (pgtype.Bool, error) {
	return pgtype.Bool{Bool: bool(f), Valid: true}, nil
}

// Arguments returns the arguments of a statement in the form that pgx encodes. Strings are
// escaped.
func Arguments(args []any) ([]any, error) {
	encoded := make([]any, len(args))
	for i, arg := range args {
		value, err := encodeArgument(arg)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		encoded[i] = value
	}
	return encoded, nil
}

func encodeArgument(arg any) (any, error) {
	switch v := arg.(type) {
	case nil, int64, int, float64:
		return v, nil
	case []byte:
		if v == nil {
			return nil, nil
		}
		return v, nil
	case string:
		return EscapeText(v), nil
	case json.RawMessage:
		return EscapeText(string(v)), nil
	case bool:
		return flag(v), nil
	case []string:
		return escapeAll(v), nil
	case engine.List[string]: // an array, while Value gives JSON
		return escapeAll(v), nil
	case engine.List[int64]:
		if v == nil {
			return []int64{}, nil // NULL would match nothing too, but also not "not among"
		}
		return []int64(v), nil
	case driver.Valuer:
		return encodeValuer(v)
	}
	return encodeKind(arg)
}

// escapeAll returns the stored forms of all strings. It returns an empty array and not NULL for nil.
func escapeAll(all []string) []string {
	escaped := make([]string, len(all))
	for i, s := range all {
		escaped[i] = EscapeText(s)
	}
	return escaped
}

// encodeValuer returns the argument for the value of v. A nil pointer is NULL, as in database/sql.
func encodeValuer(v driver.Valuer) (any, error) {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return nil, nil
	}
	value, err := v.Value()
	if err != nil {
		return nil, err
	}
	if _, ok := value.(driver.Valuer); ok {
		return nil, fmt.Errorf("%T returns another driver.Valuer", v)
	}
	return encodeArgument(value)
}

// encodeKind returns the argument for a type whose underlying type is a basic one, or a pointer to
// it. Other types, such as []int64, are left to pgx.
func encodeKind(arg any) (any, error) {
	r := reflect.ValueOf(arg)
	switch r.Kind() {
	case reflect.Pointer:
		if r.IsNil() {
			return nil, nil
		}
		return encodeArgument(r.Elem().Interface())
	case reflect.String:
		return EscapeText(r.String()), nil
	case reflect.Bool:
		return flag(r.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return int64(r.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return r.Float(), nil
	case reflect.Slice:
		if r.Type().Elem().Kind() == reflect.Uint8 {
			return encodeArgument(r.Bytes())
		}
	}
	return arg, nil
}
