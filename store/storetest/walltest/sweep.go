package walltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

// shared are the stores whose rows tenants of one database may share: vectors of texts have no
// text, and are found only by the hash of a text.
var shared = []string{"TextVectors"}

// stores returns the stores of a tenant by name, as values of the interfaces of the contract.
func stores(db storetest.Database, tenant string) map[string]reflect.Value {
	found := map[string]reflect.Value{}
	for _, group := range []reflect.Type{reflect.TypeFor[storetest.Control](), reflect.TypeFor[storetest.Records]()} {
		for method := range group.Methods() {
			if method.Type.NumIn() == 0 || method.Type.In(0).Kind() != reflect.String || slices.Contains(shared, method.Name) {
				continue
			}
			args := []reflect.Value{reflect.ValueOf(tenant), reflect.ValueOf("gmail")} // a bundle, or a mailbox
			found[method.Name] = reflect.ValueOf(db).MethodByName(method.Name).Call(args[:method.Type.NumIn()])[0].Convert(method.Type.Out(0))
		}
	}
	return found
}

func noCallCrossesTheWall(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	r := fill(t, db)
	before := dump(t, db, "ann")
	if !strings.Contains(before, marker) {
		t.Fatal("ann has no rows, so this test checks nothing")
	}
	explicit, called := calls(r), map[string]bool{}
	for _, indexed := range []bool{false, true} { // rows that are not indexed yet have queries of their own
		if indexed {
			if err := errors.Join(db.Memories("ann").Index(t.Context()), db.Diary("ann").Index(t.Context())); err != nil {
				t.Fatal(err)
			}
		}
		bob := "bob"
		if indexed {
			bob = "eve" // has no rows yet
		}
		for name, target := range stores(db, bob) {
			for method := range target.Type().Methods() {
				key := name + "." + method.Name
				called[key] = true
				for _, c := range callsOf(t, key, method.Type, explicit[key], r) {
					check(t, key, target.MethodByName(method.Name), method.Type, c)
				}
			}
		}
	}
	for key := range explicit {
		if !called[key] {
			t.Errorf("%s is no method of a store", key)
		}
	}
	if err := db.Limits("ann").Allow(t.Context(), "label", 1, []store.Limit{{Max: 1, Window: time.Hour}}); !errors.As(err, new(*store.LimitError)) {
		t.Errorf("the calls of ann do not count: %v", err)
	}
	if err := db.Close(); err != nil { // it writes what is pending, such as counts of uses
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, open(time.Now), "ann")); diff != "" {
		t.Errorf("the rows of ann were changed: %s", diff)
	}
}

// A tenant without rows reads the same as in an empty database, also counts and keys.
func newTenantsReadNothing(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	want := dump(t, db, "bob")
	fill(t, db)
	if err := errors.Join(db.Memories("ann").Index(t.Context()), db.Diary("ann").Index(t.Context())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, dump(t, db, "bob")); diff != "" {
		t.Errorf("bob reads rows of ann: %s", diff)
	}
}

// callsOf returns the calls of a method: the given ones, or one for each id, which is then every
// text among the arguments.
func callsOf(t *testing.T, key string, method reflect.Type, given []call, r rows) []call {
	t.Helper()
	if given != nil {
		return given
	}
	made, isSame := []call{}, true
	for _, text := range r.texts() {
		args := []any{}
		for i := 1; i < method.NumIn(); i++ { // after the context
			switch in := method.In(i); {
			case in == reflect.TypeFor[time.Time]():
				args = append(args, time.Now().Add(time.Hour))
			case in == reflect.TypeFor[time.Duration]():
				args = append(args, time.Minute)
			case in == reflect.TypeFor[json.RawMessage]():
				args = append(args, storetest.JSONText("bob's"))
			case in == reflect.TypeFor[[]string]():
				args, isSame = append(args, []string{text}), false
			case in == reflect.TypeFor[*int64]():
				args = append(args, (*int64)(nil))
			case in.Kind() == reflect.String:
				args, isSame = append(args, reflect.ValueOf(text).Convert(in).Interface()), false
			case in.Kind() == reflect.Int:
				args = append(args, 99) // a limit
			case in.Kind() == reflect.Int64:
				args = append(args, int64(1)) // a version
			case in.Kind() == reflect.Bool:
				args = append(args, false)
			default:
				t.Fatalf("%s has an argument of type %s: add its calls to the list", key, in)
			}
		}
		made = append(made, with(args...))
		if isSame {
			break
		}
	}
	return made
}

// check calls a method, and fails the test if a result contains the marker.
func check(t *testing.T, key string, method reflect.Value, signature reflect.Type, c call) {
	t.Helper()
	results, in := []any{}, []reflect.Value{}
	if signature.NumIn() > 0 && signature.In(0) == reflect.TypeFor[context.Context]() {
		in = append(in, reflect.ValueOf(t.Context()))
	}
	for i, arg := range c.args {
		if arg == any(visit) {
			in = append(in, reflect.MakeFunc(signature.In(i+1), func(args []reflect.Value) []reflect.Value {
				t.Errorf("%s visits %v", key, args[0])
				return nil
			}))
			continue
		}
		in = append(in, reflect.ValueOf(arg))
	}
	if signature.IsVariadic() && in[len(in)-1].Kind() == reflect.Slice {
		for _, out := range method.CallSlice(in) {
			results = append(results, out.Interface())
		}
	} else {
		for _, out := range method.Call(in) {
			results = append(results, out.Interface())
		}
	}
	if text := textOf(results); strings.Contains(text, marker) || strings.Contains(text, strconv.Itoa(markedNumber)) {
		t.Errorf("%s(%v) returns %s", key, c.args, text)
	}
	if len(results) > 0 {
		if err, _ := results[len(results)-1].(error); err != nil && (c.ok || !harmless(err)) {
			t.Errorf("%s(%v): %v", key, c.args, err)
		}
	}
}

// harmless reports whether an error is one that a wrong id or a wrong argument gives.
func harmless(err error) bool {
	for _, expected := range []error{store.ErrNotFound, store.ErrInvalid, store.ErrNotHeld, store.ErrConflict} {
		if errors.Is(err, expected) {
			return true
		}
	}
	return strings.Contains(err.Error(), "decrypt") || strings.Contains(err.Error(), "message authentication failed")
}

// textOf returns all texts in values, also those in errors and behind pointers.
func textOf(values []any) string {
	var b strings.Builder
	for _, value := range values {
		if raw, ok := value.([]byte); ok {
			b.Write(raw)
			continue
		}
		if err, ok := value.(error); ok {
			for ; err != nil; err = errors.Unwrap(err) {
				text, _ := json.Marshal(err)
				fmt.Fprintf(&b, "%s %v %s;", reflect.TypeOf(err), err, text)
			}
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // all results have a JSON form
		}
		b.Write(text)
	}
	return b.String()
}
