package console

import (
	"fmt"
	"net/http"
	"time"
)

// streamLife is how long a stream of changes lasts. The browser opens it again.
const streamLife = 10 * time.Minute

// stream sends an event (Server-Sent Events) whenever something in the database may have
// changed. The event has no content: pages ask for what they show.
func (q *request) stream() error {
	controller := http.NewResponseController(q.w)
	if err := controller.SetWriteDeadline(time.Now().Add(streamLife + time.Minute)); err != nil {
		return err
	}
	q.w.Header().Set("Content-Type", "text/event-stream")
	changed := make(chan struct{}, 1)
	go q.app.Watch(q.r.Context(), func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	end, beat := time.After(streamLife), time.NewTicker(25*time.Second)
	defer beat.Stop()
	event := "retry: 1000\n\n"
	for {
		if _, err := fmt.Fprint(q.w, event); err != nil {
			return nil // the browser is gone
		}
		if err := controller.Flush(); err != nil {
			return nil
		}
		select {
		case <-changed:
			event = "event: changed\ndata:\n\n"
		case <-beat.C:
			event = ":\n\n"
		case <-end:
			return nil
		case <-q.r.Context().Done():
			return nil
		case <-q.end.Done():
			return nil
		}
	}
}
