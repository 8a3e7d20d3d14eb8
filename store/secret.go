package store

import "errors"

// A Sealer encrypts the values of secrets. What it sealed with one context
// opens with no other. Its first call may take seconds: a keyring can ask its
// user.
type Sealer interface {
	Seal(plain, context []byte) ([]byte, error)
	Open(sealed, context []byte) ([]byte, error)
}

// ErrNoSealer: there are no Options.Sealer, so that no secret is kept or read.
var ErrNoSealer = errors.New("secrets cannot be kept here")

// ErrSecret: a memory is a secret, and stays one unless its user says otherwise
// (Edit.Unseal): an undo would not take back who has read it meanwhile.
var ErrSecret = errors.New("it is a secret, and stays one")
