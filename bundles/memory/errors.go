package memory

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"kota/bundles"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// keyInCommand returns a key as a shell word, for a command that a hint shows in
// backquotes. It returns KEY if the key contains a backquote or a control character, or
// looks like a flag.
func keyInCommand(key string) string {
	if strings.HasPrefix(key, "-") || strings.ContainsFunc(key, func(r rune) bool { return r == '`' || unicode.IsControl(r) }) {
		return "KEY"
	}
	return bundles.ShellWord(key)
}

// explain adds a code and the next step to the store's own errors. It returns other
// errors unchanged, and the router classifies them.
func explain(ctx context.Context, err error, key string) error {
	conflict := (*store.ConflictError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrNoSealer):
		return &metadata.Error{Code: metadata.Unavailable, Message: store.ErrNoSealer.Error(), Hint: "Omit secret, or store the value elsewhere.", Cause: err}
	case errors.As(err, &conflict):
		return explainConflict(ctx, conflict, err)
	case errors.Is(err, store.ErrNotFound):
		return explainNotFound(ctx, err, key)
	case errors.Is(err, store.ErrSecret):
		return &metadata.Error{
			Code: metadata.Refused, Message: strconv.Quote(key) + " is a secret and stays a secret: nothing was changed", Cause: err,
			Hint: "Omit secret. The user can store it in plain text with `kota memory unseal " + keyInCommand(key) + "`.",
		}
	case errors.Is(err, store.ErrTooLarge):
		return &metadata.Error{
			Code: metadata.TooLarge, Message: "the value would be larger than 1 MiB of JSON; nothing was changed", Cause: err,
			Hint: "Store the addition under its own key.",
		}
	case errors.As(err, new(*store.CursorError)):
		return persist.Explain(err)
	case errors.Is(err, store.ErrInvalid):
		return &metadata.Error{Code: metadata.ValidationError, Message: err.Error(), Hint: "Fix that argument and repeat the call; ids come from earlier answers.", Cause: err}
	case errors.Is(err, store.ErrReplaced):
		return &metadata.Error{Code: metadata.Unavailable, Message: store.ErrReplaced.Error() + ": nothing was written", Hint: "The user must restart KOTA, or its client.", Cause: err}
	case errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrFull), errors.Is(err, store.ErrIO): // the router knows more
		return err
	}
	return persist.Explain(err)
}

// explainNotFound suggests stored keys that differ from key only in spelling. It then
// taints the session, because these keys may be untrusted.
func explainNotFound(ctx context.Context, err error, key string) error {
	e := &metadata.Error{
		Code: metadata.NotFound, Message: "there is no memory " + strconv.Quote(key), Cause: err,
		Hint: "Find it with memory_get {\"query\": …} or browse with memory_list; memory_history shows deleted ones.",
	}
	if similar := (*store.NotFoundError)(nil); errors.As(err, &similar) && len(similar.OtherSpellings) > 0 {
		untrusted.MarkPartly(ctx, untrusted.Memory)
		e.Problems = []metadata.Problem{{Path: "key", Expected: "the exact key", Got: strconv.Quote(key), Suggestion: similar.OtherSpellings[0]}}
		e.Hint = "Give the exact key: " + strings.Join(similar.OtherSpellings, " or ") + "."
	}
	return e
}

// explainConflict describes the current memory, or says that it does not exist. If the
// memory is untrusted, explainConflict taints the session.
func explainConflict(ctx context.Context, c *store.ConflictError, err error) error {
	e := &metadata.Error{Code: metadata.Conflict, Cause: err}
	if c.Current == nil {
		e.Message = "there is no memory " + strconv.Quote(c.Key) + " any more"
		e.Hint = "Omit if_version, or give 0, to create it."
		return e
	}
	untrusted.MarkMemory(ctx, c.Current.Source)
	e.Message = strconv.Quote(c.Key) + " exists, in version " + strconv.FormatInt(c.Current.Version, 10) + ": " + preview(c.Current, 200)
	e.Hint = "Read it with memory_get, then repeat the call for the current version: with if_version " + strconv.FormatInt(c.Current.Version, 10) + ", another mode, or another key."
	return e
}
