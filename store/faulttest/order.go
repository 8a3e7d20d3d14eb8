package faulttest

import (
	"math"
	"strings"
)

// A TracedCall is a system call in the output of strace with -f and -y.
type TracedCall struct {
	Name, Args, Result string
	Start, End         int // line numbers of the trace
}

// IsOn reports whether the call's first argument is a descriptor of a file whose path ends in
// file.
func (m TracedCall) IsOn(file string) bool {
	descriptor, _, _ := strings.Cut(m.Args, ",")
	return strings.HasSuffix(descriptor, file+">")
}

// Syncs reports whether the call made a file durable.
func (m TracedCall) Syncs() bool {
	return (m.Name == "fsync" || m.Name == "fdatasync") && m.Result == "0"
}

// ParseTrace parses the output of strace with -f, -y and -o. It joins the two lines of a call
// that other calls interrupted.
func ParseTrace(trace string) []TracedCall {
	var all []TracedCall
	open := map[string]int{} // thread → its call that has not ended yet
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
		made := TracedCall{Name: name, Start: n, End: n}
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

// split separates the arguments of a call from its return value.
func split(call string) (args, result string) {
	at := strings.LastIndex(call, " = ")
	if at < 0 {
		return call, ""
	}
	args = strings.TrimSuffix(strings.TrimRight(call[:at], " "), ")")
	result, _, _ = strings.Cut(call[at+len(" = "):], " ")
	return args, result
}

// SyncedBetween reports whether a call between two lines of the trace made the file durable. The
// call must begin after afterLine and end before beforeLine.
func SyncedBetween(calls []TracedCall, file string, afterLine, beforeLine int) bool {
	for _, c := range calls {
		if c.Syncs() && c.IsOn(file) && c.Start > afterLine && c.End < beforeLine {
			return true
		}
	}
	return false
}

// First returns the first call of name on file that begins after afterLine and whose arguments
// contain text. It returns false if no call matches.
func First(calls []TracedCall, name, file, text string, afterLine int) (TracedCall, bool) {
	for _, c := range calls {
		if c.Start > afterLine && c.Name == name && c.IsOn(file) && strings.Contains(c.Args, text) {
			return c, true
		}
	}
	return TracedCall{}, false
}
