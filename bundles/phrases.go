package bundles

import (
	"fmt"
	"slices"
	"strings"
)

// setPhrases assigns phrases to the actions. The text has a line with an action's name,
// then indented phrases. setPhrases returns an error for an unknown name.
func setPhrases(actions []Action, text string) error {
	var to *Action
	for line := range strings.Lines(text) {
		phrase := strings.TrimSpace(line)
		switch {
		case phrase == "":
		case phrase == strings.TrimRight(line, "\n"): // not indented: a name
			i := slices.IndexFunc(actions, func(a Action) bool { return a.Name == phrase })
			if i < 0 {
				return fmt.Errorf("there are phrases for %q, which is not an action", phrase)
			}
			to = &actions[i]
			to.Phrases = slices.Clip(to.Phrases)
		case to == nil:
			return fmt.Errorf("the phrase %q is for no action", phrase)
		default:
			to.Phrases = append(to.Phrases, phrase)
		}
	}
	return nil
}
