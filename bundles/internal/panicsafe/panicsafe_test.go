package panicsafe_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// secret is a text from a mail.
const secret = "the code is 4711"

func TestPanicBecomesError(t *testing.T) {
	var nothing *struct{ id string }
	for name, c := range map[string]struct {
		f      func() error
		logged string
	}{
		"of ours":          {func() error { panic(secret) }, "panic: a string"},
		"with an error":    {func() error { panic(errors.New(secret)) }, "panic: a *errors.errorString"},
		"of the runtime's": {func() error { return errors.New(nothing.id) }, "nil pointer dereference"},
	} {
		t.Run(name, func(t *testing.T) {
			group, ctx := panicsafe.WithContext(t.Context(), 2)
			group.Go(c.f)
			group.Go(func() error { <-ctx.Done(); return nil })
			err := group.Wait()
			if err == nil || !strings.Contains(err.Error(), c.logged) || !strings.Contains(err.Error(), "panicsafe_test.go") {
				t.Fatalf("got %v", err)
			}
			if metadata.CodeOf(err) != metadata.Internal || strings.Contains(err.Error(), secret) {
				t.Errorf("its code is %s, or it quotes what was panicked with: %v", metadata.CodeOf(err), err)
			}
		})
	}
}

func TestPanicDoesNotStopOtherFunctions(t *testing.T) {
	group := panicsafe.New(1)
	ran := atomic.Int32{}
	for i := range 20 {
		group.Go(func() error {
			if i == 0 {
				panic(i)
			}
			ran.Add(1)
			return nil
		})
	}
	if err := group.Wait(); metadata.CodeOf(err) != metadata.Internal || ran.Load() != 19 {
		t.Errorf("got %v, and %d ran", err, ran.Load())
	}
}

func TestErrorsPassUnchanged(t *testing.T) {
	want := errors.New("no")
	group := panicsafe.New(4)
	group.Go(func() error { return nil })
	group.Go(func() error { return want })
	if err := group.Wait(); err != want {
		t.Errorf("got %v", err)
	}
	if err := panicsafe.Do(func() error { return nil }); err != nil {
		t.Errorf("got %v", err)
	}
}
