package main

import (
	"github.com/schollz/progressbar/v3"
)

// A bar shows how far a long work is, on stderr and only when that is a
// terminal: a program that reads stderr wants errors there.
type bar struct{ *progressbar.ProgressBar }

// progress starts a bar of total steps; -1 means that nobody knows how many.
func (t terminal) progress(what string, total int) bar {
	if !isTerminal(t.stderr) {
		return bar{}
	}
	return bar{progressbar.NewOptions(total, progressbar.OptionSetWriter(t.stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())}
}

// at shows that done steps are over.
func (b bar) at(done int) {
	if b.ProgressBar != nil {
		_ = b.Set(done) // a bar that cannot be drawn harms nothing
	}
}

// of is at, for work that learns how much it is as it goes.
func (b bar) of(done, total int) {
	if b.ProgressBar != nil {
		b.ChangeMax(total)
		b.at(done)
	}
}

func (b bar) end() {
	if b.ProgressBar != nil {
		_ = b.Finish()
	}
}
