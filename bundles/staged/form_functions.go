package staged

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// formFunctions are what a form can call. What and and or come to, the writer
// finds out itself where they are given something.
var formFunctions = map[string]func(args []any) (any, error){
	"and":     one(func(value any) (any, error) { return value, nil }),
	"or":      one(func(value any) (any, error) { return value, nil }),
	"list":    one(bullets),
	"not":     one(func(value any) (any, error) { return !isTrue(value), nil }),
	"len":     one(length),
	"index":   index,
	"print":   func(args []any) (any, error) { return fmt.Sprint(args...), nil },
	"println": func(args []any) (any, error) { return fmt.Sprintln(args...), nil },
	"printf":  printfOf,
	"eq":      equalToAny,
	"ne":      two(func(a, b any) (any, error) { same, err := equal(a, b); return !same, err }),
	"lt":      two(func(a, b any) (any, error) { c, err := compare(a, b); return c < 0, err }),
	"le":      two(func(a, b any) (any, error) { c, err := compare(a, b); return c <= 0, err }),
	"gt":      two(func(a, b any) (any, error) { c, err := compare(a, b); return c > 0, err }),
	"ge":      two(func(a, b any) (any, error) { c, err := compare(a, b); return c >= 0, err }),
}

func one(do func(any) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		if len(args) != 1 {
			return nil, fmt.Errorf("it wants one value, not %d", len(args))
		}
		return do(args[0])
	}
}

func two(do func(a, b any) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		if len(args) != 2 {
			return nil, fmt.Errorf("it wants two values, not %d", len(args))
		}
		return do(args[0], args[1])
	}
}

// bullets writes a slice as a list in Markdown, the lines of an item below each
// other.
func bullets(items any) (any, error) {
	slice := reflect.ValueOf(items)
	if slice.Kind() != reflect.Slice {
		return nil, fmt.Errorf("it wants a list, not %T", items)
	}
	lines := make([]string, 0, slice.Len())
	for i := range slice.Len() {
		lines = append(lines, "- "+strings.ReplaceAll(fmt.Sprint(slice.Index(i)), "\n", "\n  "))
	}
	return strings.Join(lines, "\n"), nil
}

func length(value any) (any, error) {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return v.Len(), nil
	}
	return nil, fmt.Errorf("%T has no length", value)
}

// index is an element of a list of lists, or of a map.
func index(args []any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("it wants a list")
	}
	value := args[0]
	for _, at := range args[1:] {
		v := reflect.ValueOf(value)
		switch i, isInt := at.(int); {
		case v.Kind() == reflect.Slice && isInt:
			if i < 0 || i >= v.Len() {
				return nil, fmt.Errorf("there is no element %d of %d", i, v.Len())
			}
			value = v.Index(i).Interface()
		case v.Kind() == reflect.Map && reflect.TypeOf(at) == v.Type().Key():
			element := v.MapIndex(reflect.ValueOf(at))
			if !element.IsValid() {
				return reflect.Zero(v.Type().Elem()).Interface(), nil
			}
			value = element.Interface()
		default:
			return nil, fmt.Errorf("%T has no element %v", value, at)
		}
	}
	return value, nil
}

func printfOf(args []any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("it wants a format")
	}
	format, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("its format is a text, not %T", args[0])
	}
	return fmt.Sprintf(format, args[1:]...), nil
}

func equalToAny(args []any) (any, error) {
	if len(args) < 2 {
		return nil, fmt.Errorf("it wants two values or more, not %d", len(args))
	}
	for _, other := range args[1:] {
		if same, err := equal(args[0], other); err != nil || same {
			return same, err
		}
	}
	return false, nil
}

// equal compares texts, numbers and yes or no. Whole and broken numbers are one
// kind: an answer in JSON does not tell them apart.
func equal(a, b any) (bool, error) {
	if x, is := a.(bool); is {
		y, too := b.(bool)
		if !too {
			return false, fmt.Errorf("%T and %T cannot be compared", a, b)
		}
		return x == y, nil
	}
	c, err := compare(a, b)
	return c == 0, err
}

func compare(a, b any) (int, error) {
	if x, is := a.(string); is {
		if y, too := b.(string); too {
			return strings.Compare(x, y), nil
		}
	}
	x, isNumber := asNumber(a)
	y, both := asNumber(b)
	if !isNumber || !both {
		return 0, fmt.Errorf("%T and %T cannot be compared", a, b)
	}
	switch {
	case x < y:
		return -1, nil
	case x > y:
		return 1, nil
	}
	return 0, nil
}

func asNumber(value any) (float64, bool) {
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}
