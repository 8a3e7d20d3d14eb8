package main

import (
	"fmt"
	"strings"
)

// A usageError is a mistake in what the user gave: an argument, the
// environment or bundles.yaml. Its text is one line for each problem, written
// to be printed as it is; the process then ends with exit code 2.
type usageError struct{ lines []string }

func (e *usageError) Error() string { return strings.Join(e.lines, "\n") }

// usagef returns a usageError of one line.
func usagef(format string, args ...any) error {
	return &usageError{lines: []string{fmt.Sprintf(format, args...)}}
}
