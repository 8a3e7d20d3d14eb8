package rows

import (
	"errors"
	"fmt"

	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// Explain adds to errors of the diary the code and the next step that callers need.
func Explain(err error) error {
	key, changed, size := (*store.KeyError)(nil), (*store.ChangedError)(nil), (*store.SizeError)(nil)
	switch {
	case errors.As(err, &key):
		return &metadata.Error{
			Code: metadata.Conflict, Message: key.Error() + "; nothing was logged", Cause: err,
			Hint: "To get the first outcome, repeat the call unchanged; for new content, use another key.",
		}
	case errors.As(err, &changed):
		return &metadata.Error{
			Code: metadata.Conflict, Message: fmt.Sprintf("%s was changed to version %d by another call: nothing was changed", changed.ID, changed.Version), Cause: err,
			Hint: "Read the current version (an entry with daily_get {\"id\": …}), then repeat the call.",
		}
	case errors.As(err, &size):
		return &metadata.Error{
			Code: metadata.TooLarge, Message: size.Error() + "; nothing was stored", Cause: err,
			Hint: "Split it into several, or shorten it.",
		}
	}
	return persist.Explain(err)
}
