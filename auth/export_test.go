package auth

import "time"

// Patience makes a sign-in give up after d.
func (a *Accounts) Patience(d time.Duration) { a.patience = d }
