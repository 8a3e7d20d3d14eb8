package auth

import "time"

// Patience makes a sign-in give up after d.
func (a *Accounts) Patience(d time.Duration) { a.patience = d }

// KeyringPatience makes a call of the keyring give up after d.
func (a *Accounts) KeyringPatience(d time.Duration) { a.keyringPatience = d }

// TokenPatience makes a request to the token endpoint give up after d.
func (a *Accounts) TokenPatience(d time.Duration) { a.tokenPatience = d }

// RevokeURI is where tokens of a token_uri are revoked.
var RevokeURI = revokeURI
