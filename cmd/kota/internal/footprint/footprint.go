// Package footprint keeps the memory of the process small and its start fast.
// It changes settings of the Go runtime and memory mappings, never what the
// program does. Begin with Tune.
package footprint

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Tune sets the memory limit, delays garbage collection and releases memory that only
// the start needed. main calls it first.
func Tune() {
	setMemoryLimit()
	delayCollection()
	releaseStart()
}

// setMemoryLimit makes garbage collection more frequent while much memory is in
// use, so that the remains of large messages do not pile up. GOMEMLIMIT
// overrides it.
func setMemoryLimit() {
	const limit = 144<<20 + ballastSize
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(limit)
		limited.Store(true)
	}
}

var (
	limited  atomic.Bool // whether setMemoryLimit has set the memory limit
	allowing sync.Mutex
)

// Allow raises the memory limit by the size of data that will stay in use. Otherwise
// garbage collection would try in vain to free the data. A negative size lowers the
// limit again. A limit of GOMEMLIMIT stays.
func Allow(bytes int64) {
	allowing.Lock()
	defer allowing.Unlock()
	if limited.Load() {
		debug.SetMemoryLimit(debug.SetMemoryLimit(-1) + bytes)
	}
}

// delayCollection delays the first garbage collections, usually until the client has
// its first answer. Memory that the start allocates stays in use, and scanning it would
// take as long as the rest of the start.
//
// Later, a collection runs each time the heap has doubled, which for a small
// heap is every few dozen calls. A ballast, allocated after the first
// collection, makes the heap count as larger, so collections are rarer. This
// saves a quarter of the cost of a call. Nothing touches the ballast, so it
// takes no memory itself, but up to 16 MB of garbage are collected later.
func delayCollection() {
	const percent, delay = 400, 200 * time.Millisecond
	usual := debug.SetGCPercent(percent)
	time.AfterFunc(delay, func() { debug.SetGCPercent(usual) })

	garbage := new(struct{ self any })
	runtime.AddCleanup(garbage, func(size int) { ballast.Store(new(make([]byte, size))) }, ballastSize)
}

const ballastSize = 16 << 20

var ballast atomic.Pointer[[]byte] // a package variable lives as long as the program
