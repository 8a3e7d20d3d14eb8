package signin

import (
	"context"
	"errors"
	"strings"

	"kota/auth"
	"kota/auth/vault"
	"kota/bundles"
	"kota/metadata"
)

// Explain returns a sign-in error as a *metadata.Error, nearly always with a hint
// that says what to do. It returns other errors unchanged. No error of package
// auth contains a secret.
func Explain(err error) error {
	if err == nil || errors.As(err, new(*metadata.Error)) {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	for _, known := range []func(error) *metadata.Error{explainSignInError, explainFileError, explainKeyError, explainVaultError, explainTemporaryError} {
		if e := known(err); e != nil {
			e.Cause = err
			return e
		}
	}
	return err
}

// hintPrefix begins a hint, for a model, about something that only the user can
// do.
const hintPrefix = "The user has to "

// ForTerminal explains a sign-in error to the user at the terminal. If the
// OAuth client is missing or invalid, it adds the steps that make one.
func ForTerminal(err error) error {
	if err == nil {
		return nil
	}
	text := ProblemOf(err).String()
	if file := (*auth.ClientFileError)(nil); errors.Is(err, auth.ErrNoClient) || errors.As(err, &file) {
		text += "\n\n" + strings.TrimSuffix(ClientStepsText(), "\n")
	}
	return errors.New(text)
}

// hintForUser returns a hint, which may begin with hintPrefix, as words to the
// user.
func hintForUser(hint string) string {
	if act, own := strings.CutPrefix(hint, hintPrefix); own {
		return Capitalize(act)
	}
	return hint
}

// explainSignInError handles the errors that a `kota auth` command repairs: a
// sign-in, another OAuth client, or another default account.
func explainSignInError(err error) *metadata.Error {
	var expired *auth.ExpiredError
	var corrupt *auth.CorruptError
	var other *auth.OtherAddressError
	var none *auth.NoDefaultError
	var refused *auth.RefusedError
	again := func(message, account string) *metadata.Error {
		return metadata.Errorf(metadata.SignInRequired, "%s", message).WithHint(hintPrefix+"run `kota auth login%s`.", AccountFlag(account))
	}
	switch {
	case errors.Is(err, auth.ErrNoClient):
		return metadata.Errorf(metadata.SignInRequired, "no OAuth client is stored, and Google accounts need one").
			WithHint(hintPrefix + "make an OAuth client of the type Desktop app in Google's console (`kota auth client` prints the steps), then run `kota auth client FILE` and `kota auth login`.")
	case errors.Is(err, auth.ErrNotImported):
		return metadata.Errorf(metadata.SignInRequired, "%s", err.Error()).WithHint(hintPrefix + importHint)
	case errors.Is(err, auth.ErrSignedOut):
		return again("no Google account is signed in", "")
	case errors.Is(err, auth.ErrNoRefreshToken):
		return again(err.Error(), "")
	case errors.As(err, &expired):
		return again(expired.Error(), expired.Account)
	case errors.As(err, &corrupt):
		return again(corrupt.Error(), corrupt.Account)
	case errors.As(err, &other):
		return again(other.Error(), other.Account)
	case errors.As(err, &none):
		return metadata.Errorf(metadata.SignInRequired, "%s", none.Error()).WithHint(hintPrefix + "run `kota auth default ACCOUNT` with one of them.")
	case errors.As(err, &refused):
		return metadata.Errorf(metadata.SignInRequired, "%s", refused.Error()).
			WithHint(hintPrefix + "run `kota auth client FILE` with that client, if it is the right one, then `kota auth login`.")
	}
	return nil
}

// explainFileError handles the errors of files, of the keyring and of account
// names.
func explainFileError(err error) *metadata.Error {
	var unsafe *auth.UnsafeError
	var ring *auth.KeyringError
	var file *auth.ClientFileError
	var unknown *auth.UnknownAccountError
	switch {
	case errors.As(err, &unsafe):
		return metadata.Errorf(metadata.SignInRequired, "%s %s, so it is not used", unsafe.Path, unsafe.Why).WithHint(hintPrefix+"run: %s", unsafe.Remedy)
	case errors.As(err, &ring):
		return metadata.Errorf(metadata.SignInRequired, "%s", ring.Error()).
			WithHint(hintPrefix+"unlock the keyring, or run `kota auth login%s`.", AccountFlag(ring.Account))
	case errors.As(err, &file):
		return metadata.Errorf(metadata.ValidationError, "%s", file.Error()).
			WithHint(hintPrefix + "run `kota auth client FILE` with it. `kota auth client --help` prints the steps.")
	case errors.Is(err, auth.ErrBadName):
		return metadata.Errorf(metadata.ValidationError, "%s", auth.ErrBadName.Error()).WithHint("Choose another name with --account.")
	case errors.As(err, &unknown):
		return metadata.Errorf(metadata.NotFound, "%s", unknown.Error()).WithHint("Name one of them: %s.", strings.Join(unknown.Known, ", "))
	}
	return nil
}

// importHint says how secrets get from files into the database.
const importHint = "run `kota secrets import` with KOTA_SECRETS_KEY, then repeat the call."

// explainKeyError handles the errors of the encryption key.
func explainKeyError(err error) *metadata.Error {
	var key *auth.KeyError
	switch {
	case errors.As(err, &key) && key.Lost && key.Local:
		return metadata.Errorf(metadata.Unavailable, "%s; nothing was changed", key.Error()).
			WithHint(hintPrefix + "run `kota secrets import` on the machine whose KOTA folder has the key. Without the key, the secrets cannot be read. To start again without them, delete those secrets for good.")
	case errors.As(err, &key) && key.Lost:
		return metadata.Errorf(metadata.Unavailable, "%s; nothing was changed", key.Error()).
			WithHint(hintPrefix + "restore the key from a backup of the tokens folder or of the keyring. Without the key, the secrets cannot be read. To start again without them, delete those secrets for good; if the key's file exists, delete it too.")
	case errors.As(err, &key) && key.Newer:
		return metadata.Errorf(metadata.Unavailable, "%s; nothing was changed", key.Error()).WithHint(hintPrefix + "update KOTA.")
	case errors.As(err, &key) && key.Local:
		return metadata.Errorf(metadata.Unavailable, "%s; nothing was changed", key.Error()).WithHint(hintPrefix + importHint)
	case errors.As(err, &key):
		return metadata.Errorf(metadata.Unavailable, "%s", key.Error()).WithHint(hintPrefix + "unlock the keyring, then repeat the call.")
	case errors.Is(err, auth.ErrSealed):
		return metadata.Errorf(metadata.Unavailable, "the encrypted text cannot be read: %s", auth.ErrSealed.Error())
	case errors.Is(err, auth.ErrNoNewKey):
		return metadata.Errorf(metadata.WritesDisabled, "the profile only reads, so KOTA cannot create the encryption key that is needed")
	}
	return nil
}

// explainVaultError handles the errors of the keys for secrets in a database.
func explainVaultError(err error) *metadata.Error {
	var key *vault.KeyError
	switch {
	case !errors.As(err, &key):
		return nil
	case len(key.Have) == 0:
		return metadata.Errorf(metadata.Unavailable, "%s; nothing was changed", key.Error()).
			WithHint(hintPrefix + "set KOTA_SECRETS_KEY, or secrets_key_file in bundles.yaml, to the same key on all servers. `openssl rand -base64 32` makes the first one.")
	default:
		return metadata.Errorf(metadata.Unavailable, "%s; nothing was changed", key.Error()).
			WithHint(hintPrefix+"append the key %d to KOTA_SECRETS_KEY, or to the file that secrets_key_file names, after the first key. Then `kota secrets rotate` encrypts the secrets with the first key.", key.Need)
	}
}

// Sealer returns errors of the key as *metadata.Error.
type Sealer struct{ *auth.Sealer }

func (s Sealer) Seal(plain, context []byte) ([]byte, error) {
	sealed, err := s.Sealer.Seal(plain, context)
	return sealed, explainLocalError(err)
}

func (s Sealer) Open(sealed, context []byte) ([]byte, error) {
	plain, err := s.Sealer.Open(sealed, context)
	return plain, explainLocalError(err)
}

// explainLocalError is Explain for errors that a new sign-in does not repair.
// Its errors have the code UNAVAILABLE instead of SIGN_IN_REQUIRED.
func explainLocalError(err error) error {
	err = Explain(err)
	if named := (*metadata.Error)(nil); errors.As(err, &named) && named.Code == metadata.SignInRequired {
		unavailable := *named
		unavailable.Code = metadata.Unavailable
		return &unavailable
	}
	return err
}

// explainTemporaryError handles sign-ins that were refused or timed out, and
// hosts that are unreachable or not allowed. It also handles tokens that Google
// did not revoke, and errors after which a retry may succeed.
func explainTemporaryError(err error) *metadata.Error {
	var unreachable *auth.UnreachableError
	var renewed *auth.RenewedError
	var host *auth.HostError
	var revoke *auth.RevokeError
	retryable := func(e *metadata.Error) *metadata.Error { e.Retryable = true; return e }
	switch {
	case errors.Is(err, auth.ErrDenied), errors.Is(err, auth.ErrTimeout):
		return metadata.Errorf(metadata.Refused, "%s", err.Error()).WithHint("Run `kota auth login` again when you want to.")
	case errors.As(err, &unreachable):
		return retryable(metadata.Errorf(metadata.Unavailable, "%s", unreachable.Error()).WithHint("Check the network, then repeat it."))
	case errors.As(err, &renewed):
		return retryable(metadata.Errorf(metadata.Unavailable, "%s", renewed.Error()).WithHint("Repeat the call."))
	case errors.As(err, &host):
		return metadata.Errorf(metadata.Refused, "%s", host.Error()).WithHint(hintPrefix + "correct google: endpoint in bundles.yaml, or KOTA_GOOGLE_ENDPOINT.")
	case errors.As(err, &revoke):
		return metadata.Errorf(metadata.Unavailable, "%s", revoke.Error()).WithHint("There is nothing more to do in KOTA.")
	}
	return nil
}

// AccountFlag returns the flag that names the account in a command, or "" for
// the default account.
func AccountFlag(name string) string {
	if name == "" {
		return ""
	}
	return " --account " + bundles.ShellWord(name)
}
