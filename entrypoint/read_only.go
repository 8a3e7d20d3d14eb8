package entrypoint

import (
	"errors"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// A Profile decides which effects calls may have.
type Profile interface {
	// PermitAction returns nil if calls of the action with that effect may run.
	// Otherwise it returns an error that says what forbids it.
	PermitAction(metadata.Action, metadata.Effect) error
}

// notReadError returns the answer of kota_read to a call that does more than read. If the
// profile forbids the call on every channel, it returns the profile's error instead.
func notReadError(profile Profile, a bundles.Action, effect metadata.Effect) error {
	if err := profile.PermitAction(a.Action, effect); err != nil {
		return err
	}
	instead := ""
	switch {
	case a.EffectVaries && a.Action.HasParam("dry_run"):
		instead = "With dry_run true this call only reads. "
	case a.EffectVaries:
		instead = "With other arguments this call may only read. "
	}
	return metadata.Errorf(metadata.Refused, "kota_read only runs calls that read: this call of %s %s", a.Tool, effect).
		WithHint("%sTo run it as it is, call %s directly or through kota_entry_point.", instead, a.Tool)
}

// invalidReadError returns the answer of kota_read to invalid arguments. If the arguments
// decide whether the call only reads, it turns the error into REFUSED.
func invalidReadError(a bundles.Action, err error) error {
	invalid := (*metadata.Error)(nil)
	if a.Effect == metadata.Reads || !errors.As(err, &invalid) {
		return err
	}
	refused := *invalid
	refused.Code = metadata.Refused
	refused.Message = fmt.Sprintf("%s %s unless its arguments say otherwise: %s", a.Tool, a.Effect, invalid.Message)
	return &refused
}
