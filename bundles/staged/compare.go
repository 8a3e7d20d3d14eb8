package staged

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// equalToAny reports whether a value equals one of the others.
func equalToAny(value any, others ...any) (bool, error) {
	if len(others) == 0 {
		return false, errors.New("it needs at least two values, not 1")
	}
	for _, other := range others {
		if same, err := equal(value, other); err != nil || same {
			return same, err
		}
	}
	return false, nil
}

// equal compares texts, numbers or booleans. It treats integers and fractions as one
// kind, because a JSON answer does not distinguish them.
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
