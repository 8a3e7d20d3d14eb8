package convert

import (
	"database/sql"
	"fmt"
	"reflect"
	"strconv"
)

// assign copies a value of decode to a destination of Scan, with the rules of database/sql. A flag,
// which is a smallint, can be read into a bool.
func assign(dest, value any) error {
	switch d := dest.(type) {
	case *string:
		if s, ok := value.(string); ok {
			*d = s
			return nil
		}
	case *int64:
		if n, ok := value.(int64); ok {
			*d = n
			return nil
		}
	case *[]byte:
		b, err := bytesOf(value)
		*d = b
		return err
	case *sql.RawBytes:
		b, err := bytesOf(value)
		*d = b
		return err
	case *any:
		*d = value
		return nil
	case sql.Scanner:
		return d.Scan(value)
	case nil:
		return fmt.Errorf("the destination is nil")
	}
	pointer := reflect.ValueOf(dest)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() {
		return fmt.Errorf("the destination %T is not a pointer", dest)
	}
	return assignKind(pointer.Elem(), value)
}

// assignKind copies a value to a variable by its kind, for types such as store.Importance.
func assignKind(d reflect.Value, value any) error {
	if d.Kind() == reflect.Pointer {
		if value == nil {
			d.SetZero()
			return nil
		}
		d.Set(reflect.New(d.Type().Elem()))
		return assign(d.Interface(), value)
	}
	if value == nil && d.Kind() != reflect.Slice {
		return fmt.Errorf("the value is NULL, which %s cannot be", d.Type())
	}
	switch d.Kind() {
	case reflect.String:
		s, err := textOf(value)
		d.SetString(s)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := intOf(value)
		if err == nil && d.OverflowInt(n) {
			err = fmt.Errorf("%d is too large for %s", n, d.Type())
		}
		d.SetInt(n)
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := intOf(value)
		if err == nil && (n < 0 || d.OverflowUint(uint64(n))) {
			err = fmt.Errorf("%d does not fit %s", n, d.Type())
		}
		d.SetUint(uint64(n))
		return err
	case reflect.Bool:
		b, err := boolOf(value)
		d.SetBool(b)
		return err
	case reflect.Float32, reflect.Float64:
		f, err := floatOf(value)
		d.SetFloat(f)
		return err
	case reflect.Slice:
		if d.Type().Elem().Kind() == reflect.Uint8 { // such as json.RawMessage
			b, err := bytesOf(value)
			d.SetBytes(b)
			return err
		}
	}
	return mismatch(value, d.Type())
}

func mismatch(value any, want any) error { return fmt.Errorf("a %T cannot be read as %v", value, want) }

func bytesOf(value any) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case []byte:
		return v, nil
	case string:
		return []byte(v), nil
	}
	return nil, mismatch(value, "bytes")
}

func textOf(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", mismatch(value, "text")
}

func intOf(value any) (int64, error) {
	switch v := value.(type) {
	case int64:
		return v, nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	}
	return 0, mismatch(value, "an integer")
}

func boolOf(value any) (bool, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case int64:
		if v == 0 || v == 1 {
			return v == 1, nil
		}
	}
	return false, mismatch(value, "a bool")
}

func floatOf(value any) (float64, error) {
	switch v := value.(type) {
	case float64:
		return v, nil
	case int64:
		return float64(v), nil
	}
	return 0, mismatch(value, "a number")
}
