package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kota/auth/vault"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/metadata"
)

func newSecrets(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "secrets",
		Short: "See and re-encrypt the sign-ins and keys in a PostgreSQL database",
		Long: `List the secrets that KOTA has encrypted in a PostgreSQL database: the Google
sign-ins, the OAuth client, and the key of secret memories and approvals. The list
has the id of the key that encrypts each of them, never a secret or a key.

KOTA_SECRETS_KEY has the key, or the file that secrets_key_file in bundles.yaml
names. Several keys are separated by commas or line breaks: the first one encrypts,
all of them decrypt. To change the key while servers run:

  1. Append the new key on each server: OLD,NEW. Restart the servers one by one.
  2. Put the new key first on each server: NEW,OLD. Restart them one by one.
  3. Run ` + "`kota secrets rotate`" + ` with NEW,OLD.
  4. When it says that the key already encrypts every secret, remove the old key from
     each server.`,
		Example: "  kota secrets\n  kota secrets rotate",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withVault(a, func(v *vault.Vault) error { return listSecrets(cmd.Context(), a, v, asJSON) })
		},
	}
	addJSON(&asJSON, cmd)
	cmd.AddCommand(newSecretsImport(a), newSecretsRotate(a), newSecretsDiscard(a))
	return cmd
}

// withVault calls a function with the owner's secrets. It explains the errors of keys.
func withVault(a *app.App, run func(*vault.Vault) error) error {
	if err := a.Load(); err != nil {
		return err
	}
	v := a.Vault()
	if v == nil {
		return mistake.Errorf("`kota secrets` is for a PostgreSQL database, and %s has none: the sign-ins and keys are in the keyring of this system or in %s", a.Config.Name(), a.Config.Home)
	}
	return signin.Explain(run(v))
}

func listSecrets(ctx context.Context, a *app.App, v *vault.Vault, asJSON bool) error {
	found, err := v.Status(ctx)
	if err != nil {
		return err
	}
	keys := a.Config.Secrets.Keys.IDs()
	people := 0
	if len(keys) > 0 {
		if people, err = a.StaleSecretOwners(ctx); err != nil {
			return err
		}
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"keys": keys, "secrets": found, "people_with_older_keys": people})
	}
	switch len(keys) {
	case 0:
		fmt.Fprintln(a.Stdout, "No key is set. `kota secrets --help` says how to set one.")
	default:
		fmt.Fprintf(a.Stdout, "Key %d encrypts.\n", keys[0])
		for _, key := range keys[1:] {
			fmt.Fprintf(a.Stdout, "Key %d only decrypts.\n", key)
		}
	}
	if people > 0 {
		fmt.Fprintf(a.Stdout, "Secrets of %s have an older key. Run `kota secrets rotate`.\n", countPeople(people))
	}
	rows := [][]string{}
	for _, s := range found {
		state := "ok"
		switch {
		case s.Problem != "":
			state = "cannot be decrypted: " + s.Problem
		case !s.Current:
			state = "an older key"
		}
		rows = append(rows, []string{s.Kind, s.Name, fmt.Sprintf("key %d", s.Key), s.Updated.In(a.Zone()).Format(time.DateTime), state})
	}
	return a.PrintTable(rows)
}

func newSecretsImport(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "import",
		Short: "Copy the sign-ins and keys from files to the database",
		Long: `Copy the Google sign-ins, the OAuth client and the key of secret memories from KOTA's
folder and the keyring to the database. The command changes no file. Of two sign-ins to
an account, the later one stays. If the database has another key, both keys stay, and
KOTA can read the secret memories of both. ` + "`kota migrate --to` does the same at the end.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withVault(a, func(*vault.Vault) error {
				if err := a.Policy().Permit(cmd.CommandPath(), metadata.Writes); err != nil {
					return err
				}
				copied, err := a.Accounts().Import(cmd.Context(), a.AccountsInFiles())
				fmt.Fprintf(a.Stdout, "Copied %s.\n", copied)
				return errors.Join(append(copied.Problems, err)...)
			})
		},
	}
}

func newSecretsRotate(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "rotate",
		Short: "Encrypt all secrets in the database with the first key",
		Long: `Encrypt the secrets of all people in the database with the first key; with --owner, those
of one person. Servers may run meanwhile if they have both keys: see ` + "`kota secrets --help`" + `.
The command can be interrupted and run again. It leaves a secret alone that it cannot
decrypt, and reports that key at the end.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withVault(a, func(v *vault.Vault) error { return rotateSecrets(cmd.Context(), a, v) })
		},
	}
}

func rotateSecrets(ctx context.Context, a *app.App, v *vault.Vault) error {
	if err := a.Policy().Permit("kota secrets rotate", metadata.Writes); err != nil {
		return err
	}
	if err := v.HasKey(); err != nil {
		return err
	}
	done, people, err := 0, 1, error(nil)
	if a.Config.Owner != "" {
		done, err = v.Rotate(ctx)
	} else {
		done, people, err = a.RotateSecrets(ctx)
	}
	key := a.Config.Secrets.Keys.IDs()[0]
	switch {
	case done > 0:
		fmt.Fprintf(a.Stdout, "Encrypted %s of %s with key %d.\n", metadata.CountOf(done, "secret"), countPeople(people), key)
	case err == nil:
		fmt.Fprintf(a.Stdout, "Key %d already encrypts every secret.\n", key)
	}
	return err
}

func countPeople(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprint(n, " people")
}

func newSecretsDiscard(a *app.App) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "discard",
		Short: "Delete the secrets whose key is lost, to start again without them",
		Long: `Delete the secrets of one person whose key is lost: those that no key in
KOTA_SECRETS_KEY or secrets_key_file decrypts. Sign in again afterwards, and restart
the servers. Secret memories stay, but nothing can decrypt them any more if the
sealing key is among the deleted secrets. This cannot be undone: if a copy of the key
exists, append it to KOTA_SECRETS_KEY instead.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withVault(a, func(v *vault.Vault) error {
				if err := a.Policy().Permit(cmd.CommandPath(), metadata.Destroys); err != nil {
					return err
				}
				if !yes {
					return mistake.Errorf("nothing was deleted: run `kota secrets discard --yes` if the key is lost")
				}
				n, err := v.Discard(cmd.Context())
				if err == nil {
					fmt.Fprintf(a.Stdout, "Deleted secrets: %d.\n", n)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "delete them without asking")
	return cmd
}
