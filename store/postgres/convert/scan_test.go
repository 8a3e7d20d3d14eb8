package convert

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"kota/store/engine"
)

type (
	phase string
	level uint8
)

// seconds is stored as a number.
type seconds struct{ time.Duration }

func (s seconds) Value() (driver.Value, error) { return int64(s.Duration / time.Second), nil }

func (s *seconds) Scan(stored any) error {
	number := sql.NullInt64{}
	err := number.Scan(stored)
	s.Duration = time.Duration(number.Int64) * time.Second
	return err
}

func TestArgumentsAreEncodedForPgx(t *testing.T) {
	text, yes := "a\x00", true
	for _, c := range []struct{ arg, want any }{
		{nil, nil},
		{int64(7), int64(7)},
		{"a\x00", "a" + mark + "0"},
		{phase("a\x00"), "a" + mark + "0"},
		{&text, "a" + mark + "0"},
		{(*string)(nil), nil},
		{&yes, flag(true)},
		{level(3), int64(3)},
		{sql.NullInt64{}, nil},
		{sql.NullInt64{Int64: 4, Valid: true}, int64(4)},
		{seconds{time.Minute}, int64(60)},
		{(*seconds)(nil), nil},
		{[]byte(nil), nil},
		{[]byte{}, []byte{}},
		{json.RawMessage(`"` + mark + `"`), `"` + mark + `1"`},
		{engine.List[int64]{1, 2}, []int64{1, 2}},
		{engine.List[int64](nil), []int64{}},
		{engine.List[string]{"\xff"}, []string{mark + "2ÿ"}},
	} {
		got, err := encodeArgument(c.arg)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%#v was encoded as %#v, want %#v (%v)", c.arg, got, c.want, err)
		}
	}
}

func TestAssignFollowsDatabaseSQL(t *testing.T) {
	var (
		text    string
		kind    phase
		number  int
		small   int8
		unsig   level
		flagged bool
		real    float64
		bytes   []byte
		raw     sql.RawBytes
		message json.RawMessage
		null    sql.NullInt64
		some    *string
		period  seconds
		all     any
	)
	for _, c := range []struct {
		dest, value, want any // want: what dest points to, or nil for an error
	}{
		{&text, "a", "a"}, {&text, int64(7), "7"}, {&text, []byte("b"), "b"}, {&text, nil, nil}, {&text, true, nil},
		{&kind, "intent", phase("intent")},
		{&number, int64(7), 7}, {&number, true, 1}, {&number, "7", nil}, {&number, nil, nil}, {&number, 1.5, nil},
		{&small, int64(127), int8(127)}, {&small, int64(128), nil},
		{&unsig, int64(255), level(255)}, {&unsig, int64(-1), nil}, {&unsig, int64(256), nil},
		{&flagged, int64(1), true}, {&flagged, int64(0), false}, {&flagged, true, true}, {&flagged, int64(2), nil}, {&flagged, "t", nil},
		{&real, 1.5, 1.5}, {&real, int64(2), 2.0}, {&real, "x", nil},
		{&bytes, []byte("a"), []byte("a")}, {&bytes, "b", []byte("b")}, {&bytes, nil, []byte(nil)}, {&bytes, int64(1), nil},
		{&raw, []byte("a"), sql.RawBytes("a")}, {&message, "{}", json.RawMessage("{}")},
		{&null, int64(5), sql.NullInt64{Int64: 5, Valid: true}}, {&null, nil, sql.NullInt64{}},
		{&period, int64(60), seconds{time.Minute}},
		{&all, "a", "a"}, {&all, nil, any(nil)},
		{text, "a", nil},
	} {
		err := assign(c.dest, c.value)
		d := reflect.ValueOf(c.dest)
		wantsError := c.want == nil && d.Type() != reflect.TypeFor[*any]()
		if wantsError != (err != nil) {
			t.Errorf("%#v into %T: error %v", c.value, c.dest, err)
		} else if err == nil && !reflect.DeepEqual(d.Elem().Interface(), c.want) {
			t.Errorf("%#v into %T gave %#v, want %#v", c.value, c.dest, d.Elem().Interface(), c.want)
		}
	}
	if err := assign(&some, "a"); err != nil || *some != "a" {
		t.Errorf("a pointer got %v, %v", some, err)
	}
	if err := assign(&some, nil); err != nil || some != nil {
		t.Errorf("a pointer got %v for NULL, %v", some, err)
	}
}
