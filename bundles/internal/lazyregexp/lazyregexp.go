// Package lazyregexp holds regular expressions that are compiled when they are
// first needed: most processes never read mail, and all of them would pay at
// their start for what a package compiles there.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Of returns the function that returns the compiled expression: always the
// same one. It panics when the expression is none.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
