package static

import "fmt"

// An Error says why a model cannot be used. It names files with at most one folder and contains
// no text that was searched.
type Error struct {
	What   string
	Remedy string // what the user can do
}

func (e *Error) Error() string { return e.What }

// What the user can do about a model.
const (
	correctPath    = "Correct search.model in bundles.yaml, or put model.safetensors and tokenizer.json of one model there; docs/how-to/semantic-search.md says where they come from."
	nameFolder     = "Name its folder in search.model."
	pullLFS        = "Run `git lfs pull` in its folder, or download the file itself."
	downloadFile   = "Download the file itself."
	copyAgain      = "Copy or download the file again."
	chooseSmaller  = "Choose a smaller model, such as potion-base-8M (30 MB)."
	chooseModel2   = "Choose a model in model2vec's format, such as potion-base-8M."
	chooseTogether = "Take model.safetensors and tokenizer.json from the same model."
	chooseOther    = "Choose another model, such as potion-base-8M."
)

func problem(remedy, format string, args ...any) *Error {
	return &Error{What: fmt.Sprintf(format, args...), Remedy: remedy}
}
