package store

import "errors"

// A Sealer encrypts the values of secrets. Open returns an error unless associatedData is the
// same as in Seal. The first call may take seconds, because a keyring may ask the user for
// permission.
type Sealer interface {
	Seal(plain, associatedData []byte) ([]byte, error)
	Open(sealed, associatedData []byte) ([]byte, error)
}

// ErrNoSealer says that Options.Sealer is nil, so secrets can neither be stored nor read.
var ErrNoSealer = errors.New("secrets can neither be stored nor read here")

// ErrSecret says that a memory is a secret, and only Edit.Unseal makes it readable. No other
// change does, because its undo could not make others forget what they read in the meantime.
var ErrSecret = errors.New("it is a secret and stays a secret")
