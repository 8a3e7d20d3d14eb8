package auth

import (
	"errors"
	"fmt"
	"strings"
)

// The errors without details. Use errors.Is.
var (
	// ErrNoClient says that no OAuth client is stored: see SetClient.
	ErrNoClient = errors.New("no Google OAuth client is stored")
	// ErrSignedOut says that no account exists.
	ErrSignedOut = errors.New("nobody is signed in to Google")
	// ErrNotImported says that no account exists in the database, and that the folder has some.
	ErrNotImported = fmt.Errorf("%w: the sign-ins in KOTA's folder were not copied to the database", ErrSignedOut)
	// ErrDenied says that the user declined at Google.
	ErrDenied = errors.New("the sign-in was declined at Google; nothing was stored")
	// ErrTimeout says that the user did not come back from Google in time.
	ErrTimeout = errors.New("the sign-in was not finished in time; nothing was stored")
	// ErrNothingGranted says that the user granted none of the requested scopes.
	ErrNothingGranted = errors.New("no permission was granted at Google; nothing was stored")
	// ErrNoRefreshToken says that Google gave access for only an hour.
	ErrNoRefreshToken = errors.New("the answer of Google has no refresh token, so access would end within an hour; " +
		"remove the app at https://myaccount.google.com/connections and sign in again")
	// ErrBadName says that an account cannot have the name.
	ErrBadName = errors.New("an account name has at most 128 letters, digits and @ . _ + - ', begins with a letter or a digit, and is not a device name of Windows such as con")
)

// A ClientFileError says why a file is not the required OAuth client, and what to download
// instead.
type ClientFileError struct{ Why string }

// Error returns a sentence for the user. It quotes nothing from the file.
func (e *ClientFileError) Error() string { return e.Why }

// An UnknownAccountError says that no account has the name or address.
type UnknownAccountError struct {
	Name  string
	Known []string // the names of the existing accounts
}

// Error names the existing accounts.
func (e *UnknownAccountError) Error() string {
	return fmt.Sprintf("no account %q is signed in; these accounts are: %s", e.Name, strings.Join(e.Known, ", "))
}

// A NoDefaultError says that the chosen default account does not exist, so "" means no
// account.
type NoDefaultError struct {
	Name  string   // the chosen name; "" if it cannot be read
	Known []string // the names of the existing accounts
}

// Error names the chosen account and the existing accounts.
func (e *NoDefaultError) Error() string {
	return fmt.Sprintf("the default account %q is not signed in; these accounts are: %s", e.Name, strings.Join(e.Known, ", "))
}

// An OtherAddressError says that the user signed in at Google with another address than the
// account's. Nothing was stored.
type OtherAddressError struct{ Account, Want, Got string }

// Error names both addresses.
func (e *OtherAddressError) Error() string {
	return fmt.Sprintf("account %q belongs to %s, and you signed in as %s; choose %[2]s at Google, or give this sign-in another account name", e.Account, e.Want, e.Got)
}

// An UnsafeError says why KOTA does not use a file or folder. Other users could read or change
// it, or it is a symbolic link or of another unexpected kind.
type UnsafeError struct {
	Path   string
	Why    string
	Remedy string // a shell command that fixes it
}

// Error says which command to run.
func (e *UnsafeError) Error() string {
	return fmt.Sprintf("%s %s, so it is not used; run: %s", e.Path, e.Why, e.Remedy)
}

// A CorruptError says that an account's file is damaged. The file stays unchanged until Login or
// Logout renames it.
type CorruptError struct {
	Account string
	Path    string
	Why     string
}

// Error names the file.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("the stored sign-in of %s is damaged (%s: %s); sign in again; a copy of the damaged file is kept", e.Account, e.Path, e.Why)
}

// A Cause says why a sign-in has ended.
type Cause string

// The causes.
const (
	Revoked       Cause = "revoked"        // Google answers invalid_grant to the refresh token
	Refused       Cause = "refused"        // an API refused even a token that was just renewed
	ClientChanged Cause = "client changed" // the sign-in belongs to another OAuth client than the stored client
	Lost          Cause = "lost"           // the keyring no longer has the token, or has a damaged one
	LoggedOut     Cause = "logged out"     // the account's file no longer exists, for example after a Logout
)

// An ExpiredError says that an account's sign-in has ended. For every cause the remedy is to
// sign in again.
type ExpiredError struct {
	Account string
	Cause   Cause
}

// Error explains the possible causes.
func (e *ExpiredError) Error() string {
	switch e.Cause {
	case Refused:
		return fmt.Sprintf("Google refuses access to %s, even with a new token; sign in again", e.Account)
	case ClientChanged:
		return fmt.Sprintf("%s was signed in with another OAuth client than the one stored now; sign in again", e.Account)
	case Lost:
		return fmt.Sprintf("the token of %s is no longer in the system's keyring; sign in again", e.Account)
	case LoggedOut:
		return fmt.Sprintf("%s was signed out; sign in again", e.Account)
	}
	return fmt.Sprintf("Google has ended the sign-in of %s (invalid_grant). The usual causes: the OAuth app is in Testing, where a sign-in lasts 7 days; "+
		"its access was removed at https://myaccount.google.com/connections; the password was changed; it was not used for 6 months; "+
		"the account has over 100 sign-ins with this client; the organisation limits sessions. Sign in again", e.Account)
}

// An UnreachableError says that KOTA got neither a token nor a refusal from Google. The network
// may be missing, the request may have timed out or been cancelled, or the answer was 429, 5xx
// or unreadable. A later attempt may succeed.
type UnreachableError struct {
	Why   string
	cause error // context.Canceled or nil: any other error may contain a secret
}

// Error says what failed.
func (e *UnreachableError) Error() string { return "ask Google for a token: " + e.Why }

// Unwrap returns context.Canceled if the caller cancelled the request.
func (e *UnreachableError) Unwrap() error { return e.cause }

// A RefusedError says that Google refused to issue a token, but not because a sign-in has
// ended. The code is from RFC 6749 (sections 4.1.2.1 and 5.2) or Google's own. It is
// unknown_error if the answer of Google's page has an invalid code. With invalid_client, Google
// does not know the OAuth client (any more), or its secret is wrong.
type RefusedError struct{ Code string }

// Error says what to do for the codes that have a remedy.
func (e *RefusedError) Error() string {
	remedy := "sign in again"
	switch e.Code {
	case "invalid_client", "unauthorized_client", "deleted_client", "disabled_client":
		remedy = "the OAuth client was deleted, or its secret replaced: download the JSON of a Desktop client again, store it and sign in again"
	case "redirect_uri_mismatch":
		remedy = "the OAuth client is not of the type Desktop app: create one of that type, store its JSON and sign in again"
	case "admin_policy_enforced", "org_internal":
		remedy = "the organisation's administrator has blocked this app: ask them, or use another account"
	case "invalid_scope":
		remedy = "a requested permission does not exist; check that the API is enabled in the Google Cloud project"
	}
	return fmt.Sprintf("Google issued no token (%s): %s", e.Code, remedy)
}

// A RenewedError says that an API refused the access token and did nothing else. KOTA has
// renewed the token. It has not repeated the request, because the request is not a GET or HEAD
// without a body. The caller may repeat the request.
type RenewedError struct{ Account string }

// Error says that nothing has happened.
func (e *RenewedError) Error() string {
	return fmt.Sprintf("Google refused the access token of %s, which has now been renewed; nothing was done, repeat the call", e.Account)
}

// A HostError says that KOTA did not send a request, because it may not send an account's token
// to the host.
type HostError struct{ Host string }

// Error names the host.
func (e *HostError) Error() string {
	return fmt.Sprintf("%s is neither a Google API host nor this machine: the request was not sent", e.Host)
}

// A KeyringError says that the system's keyring has the token of an account but does not
// return it.
type KeyringError struct{ Account, Why string }

// Error says to unlock the keyring.
func (e *KeyringError) Error() string {
	return fmt.Sprintf("the token of %s is in the system's keyring, which cannot be read (%s); unlock the keyring, or sign in again", e.Account, e.Why)
}

// A RevokeError says that KOTA removed an account here, but could not end the sign-in at
// Google.
type RevokeError struct{ Account, Why string }

// Error says where the user can end the sign-in.
func (e *RevokeError) Error() string {
	return fmt.Sprintf("%s is signed out here, but Google was not informed (%s); remove the access at https://myaccount.google.com/connections", e.Account, e.Why)
}
