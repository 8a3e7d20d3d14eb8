package entrypoint

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadlineIsPausedWhileUserIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		asked, work time.Duration // after 30 seconds of work
		ended       bool
	}{
		"nobody is asked":             {0, 20 * time.Second, false},
		"and it works too long":       {0, 40 * time.Second, true},
		"somebody takes their time":   {time.Hour, 20 * time.Second, false},
		"and then it works too long":  {time.Hour, 40 * time.Second, true},
		"somebody answers in no time": {time.Millisecond, 40 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, free := withDeadline(t.Context(), time.Minute)
				defer free()
				below, cancel := context.WithCancel(ctx)
				defer cancel()
				time.Sleep(30 * time.Second)
				if c.asked > 0 {
					resume := PauseDeadline(below)
					time.Sleep(c.asked)
					resume()
				}
				time.Sleep(c.work)
				synctest.Wait()
				if got := ctx.Err(); (got != nil) != c.ended || c.ended && !errors.Is(got, context.DeadlineExceeded) {
					t.Errorf("the call's context: %v, want it ended: %v", got, c.ended)
				}
				if got := below.Err(); !errors.Is(got, ctx.Err()) {
					t.Errorf("one below it: %v", got)
				}
			})
		})
	}
}

func TestPausedDeadlineEndsWithCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, leave := context.WithCancel(t.Context())
		ctx, free := withDeadline(caller, time.Minute)
		defer free()
		below, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		resume := PauseDeadline(below)
		leave()
		<-below.Done()
		resume()
		if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(below.Err(), context.Canceled) {
			t.Errorf("got %v and below it %v, want both cancelled", ctx.Err(), below.Err())
		}
	})
}

func TestTwoQuestionsPauseDeadlineOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, free := withDeadline(t.Context(), time.Minute)
		defer free()
		first, second := PauseDeadline(ctx), PauseDeadline(ctx)
		time.Sleep(time.Hour)
		first()
		time.Sleep(time.Hour)
		if ends, _ := ctx.Deadline(); time.Until(ends) != time.Minute {
			t.Errorf("there are %s left, want a minute", time.Until(ends))
		}
		second()
		time.Sleep(time.Minute)
		synctest.Wait()
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("got %v, want it over", ctx.Err())
		}
	})
}
