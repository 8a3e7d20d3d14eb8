// Package static makes vectors of texts from a file on this machine, without a service and
// without a network. It reads the static embeddings that model2vec writes: model.safetensors
// and tokenizer.json in one folder (https://github.com/MinishLab/model2vec). The vector of a
// text is the mean of the vectors of its tokens.
//
// Nothing is read before the first search or check. Vectors are kept in memory with 8 bits per
// number and one scale per vector. Begin with New.
package static

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kota/store/semantic"
)

// A Model is a file with static embeddings. It implements semantic.Embedder, and is safe for
// concurrent use. Its errors are an *Error, semantic.ErrNoVector, semantic.ErrLoading or the
// error of ctx. Any other error reports a panic while the file was loaded.
//
// After a failure it does not read the file for one minute and returns the same error, so
// that a broken file costs little. Once the file is loaded, later changes of it have no effect.
type Model struct {
	path   string
	now    func() time.Time
	onLoad func(bytes int64)

	mu  sync.Mutex
	job *loading // nil until the first search or check
}

// A loading is one attempt to load the file.
type loading struct {
	done  chan struct{} // closed once the other fields are set
	model *embeddings
	err   error
	ended time.Time
}

// New returns the model in path: a folder, or a .safetensors file that has tokenizer.json
// beside it. New reads nothing. After loading, the model calls onLoad once with the bytes that
// it takes in memory. onLoad may be nil.
func New(path string, onLoad func(bytes int64)) *Model {
	return &Model{path: path, now: time.Now, onLoad: onLoad}
}

const (
	// queryTimeout is how long a search waits for the file. Loading continues meanwhile.
	queryTimeout = 1500 * time.Millisecond
	// pause is how long a file is not read again after a failure.
	pause = time.Minute
)

// Query implements semantic.Embedder. While a large file is being loaded, it returns
// semantic.ErrLoading after 1.5 seconds.
func (m *Model) Query(ctx context.Context, text string) (semantic.Vector, error) {
	waiting, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	e, err := m.wait(waiting)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, semantic.ErrLoading
	case err != nil:
		return nil, err
	}
	return e.vector(text)
}

// Documents implements semantic.Embedder.
func (m *Model) Documents(ctx context.Context, items []semantic.Item) ([]semantic.Vector, error) {
	e, err := m.wait(ctx)
	if err != nil {
		return nil, err
	}
	vectors := make([]semantic.Vector, len(items))
	for i, item := range items {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if vectors[i], err = e.vector(item.Text); err != nil {
			vectors[i] = make(semantic.Vector, e.dimensions)
		}
	}
	return vectors, nil
}

// Name implements semantic.Embedder. It contains a hash of everything that the vectors
// depend on, so that another file has another name.
func (m *Model) Name() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.job != nil {
		select {
		case <-m.job.done:
			if m.job.err == nil {
				return m.job.model.name
			}
		default:
		}
	}
	return ""
}

// BatchSize implements semantic.Embedder. A batch takes a few milliseconds.
func (m *Model) BatchSize() int { return 200 }

// An Info describes a loaded model.
type Info struct {
	Tokens, Dimensions int
	FileBytes          int64 // of model.safetensors
	MemoryBytes        int64 // about what the model takes in memory
}

// Load reads the file, unless it is loaded already. It waits at most until ctx ends.
func (m *Model) Load(ctx context.Context) (Info, error) {
	e, err := m.wait(ctx)
	if err != nil {
		return Info{}, err
	}
	return Info{Tokens: e.tokens, Dimensions: e.dimensions, FileBytes: e.fileBytes, MemoryBytes: e.memory()}, nil
}

// wait returns the loaded model. The first caller starts the loading for all.
func (m *Model) wait(ctx context.Context) (*embeddings, error) {
	job := m.start()
	select {
	case <-job.done:
		return job.model, job.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// start returns the current attempt or the last one. It starts the first attempt. After a
// failure it starts another one, once the pause has passed.
func (m *Model) start() *loading {
	m.mu.Lock()
	defer m.mu.Unlock()
	if job := m.job; job != nil {
		select {
		case <-job.done:
			if job.err == nil || m.now().Before(job.ended.Add(pause)) {
				return job
			}
		default:
			return job
		}
	}
	job := &loading{done: make(chan struct{})}
	m.job = job
	go m.load(job)
	return job
}

// load sets the result of job. It does not depend on the caller's deadline, because later
// callers wait for the same job.
func (m *Model) load(job *loading) {
	defer close(job.done)
	defer func() {
		if p := recover(); p != nil { // no caller can recover a panic in this goroutine
			job.model, job.err = nil, fmt.Errorf("load %s: panic: a %T", m.path, p)
		}
		job.ended = m.now()
	}()
	loaded, err := read(m.path)
	if err != nil {
		job.err = err
		return
	}
	job.model = loaded
	if m.onLoad != nil {
		m.onLoad(loaded.memory())
	}
}
