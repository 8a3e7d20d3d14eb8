package wiretest

import (
	"fmt"
	"regexp"
	"strings"
)

// handleForm is a handle of a staged action, minted at random: see store.Stages.
var handleForm = regexp.MustCompile(`\bs_[a-z0-9]{10}\b`)

// handles are those of a conversation, in the order they came up. In an archive
// the first is s_1, the second s_2.
type handles []string

// name returns text with the name in place of each handle.
func (h *handles) name(text string) string {
	return handleForm.ReplaceAllStringFunc(text, func(handle string) string {
		for i, known := range *h {
			if known == handle {
				return nameOf(i)
			}
		}
		*h = append(*h, handle)
		return nameOf(len(*h) - 1)
	})
}

// real returns text with the handle in place of each name.
func (h *handles) real(text string) string {
	for i, handle := range *h {
		text = strings.ReplaceAll(text, `"`+nameOf(i)+`"`, `"`+handle+`"`)
	}
	return text
}

func nameOf(i int) string { return fmt.Sprintf("s_%d", i+1) }
