package console

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
)

// A work function does long work. It calls step with how much is done, and returns a sentence
// about what it did. It stops early if ctx ends.
type work func(ctx context.Context, a *app.App, step func(done, total int)) (string, error)

// jobs are the long work that people started in the console. A person has one job at a time. It
// goes on when the person leaves the page, and its result stays until the next job starts.
type jobs struct {
	mu       sync.Mutex
	byPerson map[string]*job
}

// A job is work that runs or has ended.
type job struct {
	cancel context.CancelFunc

	mu    sync.Mutex
	state view.Job
	err   error
}

// step stores how much is done.
func (j *job) step(done, total int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state.Done, j.state.Total = done, total
}

func (j *job) end(result string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state.Ended, j.state.Result, j.err = true, result, err
	j.state.Cancelled = errors.Is(err, context.Canceled)
}

// now returns the state of the job.
func (j *job) now() (view.Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.state, j.err
}

// of returns the job of a person, or nil.
func (js *jobs) of(person string) *job {
	js.mu.Lock()
	defer js.mu.Unlock()
	return js.byPerson[person]
}

// begin stores a new job of a person, or refuses it because another one runs.
func (js *jobs) begin(person string, j *job) error {
	js.mu.Lock()
	defer js.mu.Unlock()
	if old := js.byPerson[person]; old != nil {
		if state, _ := old.now(); !state.Ended {
			return metadata.Errorf(metadata.Conflict, "other long work still runs here: %s", state.Title).WithHint("Wait until it ends, or cancel it. The page Memory shows it under “Import and export”.")
		}
	}
	if js.byPerson == nil {
		js.byPerson = map[string]*job{}
	}
	js.byPerson[person] = j
	return nil
}

// start runs work that outlives the request, and shows its progress.
func (q *request) start(title, next string, do work) error {
	ctx, cancel := context.WithCancel(q.end)
	a, _, release, err := q.open(ctx, q.Person)
	if err != nil {
		cancel()
		return err
	}
	j := &job{cancel: cancel, state: view.Job{Title: title, Next: next}}
	if err := q.jobs.begin(q.Person, j); err != nil {
		cancel()
		release()
		return err
	}
	go func() {
		defer release()
		defer cancel()
		ended := false
		defer func() {
			if !ended { // the work panicked
				_ = recover()
				a.Log.Error("long work of the console failed", "work", title)
				j.end("", metadata.Errorf(metadata.Internal, "it stopped because of a mistake in KOTA"))
			}
		}()
		result, err := do(ctx, a, j.step)
		ended = true
		j.end(result, err)
	}()
	return q.redirect("job")
}

// showJob shows how far the last long work is.
func (q *request) showJob() error {
	j := q.jobs.of(q.Person)
	if j == nil {
		return metadata.Errorf(metadata.NotFound, "no long work runs here").WithHint("If you started some, KOTA was restarted meanwhile, or another process of the server runs it.")
	}
	state, err := j.now()
	if err != nil && !state.Cancelled {
		failure := failureOf(err)
		state.Failure = &failure
	}
	return q.show(http.StatusOK, "Long work", "memory", func(p view.Page) templ.Component { return view.JobPage(p, state) })
}

// changeJob cancels the long work, or starts the work that needs no file.
func (q *request) changeJob() error {
	switch q.r.PostForm.Get("act") {
	case "cancel":
		if j := q.jobs.of(q.Person); j != nil {
			j.cancel()
		}
		return q.redirect("job")
	case "reindex":
		return q.start("Rebuilding the search index", "import", func(ctx context.Context, a *app.App, step func(done, total int)) (string, error) {
			return "The search index is new.", a.RebuildIndex(ctx, step)
		})
	}
	return metadata.Errorf(metadata.ValidationError, "the form does not say what to do, so nothing was done")
}
