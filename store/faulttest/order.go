package faulttest

import (
	"math"
	"strings"
)

// A Made is a system call as strace wrote it down with -f and -y: it began
// before all that ended after End, and ended after all that began before Start.
type Made struct {
	Name, Args, Result string
	Start, End         int // lines of the trace
}

// To reports whether the call's first argument is a file of that name, or of
// one that ends so.
func (m Made) To(file string) bool {
	descriptor, _, _ := strings.Cut(m.Args, ",")
	return strings.HasSuffix(descriptor, file+">")
}

// Syncs reports whether the call made a file durable.
func (m Made) Syncs() bool {
	return (m.Name == "fsync" || m.Name == "fdatasync") && m.Result == "0"
}

// Read reads what strace wrote with -f, -y and -o. A call that others
// interrupted is on two lines, and becomes one.
func Read(trace string) []Made {
	var all []Made
	open := map[string]int{} // thread → the call of its that has not ended yet
	n := 0
	for line := range strings.Lines(trace) {
		n++
		thread, call, _ := strings.Cut(line, " ")
		call = strings.TrimSpace(call)
		if _, rest, resumed := strings.Cut(call, " resumed>"); resumed && strings.HasPrefix(call, "<...") {
			if i, ok := open[thread]; ok {
				more, result := split(rest)
				all[i].Args += more
				all[i].Result, all[i].End = result, n
				delete(open, thread)
			}
			continue
		}
		name, args, ok := strings.Cut(call, "(")
		if !ok || strings.HasPrefix(call, "---") || strings.HasPrefix(call, "+++") {
			continue
		}
		made := Made{Name: name, Start: n, End: n}
		if before, cut := strings.CutSuffix(args, " <unfinished ...>"); cut {
			made.Args, made.End = before, math.MaxInt
			open[thread] = len(all)
		} else {
			made.Args, made.Result = split(args)
		}
		all = append(all, made)
	}
	return all
}

// split parts the arguments of a call from the number that it returned.
func split(call string) (args, result string) {
	at := strings.LastIndex(call, " = ")
	if at < 0 {
		return call, ""
	}
	args = strings.TrimSuffix(strings.TrimRight(call[:at], " "), ")")
	result, _, _ = strings.Cut(call[at+len(" = "):], " ")
	return args, result
}

// SyncedBetween reports whether a file of that name was made durable by a call
// that began after one line and ended before another.
func SyncedBetween(calls []Made, file string, after, before int) bool {
	for _, c := range calls {
		if c.Syncs() && c.To(file) && c.Start > after && c.End < before {
			return true
		}
	}
	return false
}

// First returns the first call of that name after a line, to the file, whose
// arguments have the text; false when there is none.
func First(calls []Made, name, file, text string, after int) (Made, bool) {
	for _, c := range calls {
		if c.Start > after && c.Name == name && c.To(file) && strings.Contains(c.Args, text) {
			return c, true
		}
	}
	return Made{}, false
}
