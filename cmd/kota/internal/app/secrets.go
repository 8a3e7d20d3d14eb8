package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kota/auth/vault"
	"kota/cmd/kota/internal/tenant"
	"kota/store/postgres"
	"kota/store/tables/secrets"
)

// Vault returns the secrets of this app's owner on the database server, or nil if the database is a
// file.
func (a *App) Vault() *vault.Vault {
	return a.vaultOf(func() (string, error) { return a.Registry().DatabaseName() })
}

// operatorVault returns the secrets of the user who runs KOTA, for the app of another owner.
func (a *App) operatorVault() *vault.Vault {
	if a.Config.Owner == "" {
		return nil
	}
	return a.vaultOf(func() (string, error) { return tenant.OperatorName, nil })
}

// vaultOf returns the secrets of the owner with that name in the database.
func (a *App) vaultOf(nameOf func() (string, error)) *vault.Vault {
	if !a.Config.HasServer() {
		return nil
	}
	rows := secretRows(func(ctx context.Context) (*postgres.DB, error) {
		name, err := nameOf()
		if err != nil {
			return nil, err
		}
		server, err := a.server.open(ctx, a)
		if err != nil {
			return nil, err
		}
		return server.Lookup(ctx, name)
	})
	return vault.New(a.Config.Secrets.Keys, &cachedSecrets{Rows: rows, now: time.Now})
}

// vaultIn returns the secrets in a part of a database.
func (a *App) vaultIn(part *postgres.DB) *vault.Vault {
	return vault.New(a.Config.Secrets.Keys, secretRows(func(context.Context) (*postgres.DB, error) { return part, nil }))
}

// StaleSecretOwners returns how many people have secrets that the first key does not encrypt.
func (a *App) StaleSecretOwners(ctx context.Context) (int, error) {
	_, numbers, err := a.staleSecretOwners(ctx)
	return len(numbers), err
}

func (a *App) staleSecretOwners(ctx context.Context) (*postgres.Server, []int64, error) {
	server, err := a.server.open(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	ids := a.Config.Secrets.Keys.IDs()
	if len(ids) == 0 {
		return nil, nil, &vault.KeyError{}
	}
	numbers, err := server.SecretOwners(ctx, ids[0])
	return server, numbers, err
}

// RotateSecrets encrypts the secrets of all people with the first key. It returns how many it
// encrypted, and of how many people. It goes on after a secret that it cannot decrypt.
func (a *App) RotateSecrets(ctx context.Context) (done, people int, err error) {
	server, numbers, err := a.staleSecretOwners(ctx)
	if err != nil {
		return 0, 0, err
	}
	problems := []error{}
	for _, number := range numbers {
		n, err := a.vaultIn(server.Numbered(number)).Rotate(ctx)
		if done += n; n > 0 {
			people++
		}
		if err != nil {
			problems = append(problems, err)
		}
		if err != nil && !isOfSecret(err) { // such as a database that cannot be reached: the others fail too
			break
		}
	}
	return done, people, errors.Join(problems...)
}

// isOfSecret reports whether an error of vault.Rotate is about some secrets of one person.
func isOfSecret(err error) bool {
	return errors.As(err, new(*vault.KeyError)) || errors.Is(err, vault.ErrDamaged)
}

// secretRows gives a vault access to the rows in the database. It does not use OpenDB: a token that
// Google has just renewed is also stored under a profile that only reads, and while the app ends.
type secretRows func(context.Context) (*postgres.DB, error)

// Tenant returns the number of the owner in the database. It stays the same in a copy by pg_dump.
func (open secretRows) Tenant(ctx context.Context) (string, error) {
	part, err := open(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(part.Owner(Owner)), nil
}

// Get implements vault.Rows.
func (open secretRows) Get(ctx context.Context, kind, name string) (*vault.Row, error) {
	part, err := open(ctx)
	if err != nil {
		return nil, err
	}
	row, err := secrets.New(part, Owner).Get(ctx, kind, name)
	return (*vault.Row)(row), err
}

// List implements vault.Rows.
func (open secretRows) List(ctx context.Context) ([]vault.Row, error) {
	part, err := open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := secrets.New(part, Owner).List(ctx)
	list := []vault.Row{}
	for _, row := range found {
		list = append(list, vault.Row(row))
	}
	return list, err
}

// Update implements vault.Rows.
func (open secretRows) Update(ctx context.Context, kind, name string, change func(*vault.Row) (*vault.Row, error)) error {
	part, err := open(ctx)
	if err != nil {
		return err
	}
	return secrets.New(part, Owner).Update(ctx, kind, name, func(row *secrets.Row) (*secrets.Row, error) {
		next, err := change((*vault.Row)(row))
		return (*secrets.Row)(next), err
	})
}
