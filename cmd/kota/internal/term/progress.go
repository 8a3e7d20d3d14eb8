package term

import (
	"github.com/schollz/progressbar/v3"
)

// A Bar shows how far a long work is, on stderr and only when that is a
// terminal: a program that reads stderr wants errors there.
type Bar struct{ *progressbar.ProgressBar }

// Progress starts a bar of total steps; -1 means that nobody knows how many.
func (t Terminal) Progress(what string, total int) Bar {
	if !IsTerminal(t.Stderr) {
		return Bar{}
	}
	return Bar{progressbar.NewOptions(total, progressbar.OptionSetWriter(t.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())}
}

// At shows that done steps are over.
func (b Bar) At(done int) {
	if b.ProgressBar != nil {
		_ = b.Set(done) // a bar that cannot be drawn harms nothing
	}
}

// Of is at, for work that learns how much it is as it goes.
func (b Bar) Of(done, total int) {
	if b.ProgressBar != nil {
		b.ChangeMax(total)
		b.At(done)
	}
}

// End takes the bar away.
func (b Bar) End() {
	if b.ProgressBar != nil {
		_ = b.Finish()
	}
}
