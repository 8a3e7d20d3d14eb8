package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/metadata"
	"kota/store"
	"kota/store/engine"
	"kota/store/tables/memory"
)

// keysFinding checks whether the keys in the configuration decrypt the owner's secrets on the server.
func keysFinding(a *app.App, ctx context.Context) Finding {
	f := Finding{Check: "secrets key"}
	found, err := a.Vault().Status(ctx)
	if err == nil && len(a.Config.Secrets.Keys.IDs()) == 0 {
		f.Saw, f.Remedy = "no key for the secrets in the database is set", "Set KOTA_SECRETS_KEY, or secrets_key_file in bundles.yaml, to the same key on all servers. `openssl rand -base64 32` makes the first one."
		return f
	}
	if err != nil {
		f.Saw = err.Error()
		return f
	}
	older := 0
	for _, s := range found {
		if s.Problem != "" {
			f.Saw, f.Remedy = strings.TrimSpace(s.Kind+" "+s.Name)+": "+s.Problem, "Append the missing key to KOTA_SECRETS_KEY, or to the file that secrets_key_file names. `kota secrets` lists the secrets and the ids of their keys."
			return f
		}
		if !s.Current {
			older++
		}
	}
	f.OK, f.Saw = true, fmt.Sprintf("the keys decrypt all sign-ins and keys in the database: %d", len(found))
	if older > 0 {
		f.Saw += fmt.Sprintf("; an older key encrypts %d of them: run `kota secrets rotate`", older)
	}
	return f
}

// examineSecrets checks whether the key decrypts the stored secrets. It reports
// nothing if there are none.
func examineSecrets(ctx context.Context, db engine.DB) []Finding {
	n, err := memory.New(db, app.Owner).CheckSecrets(ctx)
	f := Finding{Check: "secrets", OK: true, Saw: fmt.Sprintf("the key decrypts all secrets: %d", n)}
	if err != nil {
		f.OK, f.Saw, f.Remedy = false, err.Error(), "See the tokens folder in KOTA_HOME. With a PostgreSQL database, run `kota secrets import`."
		if errors.Is(err, store.ErrCorrupt) {
			f.Remedy = restoreHint
		}
		if named := (*metadata.Error)(nil); errors.As(err, &named) {
			f.Saw, f.Remedy = named.Message, named.Hint
		}
	}
	if n == 0 && err == nil {
		return nil
	}
	return []Finding{f}
}
