package memory

import (
	"errors"
	"strconv"

	"kota/metadata"
	"kota/store"
)

// explain gives the store's own errors the code and the next step that its
// callers need. Foreign ones pass through, for the router to classify.
func explain(err error, key string) error {
	conflict := (*store.ConflictError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &conflict):
		return explainConflict(conflict, err)
	case errors.Is(err, store.ErrNotFound):
		return &metadata.Error{
			Code: metadata.NotFound, Message: "there is no memory " + strconv.Quote(key), Cause: err,
			Hint: "Find it with memory_get {\"query\": …} or browse with memory_list; memory_history shows deleted ones.",
		}
	case errors.Is(err, store.ErrInvalid):
		return &metadata.Error{Code: metadata.ValidationError, Message: err.Error(), Hint: "Mend that argument and repeat the call; ids and cursors come from earlier answers.", Cause: err}
	case errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrClosed):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "Nothing was changed. Run `kota doctor`.", Cause: err}
	}
	return err
}

func explainConflict(c *store.ConflictError, err error) error {
	e := &metadata.Error{Code: metadata.Conflict, Cause: err}
	if c.Current == nil {
		e.Message = "there is no memory " + strconv.Quote(c.Key) + " any more"
		e.Hint = "Leave if_version out, or give 0, to create it."
		return e
	}
	e.Message = strconv.Quote(c.Key) + " exists, in version " + strconv.FormatInt(c.Current.Version, 10) + ": " + brief(c.Current.Value, 200)
	e.Hint = "Read it with memory_get, then repeat the call for what is there now: with if_version " + strconv.FormatInt(c.Current.Version, 10) + ", another mode, or another key."
	return e
}
