// Package lazyregexp holds regular expressions that are compiled on first use.
// Most processes never read mail, but all would spend start time on expressions
// compiled at package level.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression, always the same
// one. The function panics if the expression is invalid.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
