package term

import (
	"github.com/schollz/progressbar/v3"
)

// Bar shows the progress of long work on stderr. It draws only on a terminal,
// because a program that reads stderr expects errors there.
type Bar struct{ *progressbar.ProgressBar }

// Progress starts a bar. The text what describes the work. total is the number of
// steps, or -1 if it is unknown.
func (t Terminal) Progress(what string, total int) Bar {
	if !IsTerminal(t.Stderr) {
		return Bar{}
	}
	return Bar{progressbar.NewOptions(total, progressbar.OptionSetWriter(t.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())}
}

// Update shows that done steps are complete.
func (b Bar) Update(done int) {
	if b.ProgressBar != nil {
		_ = b.Set(done) // a bar that cannot be drawn does no harm
	}
}

// UpdateTotal is Update for work whose total changes.
func (b Bar) UpdateTotal(done, total int) {
	if b.ProgressBar != nil {
		b.ChangeMax(total)
		b.Update(done)
	}
}

// End removes the bar.
func (b Bar) End() {
	if b.ProgressBar != nil {
		_ = b.Finish()
	}
}
