package wiretest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Handles has the random handles of staged actions in the order of their first use. In an
// archive, the first handle has the name s_1, the second s_2, and so on.
type Handles []string

var (
	handleForm = regexp.MustCompile(`\bs_[a-z0-9]{10}\b`) // see store.Stages
	nameForm   = regexp.MustCompile(`\bs_[0-9]{1,3}\b`)
)

// Name returns text with each handle replaced by its name.
func (h *Handles) Name(text string) string {
	return handleForm.ReplaceAllStringFunc(text, func(handle string) string {
		if !slices.Contains(*h, handle) {
			*h = append(*h, handle)
		}
		return fmt.Sprintf("s_%d", slices.Index(*h, handle)+1)
	})
}

// Real returns text with each name of a known handle replaced by the handle.
func (h *Handles) Real(text string) string {
	return nameForm.ReplaceAllStringFunc(text, func(name string) string {
		number, err := strconv.Atoi(name[len("s_"):])
		if err != nil || number < 1 || number > len(*h) {
			return name
		}
		return (*h)[number-1]
	})
}
