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
			Hint: "Repeat a call with its own words to learn what it made, or give what is new another key.",
		}
	case errors.As(err, &changed):
		return &metadata.Error{
			Code: metadata.Conflict, Message: fmt.Sprintf("%s is at version %d: nothing was changed", changed.ID, changed.Version), Cause: err,
			Hint: "Read it again, with daily_get {\"id\": …} if it is an entry, then repeat the call for what is there now.",
		}
	case errors.As(err, &size):
		return &metadata.Error{
			Code: metadata.TooLarge, Message: size.Error() + "; nothing was kept", Cause: err,
			Hint: "Split it into several, or shorten it.",
		}
	}
	return persist.Explain(err)
}
