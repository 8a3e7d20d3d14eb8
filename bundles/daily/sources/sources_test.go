package sources

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/metadata"
)

func TestAskWaitsForSourceUntilTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := Ask(t.Context(), nil, "mail", func(context.Context) (Found[Mail], error) {
			time.Sleep(time.Minute) // ignores its context
			return Found[Mail]{}, nil
		})
		if took := time.Since(start); took != timeout || !errors.Is(err, context.DeadlineExceeded) || IsAbsent(err) {
			t.Errorf("after %v: got %v", took, err)
		}
		time.Sleep(time.Hour) // until the goroutine that was left behind has ended
	})
}

// The caller does not see the text of an error without a code: only the log has it.
func TestReasonHidesErrorWithoutCode(t *testing.T) {
	for name, c := range map[string]struct {
		fails    func() error
		absent   bool
		says     string
		isLogged bool
	}{
		"an error of the network": {func() error { return errors.New("the mail says 4711") }, false, "an internal error occurred; KOTA's log has the cause", true},
		"a panic":                 {func() error { panic("4711") }, false, "an internal error occurred; KOTA's log has the cause", true},
		"nobody is signed in":     {func() error { return metadata.Errorf(metadata.SignInRequired, "sign in").WithHint("Run it.") }, true, "sign in. Run it", false},
		"no such tool":            {func() error { return metadata.Errorf(metadata.ToolNotFound, "there is none") }, true, "there is none", false},
		"it is busy":              {func() error { return metadata.Errorf(metadata.RateLimited, "too many\nrequests") }, false, "too many requests", false},
	} {
		var log bytes.Buffer
		_, err := Ask(t.Context(), func() *slog.Logger { return slog.New(slog.NewTextHandler(&log, nil)) }, "mail", func(context.Context) (Found[Mail], error) { return Found[Mail]{}, c.fails() })
		if err == nil || IsAbsent(err) != c.absent || !strings.HasPrefix(Reason(err), c.says) || (log.Len() > 0) != c.isLogged {
			t.Errorf("%s: absent %v, says %q, logged %q", name, IsAbsent(err), Reason(err), log.String())
		}
	}
}
